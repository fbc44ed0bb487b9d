package rules

import (
	"github.com/mcpsf/mcpsf"
)

// texts are what is remarkable in the texts of the server, by what they belong
// to.
type texts map[textOwner]map[string]bool

type textOwner struct{ of, name string }

// foresee collects them: one sentence is judged by the others beside it.
func (t texts) foresee(e *mcpsf.Event) {
	d := e.Text
	if d == nil {
		return
	}
	owner := textOwner{d.Of, textName(d)}
	if t[owner] == nil {
		t[owner] = map[string]bool{}
	}
	t[owner][string(d.What)] = true
}

func (t texts) says(of, name, what string) bool { return t[textOwner{of, name}][what] }

// textName is what a text belongs to; the server itself has no name there.
func textName(d *mcpsf.TextDetail) string {
	if d.Name == "" {
		return d.Of
	}
	return d.Name
}
