package terminal

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/report/digest"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// maxFindings bounds the findings shown; report.json has all of them.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxFindings = 30

// findingIndent is where the text below a finding's title begins.
const findingIndent = 12

// findingsPart writes the findings, the waived ones, and what a model suspects.
type findingsPart struct{ *page }

func (p findingsPart) findings(all []mcpsf.Finding) {
	if len(all) == 0 {
		return
	}
	groups := digest.Blocks(summary.MostSevereFirst(all))
	p.heading("FINDINGS", countedFindings(len(all), len(groups)))
	for i, b := range groups {
		if i == maxFindings {
			p.line(dim(fmt.Sprintf("%s %d more in %s", p.ellipsis, len(groups)-i, phrase.ReportFile)))
			return
		}
		if i > 0 {
			p.line()
		}
		p.finding(b)
	}
}

func (p findingsPart) finding(b digest.Block) {
	f := b[0]
	p.findingTitle(f)
	message, others := b.Told()
	p.paragraph(text(""), findingIndent, roleText, message, 4)
	p.others(others)
	p.facts("  evidence", findingIndent, p.evidence(b))
	p.explanation(f)
	p.opinion(f.Opinion)
	if f.Reproduce != "" {
		p.paragraph(dim("  reproduce"), findingIndent, roleText, phrase.Request(f.Reproduce), 6)
	}
	p.fix(summary.Advice(b))
}

// fix writes each line of the advice as a paragraph of its own.
func (p findingsPart) fix(advice string) {
	head := dim("  fix")
	for line := range strings.SplitSeq(advice, "\n") {
		if line == "" {
			continue
		}
		p.paragraph(head, findingIndent, roleText, line, 4)
		head = text("")
	}
}

// explanation says what speaks for the server, unless the finding's message
// does.
func (p findingsPart) explanation(f mcpsf.Finding) {
	if x := f.Explanation; x != nil && !strings.Contains(f.Message, x.Reason) {
		p.paragraph(dim("  context"), findingIndent, roleText, explainer(x.By)+": "+x.Reason, 3)
	}
}

// waived lists the findings that the user waived.
func (p findingsPart) waived(all []mcpsf.Waived) {
	if len(all) == 0 {
		return
	}
	p.heading("WAIVED", fmt.Sprint(len(all)))
	for i, w := range all {
		if i == maxFindings {
			p.line(dim(fmt.Sprintf("%s %d more in %s", p.ellipsis, len(all)-i, phrase.ReportFile)))
			return
		}
		why := w.Reason
		if !w.Until.IsZero() {
			why += ", until " + w.Until.Add(-time.Second).Format(time.DateOnly) // the last day
		}
		p.paragraph(dim(p.dot+" "+strings.ToUpper(string(w.Finding.Severity))), findingIndent, roleText, w.Finding.ID+": "+w.Finding.Message, 3)
		p.paragraph(text(""), findingIndent, roleDim, why, 3)
	}
}

// findingTitle writes the rule and the grade beside the title if there is room,
// else below it.
func (p findingsPart) findingTitle(f mcpsf.Finding) {
	c := severityRole(f.Severity)
	head := []span{colored(c, p.bullet+" "), column(c, findingIndent-2, strings.ToUpper(string(f.Severity)))}
	rule := f.ID + " " + p.dot + " " + string(f.Grade)
	title := summary.Title(&f)
	line := append(slices.Clone(head), strong(title))
	if p.fits(line, []span{dim(rule)}) {
		p.between(line, []span{dim(rule)})
		return
	}
	for _, part := range p.wrap(strings.Fields(p.safe(title)), p.width-findingIndent, 4) {
		p.line(append(head, strong(part))...)
		head = []span{column(roleText, findingIndent, "")}
	}
	p.paragraph(text(""), findingIndent, roleDim, rule, 2)
}

// others lists what else a finding's message applies to.
func (p findingsPart) others(list []string) {
	if len(list) > 0 {
		p.paragraph(text(""), findingIndent, roleText, "The same holds for:", 1)
	}
	for i, s := range list {
		if i == phrase.MaxSubjects {
			s = fmt.Sprintf("and %d more", len(list)-i)
		}
		head := dim(strings.Repeat(" ", findingIndent) + p.dot)
		p.paragraph(head, findingIndent+2, roleText, s, 3)
		if i == phrase.MaxSubjects {
			return
		}
	}
}

// evidence says where to look: the events, the call, how often.
func (p findingsPart) evidence(b digest.Block) []string {
	var parts []string
	if numbers := phrase.EventNumbers(b.Evidence()); numbers != "" {
		parts = append(parts, numbers)
	}
	f, calls := b[0], b.Calls()
	switch {
	case len(calls) > 1:
		parts = append(parts, wording.Joined("calls "+phrase.Listed(calls, phrase.MaxSubjects), phrase.OfTool(f.Tool)))
	case len(calls) == 1:
		parts = append(parts, wording.Joined("call "+calls[0], phrase.OfTool(f.Tool)))
	case len(b.Places()) > 0:
		parts = append(parts, "read in "+phrase.Listed(b.Places(), phrase.MaxSubjects))
	case f.Phase != "":
		parts = append(parts, "phase "+string(f.Phase))
	}
	if n := b.Occurrences(); n > len(b) {
		parts = append(parts, fmt.Sprintf("seen %d times", n))
	}
	return parts
}
