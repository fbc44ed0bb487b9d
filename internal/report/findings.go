package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// maxFindings bounds the findings shown; report.json has all of them.
const maxFindings = 30

// findingIndent is where the text below a finding's title begins.
const findingIndent = 12

func (p *page) findings(all []mcpsf.Finding) {
	if len(all) == 0 {
		return
	}
	groups := blocks(summary.MostSevereFirst(all))
	p.heading("FINDINGS", countedFindings(len(all), len(groups)))
	for i, b := range groups {
		if i == maxFindings {
			p.line(dim(fmt.Sprintf("%s %d more in %s", p.ellipsis, len(groups)-i, FileName)))
			return
		}
		if i > 0 {
			p.line()
		}
		p.finding(b)
	}
}

func (p *page) finding(b block) {
	f := b[0]
	p.findingTitle(f)
	message, others := b.told()
	p.paragraph(text(""), findingIndent, roleText, message, 4)
	p.others(others)
	p.facts("  evidence", findingIndent, p.evidence(b))
	p.explanation(f)
	p.opinion(f.Opinion)
	if f.Reproduce != "" {
		p.paragraph(dim("  reproduce"), findingIndent, roleText, readable(f.Reproduce), 6)
	}
	if f.Remediation != "" {
		p.paragraph(dim("  fix"), findingIndent, roleText, f.Remediation, 4)
	}
}

// explanation says what was considered in favour of the server, unless the
// finding's own words do.
func (p *page) explanation(f mcpsf.Finding) {
	if x := f.Explanation; x != nil && !strings.Contains(f.Message, x.Reason) {
		p.paragraph(dim("  context"), findingIndent, roleText, explainer(x.By)+": "+x.Reason, 3)
	}
}

// waived names the findings that the user decided not to count.
func (p *page) waived(all []mcpsf.Waived) {
	if len(all) == 0 {
		return
	}
	p.heading("WAIVED", fmt.Sprint(len(all)))
	for i, w := range all {
		if i == maxFindings {
			p.line(dim(fmt.Sprintf("%s %d more in %s", p.ellipsis, len(all)-i, FileName)))
			return
		}
		why := w.Reason
		if !w.Until.IsZero() {
			why += ", until " + w.Until.Add(-time.Second).Format(time.DateOnly) // which is the last day
		}
		p.paragraph(dim(p.dot+" "+strings.ToUpper(string(w.Finding.Severity))), findingIndent, roleText, w.Finding.ID+": "+w.Finding.Message, 3)
		p.paragraph(text(""), findingIndent, roleDim, why, 3)
	}
}

// readable is a request as people say it: the tool or prompt and its arguments,
// or the resource. The report in JSON has it as it is sent.
func readable(request string) string {
	var r struct {
		Method string `json:"method"`
		Params struct {
			Name      json.RawMessage `json:"name"` // stays escaped: a server chose it
			Arguments json.RawMessage `json:"arguments"`
			URI       json.RawMessage `json:"uri"`
		} `json:"params"`
	}
	if json.Unmarshal([]byte(request), &r) != nil {
		return request // also one that was cut
	}
	switch {
	case (r.Method == "tools/call" || r.Method == "prompts/get") && len(r.Params.Name) > 0:
		return wording.Joined(r.Method+" "+strings.Trim(string(r.Params.Name), `"`), string(r.Params.Arguments))
	case r.Method == "resources/read" && len(r.Params.URI) > 0:
		return r.Method + " " + string(r.Params.URI)
	}
	return request
}

// findingTitle puts the rule and the grade beside the title if there is room,
// and otherwise below it.
func (p *page) findingTitle(f mcpsf.Finding) {
	c := severityRole(f.Severity)
	head := []span{colored(c, p.bullet+" "), column(c, findingIndent-2, strings.ToUpper(string(f.Severity)))}
	rule := f.ID + " " + p.dot + " " + string(f.Grade)
	line := append(slices.Clone(head), strong(f.Title))
	if p.fits(line, []span{dim(rule)}) {
		p.between(line, []span{dim(rule)})
		return
	}
	for _, part := range p.wrap(strings.Fields(p.safe(f.Title)), p.width-findingIndent, 4) {
		p.line(append(head, strong(part))...)
		head = []span{column(roleText, findingIndent, "")}
	}
	p.paragraph(text(""), findingIndent, roleDim, rule, 2)
}

// maxSubjects bounds what one block lists.
const maxSubjects = 6

// others lists what else a finding's message holds for.
func (p *page) others(list []string) {
	if len(list) > 0 {
		p.paragraph(text(""), findingIndent, roleText, "The same holds for:", 1)
	}
	for i, s := range list {
		if i == maxSubjects {
			s = fmt.Sprintf("and %d more", len(list)-i)
		}
		head := dim(strings.Repeat(" ", findingIndent) + p.dot)
		p.paragraph(head, findingIndent+2, roleText, s, 3)
		if i == maxSubjects {
			return
		}
	}
}

// evidence says where to look: the events, the call, how often.
func (p *page) evidence(b block) []string {
	var parts []string
	if numbers := eventNumbers(b.evidence()); numbers != "" {
		parts = append(parts, numbers)
	}
	f, calls := b[0], b.calls()
	switch {
	case len(calls) > 1:
		parts = append(parts, wording.Joined("calls "+listed(calls, maxSubjects), of(f.Tool)))
	case len(calls) == 1:
		parts = append(parts, wording.Joined("call "+calls[0], of(f.Tool)))
	case len(b.places()) > 0:
		parts = append(parts, "read in "+listed(b.places(), maxSubjects))
	case f.Phase != "":
		parts = append(parts, "phase "+string(f.Phase))
	}
	if n := b.occurrences(); n > len(b) {
		parts = append(parts, fmt.Sprintf("seen %d times", n))
	}
	return parts
}

func of(tool string) string {
	if tool == "" {
		return ""
	}
	return "of " + tool
}

// maxEvidence bounds the event numbers named in one finding.
const maxEvidence = 6

func eventNumbers(seqs []int64) string {
	var numbers []string
	for _, seq := range seqs {
		numbers = append(numbers, fmt.Sprintf("#%d", seq))
	}
	return listed(numbers, maxEvidence)
}

// listed joins the first of a list and counts the rest.
func listed(list []string, limit int) string {
	if len(list) <= limit {
		return strings.Join(list, " ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:limit], " "), len(list)-limit)
}
