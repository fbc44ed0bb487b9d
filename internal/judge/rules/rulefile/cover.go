package rulefile

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/condition"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// maxCovers bounds the entries of covers in one rule.
// no gap: bounds a rule that its author wrote; more is an error
const maxCovers = 16

// coverDocument is an entry of covers in the rule file.
type coverDocument struct {
	Rules []string `yaml:"rules"`
	Same  []string `yaml:"same"`
	When  string   `yaml:"when"`
}

// Cover names rules that detect the same root cause as this one. If both hit the
// same thing, only this rule's finding is reported.
type Cover struct {
	Rules []string
	// Same are the fields, of [event.SameFields], in which the hits of both
	// rules must be equal.
	Same []string
	// When selects the hits of this rule that cover others. Its Tree is nil if
	// all do.
	When condition.Condition
}

// Conditional tells whether only some hits of the rule cover others.
func (c *Cover) Conditional() bool { return c.When.Tree != nil }

// covers checks and compiles the entries.
func (p *parser) covers(doc *document) []Cover {
	if len(doc.Covers) > maxCovers {
		p.problem(p.at("covers"), "covers: there are %d entries, at most %d are allowed", len(doc.Covers), maxCovers)
		return nil
	}
	var out []Cover
	for i, d := range doc.Covers {
		at := item(p.keys["covers"], i)
		here := line(at, p.keys["covers"])
		if len(d.Rules) == 0 || len(d.Same) == 0 {
			p.problem(here, "covers: rules and same are needed: which rules, and what both are about")
		}
		for _, id := range d.Rules {
			if !kebab.MatchString(id) || id == doc.ID {
				p.problem(here, "covers: %q must be the id of another rule", id)
			}
		}
		for _, name := range d.Same {
			if !slices.Contains(event.SameFields(), name) {
				p.problem(here, "covers: same: %q must be one of %s", name, strings.Join(event.SameFields(), ", "))
			}
		}
		if doc.Facts != nil {
			p.problem(here, "covers: a rule about facts has no event to compare")
		}
		out = append(out, Cover{d.Rules, d.Same, p.compile(d.When, member(at, "when"), nil)})
	}
	return out
}

// OutrankedBy says why the finding of r must not replace that of other, "" if it
// may. A more severe, more certain or heavier finding is never left out, and a
// weakness never covers an attack: it answers another question.
func (r *Compiled) OutrankedBy(other *Compiled) string {
	own, _ := SeverityRank(r.Severity)
	others, _ := SeverityRank(other.Severity)
	switch {
	case own < others:
		return "is more severe"
	case GradeRank(r.Grade) < GradeRank(other.Grade):
		return "is more certain"
	case r.Weight < other.Weight:
		return "weighs more"
	case r.Category == mcpsf.CategoryWeakness && other.Category != mcpsf.CategoryWeakness:
		return "answers a graver question"
	}
	return ""
}

// Covered returns the ids of the rules that r covers.
func (r *Compiled) Covered() []string {
	var ids []string
	for _, c := range r.Covers {
		ids = append(ids, c.Rules...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
