package rules

import "github.com/mcpsf/mcpsf"

// texts are what is remarkable in the texts of the server, by what they belong
// to.
type texts map[textOwner]map[string]bool

type textOwner struct{ of, name string }

// foresee collects them: one sentence is judged by the others beside it.
func (t texts) foresee(events []mcpsf.Event) {
	for i := range events {
		d := events[i].Text
		if d == nil {
			continue
		}
		owner := textOwner{d.Of, textName(d)}
		if t[owner] == nil {
			t[owner] = map[string]bool{}
		}
		t[owner][string(d.What)] = true
	}
}

func (t texts) says(of, name, what string) bool { return t[textOwner{of, name}][what] }

// textName is what a text belongs to; the server itself has no name there.
func textName(d *mcpsf.TextDetail) string {
	if d.Name == "" {
		return d.Of
	}
	return d.Name
}

func (f *fields) fillText(d *mcpsf.TextDetail) {
	f.What, f.Of, f.Part, f.Detail, f.To = string(d.What), d.Of, d.Field, d.Excerpt, d.Target
	f.Subject = textName(d)
	if d.Of == "tool" {
		f.Tool = d.Name
	}
}

// holder says in words what a text belongs to.
func holder(f *fields) string {
	switch f.Of {
	case "":
		return ""
	case "server":
		return "what the server says of itself"
	case "result":
		return "a result of " + quote(f.Subject)
	case "request":
		return "what the server asks of the client (" + plain(f.Subject) + ")"
	}
	return "the " + plain(f.Of) + " " + quote(f.Subject)
}
