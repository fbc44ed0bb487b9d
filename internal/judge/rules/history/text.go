package history

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// Texts are what is remarkable in the texts of the server, by what they belong
// to.
type Texts map[textOwner]map[string]bool

type textOwner struct{ of, name string }

// foresee collects them: one sentence is judged by the others beside it.
func (t Texts) foresee(e *mcpsf.Event) {
	d := e.Text
	if d == nil {
		return
	}
	owner := textOwner{d.Of, event.TextName(d)}
	if t[owner] == nil {
		t[owner] = map[string]bool{}
	}
	t[owner][string(d.What)] = true
}

// Says tells whether the texts of the same thing have that, too.
func (t Texts) Says(of, name, what string) bool { return t[textOwner{of, name}][what] }
