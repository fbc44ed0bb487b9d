package assess

import (
	"slices"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// sessionOf returns a session with calls.
func sessionOf(calls ...string) *mcpsf.Session {
	s := &mcpsf.Session{Initialized: true, Tools: []mcpsf.Tool{{Name: "a"}}, Closed: "crashed"}
	for _, id := range calls {
		s.Calls = append(s.Calls, mcpsf.Call{ID: id})
	}
	return s
}

// What goes on with a session is part of it: the first lists count, and the last end.
func TestJoinedSessions(t *testing.T) {
	first, next := sessionOf("c1", "c2"), sessionOf("c3")
	next.Tools, next.Prompts, next.Closed = []mcpsf.Tool{{Name: "b"}}, []mcpsf.Prompt{{Name: "p"}}, "orderly"
	first.Irregularities, next.Irregularities = []string{"x"}, []string{"x", "y"}
	got := joined(first, next)
	if len(got.Calls) != 3 || got.Tools[0].Name != "a" || len(got.Prompts) != 1 || got.Closed != "orderly" || len(got.Irregularities) != 2 {
		t.Errorf("%+v", got)
	}
	if len(first.Calls) != 2 || first.Closed != "crashed" {
		t.Errorf("the first session was changed: %+v", first)
	}
}

// Only the gaps that the last start recorded are taken back.
func TestTakeBack(t *testing.T) {
	earlier, last, other := gap.New(gap.CallsNotRepeated, 8, 3), gap.New(gap.CallsNotRepeated, 8, 5), gap.New(gap.ListPages, 1000, 0)
	l := &ledger{gaps: []mcpsf.Gap{earlier, other, last, other}}
	l.takeBack(gap.CallsNotRepeated, []mcpsf.Gap{last, other})
	if want := []mcpsf.Gap{earlier, other, other}; !slices.Equal(l.gaps, want) {
		t.Errorf("%v", l.gaps)
	}
}
