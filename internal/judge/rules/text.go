package rules

import (
	"regexp"

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

// ownWords tells whether what the server answers can be nobody's but its own:
// the files it sees are ours, and so are all the hosts that have answered it.
func (r *run) ownWords() bool { return r.box > 0 && !r.reached }

// offline finds the promise of a tool that nothing leaves the machine.
var offline = regexp.MustCompile(`(?i)\bworks? (?:fully |entirely |completely |purely )?offline\b|\boffline only\b|\b(?:fully|entirely|completely|100%) (?:local|offline)\b` +
	`|\bnothing (?:is (?:stored or |ever |logged or )?(?:sent|uploaded|transmitted)|(?:ever )?leaves|gets sent)\b` +
	`|\b(?:never|not) (?:leaves?|leave|sent|uploaded|transmitted|sends? anything|uploads? anything)\b|\bwithout (?:any )?(?:network|internet)\b` +
	`|\bno (?:data|network|internet|text|input)\b[^.]{0,24}\b(?:leaves|is sent|is needed|is used|needed|required|access)\b|\bstays? on (?:this|your|the) (?:machine|computer|device)\b`)

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
	if d.What == mcpsf.TextImage {
		f.Host = addressHost(d.Target)
		f.Domain = registrable(f.Host)
	}
}

// holder says in words what a text belongs to.
func holder(f *fields) string {
	switch f.Of {
	case "":
		return ""
	case "server":
		return "the server instructions"
	case "result":
		return "a result of " + toolName(f.Subject)
	case "request":
		return "a request of the server (" + plain(f.Subject) + ")"
	}
	return "the " + plain(f.Of) + " " + toolName(f.Subject)
}
