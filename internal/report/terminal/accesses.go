package terminal

import (
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
)

// Columns of the table of accesses.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	accessIndent = 11
	maxAccesses  = 400
)

// accessesPart writes what the server used.
type accessesPart struct{ *page }

// accesses lists what the server used, by tool, each with what explains it, or
// that nothing does.
func (p accessesPart) accesses(all []mcpsf.Access) {
	if len(all) == 0 {
		return
	}
	p.heading("ACCESSES", fmt.Sprint(len(all)))
	group := "-"
	for i, a := range all {
		if i == maxAccesses {
			p.line(dim(fmt.Sprintf("%s %d more in %s", p.ellipsis, len(all)-i, phrase.ReportFile)))
			return
		}
		if who := accessor(a); who != group {
			if group = who; i > 0 {
				p.line()
			}
			p.line(strong(who))
		}
		p.access(a)
	}
}

// accessor says what the access was made for.
func accessor(a mcpsf.Access) string {
	switch {
	case a.Phase == mcpsf.PhaseInstall:
		return "installation"
	case a.Tool == "":
		return "start, handshake and listings"
	}
	return a.Tool
}

func (p accessesPart) access(a mcpsf.Access) {
	what := a.Name
	if a.Planted != "" {
		what += " (planted " + a.Planted + ")"
	}
	if a.Count > 1 {
		what += fmt.Sprintf(" %s%d", p.times, a.Count)
	}
	mark, c := p.dot, roleText
	if a.Explanation.By == mcpsf.ByNobody {
		mark, c = p.bullet, roleMedium
	}
	p.paragraph(colored(c, mark+" "+string(a.Kind)), accessIndent, roleText, what, 2)
	p.paragraph(text(""), accessIndent+2, roleDim, explainer(a.Explanation.By)+": "+a.Explanation.Reason, 2)
}

// explainer says what explains an access.
func explainer(by mcpsf.Explainer) string {
	if by == mcpsf.ByNobody {
		return "unexplained"
	}
	return "explained by " + string(by)
}
