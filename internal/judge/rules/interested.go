package rules

import "github.com/mcpsf/mcpsf"

// maxSieves bounds the combinations that are remembered. A run has a few
// hundred.
const maxSieves = 10_000

// interested are the rules that can have something to say about an event.
func (p *pass) interested(e *mcpsf.Event) []*tally {
	s := sieveOf(e, p.known.run.calls)
	list, known := p.bySieve[s]
	if known {
		return list
	}
	for _, t := range p.byKind[e.Kind] {
		if t.rule.possible(s) {
			list = append(list, t)
		}
	}
	if len(p.bySieve) < maxSieves {
		p.bySieve[s] = list
	}
	return list
}
