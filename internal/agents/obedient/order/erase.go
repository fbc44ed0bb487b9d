package order

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/userfile"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// eraseRule finds orders to delete a file.
type eraseRule struct {
	tools *Resolver
	found *Ledger
}

// find adds an order if a file of the user is to be deleted.
func (r *eraseRule) find(s *utterance) bool {
	verbs := slices.ContainsFunc(s.Imperatives("danger", "call"), func(m promptscan.Sense) bool {
		return s.NearSet(m.From, m.To, words().Verbs.Erasing) || r.callsEraser(s, m)
	})
	if !verbs || s.isSummary() && !s.speaksToModel() || !s.speaksToModel() && r.tools.toolFor(s, s.Imperatives("call", "danger")) < 0 {
		return false
	}
	for i, w := range s.Words {
		if w.Shape == promptscan.ShapePath && userfile.Private(s.Literal(i)) && !s.IsNegated(i) && !s.Within(i-3, i, "example") {
			path := s.Literal(i)
			r.found.add(s, Found{Order: Order{Action: Call, What: path}, Sink: sink{Address: path}, Via: -1, Ability: toolkit.CanDelete})
			return true
		}
	}
	return false
}

// callsEraser reports whether the verb calls a tool that deletes.
func (r *eraseRule) callsEraser(s *utterance, v promptscan.Sense) bool {
	return slices.ContainsFunc(r.tools.mentionsIn(s, v.To, v.To+4), func(m mention) bool { return r.tools.Profiles[m.tool].Can(toolkit.CanDelete) })
}
