package rules

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// findings turns the groups into findings, most severe first. Covered findings
// are left out.
func (p *pass) findings() []mcpsf.Finding {
	var out []mcpsf.Finding
	for _, r := range p.reports() {
		if r.by == nil {
			out = append(out, p.finding(r))
		}
	}
	slices.SortStableFunc(out, compareFindings)
	return out
}

func compareFindings(a, b mcpsf.Finding) int {
	ra, _ := rulefile.SeverityRank(a.Severity)
	rb, _ := rulefile.SeverityRank(b.Severity)
	return cmp.Or(
		cmp.Compare(rb, ra),
		strings.Compare(a.ID, b.ID),
		strings.Compare(a.Tool, b.Tool),
		cmp.Compare(firstOf(a), firstOf(b)),
	)
}

// firstOf returns the first event of a finding, 0 if it is about a file of the
// package.
func firstOf(f mcpsf.Finding) int64 {
	if len(f.Evidence) == 0 {
		return 0
	}
	return f.Evidence[0]
}

func (p *pass) finding(told *report) mcpsf.Finding {
	r, g := told.rule, told.group
	return mcpsf.Finding{
		ID: r.ID, Title: r.Title, Category: r.Category, Severity: r.Severity, Grade: r.Grade, Weight: r.Weight,
		Message:     g.told(r.Message, p.home),
		Evidence:    append([]int64{}, told.evidence()...), // never null: a fact has no events
		Occurrences: g.occurrences,
		Phase:       g.firstPhase,
		Call:        g.first.Call,
		Tool:        g.first.Tool,
		File:        quote.Cut(g.file, lex.MaxPath),
		Line:        g.line,
		Package:     quote.Cut(g.purl, lex.MaxPath),
		Advisories:  g.advisories,
		Explanation: g.access,
		Reproduce:   reproduce(g),
		Remediation: g.advised(r.Advice, p.home),
		Maps:        r.Maps,
		Fingerprint: fingerprint(r.ID, g.key),
	}
}

func fingerprint(id, key string) string {
	sum := sha256.Sum256([]byte(id + "\x00" + key))
	return hex.EncodeToString(sum[:])[:16]
}
