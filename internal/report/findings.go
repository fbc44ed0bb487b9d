package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// maxFindings bounds the findings shown; report.json has all of them.
const maxFindings = 30

// findingIndent is where the text below a finding's title begins.
const findingIndent = 12

func (p *page) findings(all []mcpsf.Finding) {
	if len(all) == 0 {
		return
	}
	p.heading("FINDINGS", fmt.Sprint(len(all)))
	for i, f := range gravestFirst(all) {
		if i == maxFindings {
			p.line(dim(fmt.Sprintf("%s %d more in %s", p.ellipsis, len(all)-i, FileName)))
			return
		}
		if i > 0 {
			p.line()
		}
		p.finding(f)
	}
}

func (p *page) finding(f mcpsf.Finding) {
	c := severityRole(f.Severity)
	right := []span{dim(f.ID + " " + p.dot + " " + string(f.Grade))}
	if p.measure(right) > p.width/2 {
		right = []span{dim(p.cut(f.ID, p.width/2))}
	}
	p.between([]span{
		colored(c, p.bullet+" "),
		column(c, findingIndent-2, strings.ToUpper(string(f.Severity))),
		strong(f.Title),
	}, right)
	p.paragraph(text(""), findingIndent, roleText, f.Message, 4)
	p.facts("  evidence", findingIndent, p.evidence(f))
	if f.Reproduce != "" {
		p.paragraph(dim("  reproduce"), findingIndent, roleText, f.Reproduce, 2)
	}
	if f.Remediation != "" {
		p.paragraph(dim("  fix"), findingIndent, roleText, f.Remediation, 3)
	}
}

// evidence says where to look: the events, the call, how often.
func (p *page) evidence(f mcpsf.Finding) []string {
	var parts []string
	if numbers := eventNumbers(f.Evidence); numbers != "" {
		parts = append(parts, numbers)
	}
	switch {
	case f.Call != "" && f.Tool != "":
		parts = append(parts, "call "+f.Call+" of "+f.Tool)
	case f.Call != "":
		parts = append(parts, "call "+f.Call)
	case f.Phase != "":
		parts = append(parts, "phase "+string(f.Phase))
	}
	if f.Occurrences > 1 {
		parts = append(parts, fmt.Sprintf("seen %d times", f.Occurrences))
	}
	return parts
}

// maxEvidence bounds the event numbers named in one finding.
const maxEvidence = 6

func eventNumbers(seqs []int64) string {
	var numbers []string
	for i, seq := range seqs {
		if i == maxEvidence {
			numbers = append(numbers, fmt.Sprintf("and %d more", len(seqs)-i))
			break
		}
		numbers = append(numbers, fmt.Sprintf("#%d", seq))
	}
	return strings.Join(numbers, " ")
}

// gravestFirst returns the findings by severity, then by grade; those that are
// equal stay in the order of the rules.
func gravestFirst(all []mcpsf.Finding) []mcpsf.Finding {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b mcpsf.Finding) int {
		return cmp.Or(
			cmp.Compare(severityRank(b.Severity), severityRank(a.Severity)),
			cmp.Compare(gradeRank(b.Grade), gradeRank(a.Grade)),
		)
	})
	return sorted
}

func severityRank(s mcpsf.Severity) int {
	return slices.Index([]mcpsf.Severity{
		mcpsf.SeverityInfo, mcpsf.SeverityLow, mcpsf.SeverityMedium, mcpsf.SeverityHigh, mcpsf.SeverityCritical,
	}, s)
}

func gradeRank(g mcpsf.Grade) int {
	return slices.Index([]mcpsf.Grade{mcpsf.GradeSuspected, mcpsf.GradeAttempted, mcpsf.GradeProved}, g)
}
