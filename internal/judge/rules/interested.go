package rules

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/condition"
)

// maxSieves bounds the cached combinations. A run has a few hundred.
// no gap: bounds rules, findings and messages; the first ones of a rule are reported
const maxSieves = 10_000

// interested returns the rules whose conditions an event can meet.
func (p *pass) interested(e *mcpsf.Event) []*tally {
	s := condition.SieveOf(e, p.known.Run.Calls)
	list, known := p.bySieve[s]
	if known {
		return list
	}
	for _, t := range p.byKind[e.Kind] {
		if t.rule.Possible(s) {
			list = append(list, t)
		}
	}
	if len(p.bySieve) < maxSieves {
		p.bySieve[s] = list
	}
	return list
}
