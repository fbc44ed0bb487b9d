package rules

import (
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// CoverTrace is a finding that is not reported, and the one that is reported
// instead.
type CoverTrace struct{ Finding, By mcpsf.Finding }

// covered judges a run by a rule and the rules that may cover it.
func (s *Set) covered(r *rulefile.Compiled, events []mcpsf.Event, facts []mcpsf.Fact, scope Scope) []CoverTrace {
	set := &Set{rules: s.withCoverers(r)}
	if len(set.rules) == 1 {
		return nil
	}
	p := newPass(set, facts, scope)
	p.judge(events, facts)
	var out []CoverTrace
	for _, told := range p.reports() {
		if told.rule.ID == r.ID && told.by != nil {
			out = append(out, CoverTrace{p.finding(told), p.finding(told.root())})
		}
	}
	return out
}

// withCoverers returns a rule and all rules that cover it, directly or not.
func (s *Set) withCoverers(r *rulefile.Compiled) []*rulefile.Compiled {
	list := []*rulefile.Compiled{r}
	for i := 0; i < len(list); i++ {
		for _, other := range s.rules {
			if slices.Contains(other.Covered(), list[i].ID) && !slices.Contains(list, other) {
				list = append(list, other)
			}
		}
	}
	return list
}
