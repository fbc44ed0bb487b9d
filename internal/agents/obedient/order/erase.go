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

// erase: a file of the user's is to be deleted.
func (b *eraseRule) find(s *utterance) bool {
	verbs := slices.ContainsFunc(s.Imperatives("danger", "call"), func(m promptscan.Sense) bool {
		return s.Near(m.From, m.To, "delete", "remove", "wipe", "erase", "deleting", "removing", "wiping", "erasing", "unlink", "purge", "deletes", "removes", "losche", "elimina", "supprime", "удали", "删") || b.callsEraser(s, m)
	})
	if !verbs || s.isSummary() && !s.speaksToModel() || !s.speaksToModel() && b.tools.toolFor(s, s.Imperatives("call", "danger")) < 0 {
		return false
	}
	for i, w := range s.Words {
		if w.Shape == promptscan.ShapePath && userfile.Private(s.Literal(i)) && !s.IsNegated(i, i+1) && !s.Within(i-3, i, "example") {
			path := s.Literal(i)
			b.found.add(s, Found{Order: Order{Action: Call, What: path}, Sink: sink{Address: path}, Via: -1, Ability: toolkit.CanDelete})
			return true
		}
	}
	return false
}

// erases: the verb calls a tool that deletes.
func (b *eraseRule) callsEraser(s *utterance, v promptscan.Sense) bool {
	return slices.ContainsFunc(b.tools.mentionsIn(s, v.To, v.To+4), func(m mention) bool { return b.tools.Profiles[m.tool].Can(toolkit.CanDelete) })
}
