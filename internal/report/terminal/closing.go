package terminal

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// maxAdvice bounds the recommendations shown.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxAdvice = 8

// closingPart writes what to do, and repeats the verdict.
type closingPart struct{ *page }

func (p closingPart) advice(list []string) {
	if len(list) == 0 {
		return
	}
	p.heading("WHAT TO DO", "")
	for i, s := range list {
		if i == maxAdvice {
			p.line(dim(fmt.Sprintf("  %s %d more in %s", p.ellipsis, len(list)-i, phrase.ReportFile)))
			return
		}
		p.paragraph(dim(fmt.Sprintf("%3d  ", i+1)), 5, roleText, s, 3)
	}
}

// closing repeats the verdict at the end, where it does not scroll away.
func (p closingPart) closing(r *mcpsf.Report, dir string) {
	v, c := r.Verdict, bandRole(r.Verdict.Band)
	facts := []string{summary.BandAndScore(&v)}
	if action, _, _ := strings.Cut(v.Action, ":"); action != "" {
		facts = append(facts, action)
	}
	facts = append(facts, wording.Plural(int64(len(r.Findings)), "finding"))
	if dir != "" {
		facts = append(facts, "report in "+dir)
	}
	p.line()
	p.hang(text(""), 0, c, p.wrap(p.chunks(facts), p.width, 6))
}
