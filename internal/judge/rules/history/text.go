package history

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// Texts are the suspicious parts of the server's texts, by what they belong to.
type Texts map[textOwner]map[string]bool

type textOwner struct{ of, name string }

// foresee collects the texts: a sentence is judged with others of the same text.
func (t Texts) foresee(e *mcpsf.Event) {
	d := e.Text
	if d == nil {
		return
	}
	owner := textOwner{event.TextOf(d), event.TextName(d)}
	if t[owner] == nil {
		t[owner] = map[string]bool{}
	}
	t[owner][string(d.What)] = true
}

// Says tells whether the same tool, result or resource also has a text of that kind.
func (t Texts) Says(of, name, what string) bool { return t[textOwner{of, name}][what] }
