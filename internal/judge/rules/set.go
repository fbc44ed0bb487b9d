package rules

import (
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// Scope is what a run declares.
type Scope = declared.Scope

// Rule is the description of a rule.
type Rule = rulefile.Rule

// Set is a compiled set of rules. It is immutable and safe for concurrent use.
type Set struct {
	rules []*rulefile.Compiled
	// leftOut are the ids of the rules that [Set.Only] removed.
	leftOut []string
}

// Covered returns the ids of the rules that a rule covers.
func (s *Set) Covered(id string) []string {
	if i := s.index(id); i >= 0 {
		return s.rules[i].Covered()
	}
	return nil
}

// Rules lists the rules in order of their ids.
func (s *Set) Rules() []Rule {
	out := make([]Rule, len(s.rules))
	for i, r := range s.rules {
		out[i] = r.Rule
	}
	return out
}
