package plan

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestEnvironments(t *testing.T) {
	known := map[mcpsf.ChangeCause]bool{mcpsf.SinceCI: true, mcpsf.SinceLater: true, mcpsf.SinceCloud: true}
	for _, e := range Environments() {
		if !known[e.Since] {
			t.Errorf("%q is no cause of a change, or stands there twice", e.Since)
		}
		delete(known, e.Since)
		if len(e.Env) == 0 && e.Later() == 0 {
			t.Errorf("%s differs in nothing", e.Since)
		}
		for _, kv := range e.Env {
			if name, value, ok := strings.Cut(kv, "="); !ok || name == "" || value == "" {
				t.Errorf("%s: %q is no variable", e.Since, kv)
			}
		}
	}
	if len(known) > 0 {
		t.Errorf("missing: %v", known)
	}
	if n := len(Safe.Environments()); n != 0 {
		t.Errorf("the profile safe has %d", n)
	}
}
