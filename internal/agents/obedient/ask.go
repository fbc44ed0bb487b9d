package obedient

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// askRule finds orders to ask the user for a secret.
type askRule struct {
	tools  *resolver
	finder *finder
	found  *ledger
}

// request: the user is to be asked for a secret that then goes to the tool.
func (b *askRule) find(s *utterance) bool {
	if s.place.Part == InTurn || !s.has("user") {
		return false
	}
	ask := slices.ContainsFunc(s.imperatives("ask"), func(m promptscan.Sense) bool { return s.within(m.From, m.To+7, "user") })
	secret := s.each("secret")
	if !ask || len(secret) == 0 || s.isSummary() {
		return false
	}
	m := secret[0]
	if s.negated(m.From, m.To) || !s.has("again") && len(s.imperatives("pass")) == 0 {
		return false
	}
	o := found{Order: Order{Action: Ask, What: s.phrase(m)}, via: -1, retry: true, value: strings.TrimSpace(s.phrase(m))}
	if k, ok := b.finder.slot(s); ok {
		o.sink = k
	} else if s.tool >= 0 {
		o.sink = sink{channel: viaTool, tool: s.tool}
		if p := b.tools.profiles[s.tool].room(arguments{}); p != nil {
			o.sink.param = p.name
		}
	} else {
		return false
	}
	if p := b.tools.profiles[o.sink.tool].named(o.sink.param); p == nil || secretName(p.name) && !s.failed {
		return false
	}
	b.found.add(s, o)
	return true
}
