package attackrules

import (
	"slices"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
)

// Every built-in rule about a check of a listening server is known here, and
// the lists name as many rules as there are.
func TestListsNameTheBuiltinRules(t *testing.T) {
	set, err := rules.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	attacks, messages := 0, 0
	for _, r := range set.Rules() {
		if got, want := ByCheck(r.ID), slices.Contains(r.Kinds, mcpsf.KindRemoteCheck); got != want {
			t.Errorf("ByCheck(%q) is %t", r.ID, got)
		}
		if ByAttack(r.ID) {
			attacks++
		}
		if ByMessage(r.ID) {
			messages++
		}
	}
	if attacks != 31 || messages != 2 {
		t.Errorf("%d rules about attacks and %d about messages are built in, want 31 and 2", attacks, messages)
	}
}
