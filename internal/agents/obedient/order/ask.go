package order

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// askRule finds orders to ask the user for a secret.
type askRule struct {
	tools  *Resolver
	finder *finder
	found  *Ledger
}

// find adds an order if the user is to be asked for a secret, which then goes
// to the tool.
func (r *askRule) find(s *utterance) bool {
	if s.Place.Part == InTurn || !s.Has("user") {
		return false
	}
	ask := slices.ContainsFunc(s.Imperatives("ask"), func(m promptscan.Sense) bool { return s.Within(m.From, m.To+7, "user") })
	secret := s.Each("secret")
	if !ask || len(secret) == 0 || s.isSummary() {
		return false
	}
	m := secret[0]
	if s.IsNegated(m.From) || !s.Has("again") && len(s.Imperatives("pass")) == 0 {
		return false
	}
	o := Found{Order: Order{Action: Ask, What: s.Phrase(m)}, Via: -1, Retry: true, Value: strings.TrimSpace(s.Phrase(m))}
	if k, ok := r.finder.slot(s); ok {
		o.Sink = k
	} else if s.Tool >= 0 {
		o.Sink = sink{Channel: ViaTool, Tool: s.Tool}
		if p := r.tools.Profiles[s.Tool].Room(toolkit.Arguments{}); p != nil {
			o.Sink.Param = p.Name
		}
	} else {
		return false
	}
	if p := r.tools.Profiles[o.Sink.Tool].Named(o.Sink.Param); p == nil || secretName(p.Name) && !s.Failed {
		return false
	}
	r.found.add(s, o)
	return true
}
