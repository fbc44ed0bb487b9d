package judge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// Two definitions of one name both stay; the first is the one that explains.
func TestScopeKeepsDuplicates(t *testing.T) {
	r := &mcpsf.Report{Session: mcpsf.Session{Tools: []mcpsf.Tool{
		{Name: "t", Description: "Adds."}, {Name: "t", Description: "Sends."}, {Name: "t", Description: "Adds."}, {Name: "t", Description: "Deletes."},
	}}}
	got := map[string]string{}
	for name, tool := range scopeOf(r).Tools {
		got[name] = tool.Description
	}
	want := map[string]string{"t": "Adds.", "t (2)": "Sends.", "t (3)": "Deletes."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
