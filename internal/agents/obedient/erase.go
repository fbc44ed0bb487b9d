package obedient

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// eraseRule finds orders to delete a file.
type eraseRule struct {
	tools *resolver
	found *ledger
}

// erase: a file of the user's is to be deleted.
func (b *eraseRule) find(s *utterance) bool {
	verbs := slices.ContainsFunc(s.imperatives("danger", "call"), func(m promptscan.Sense) bool {
		return s.near(m.From, m.To, "delete", "remove", "wipe", "erase", "deleting", "removing", "wiping", "erasing", "unlink", "purge", "deletes", "removes", "losche", "elimina", "supprime", "удали", "删") || b.callsEraser(s, m)
	})
	if !verbs || s.isSummary() && !s.speaksToModel() || !s.speaksToModel() && b.tools.toolFor(s, s.imperatives("call", "danger")) < 0 {
		return false
	}
	for i, w := range s.Words {
		if w.Shape == promptscan.ShapePath && privateFile(s.literal(i)) && !s.negated(i, i+1) && !s.within(i-3, i, "example") {
			path := s.literal(i)
			b.found.add(s, found{Order: Order{Action: Call, What: path}, sink: sink{address: path}, via: -1, ability: canDelete})
			return true
		}
	}
	return false
}

// erases: the verb calls a tool that deletes.
func (b *eraseRule) callsEraser(s *utterance, v promptscan.Sense) bool {
	return slices.ContainsFunc(b.tools.mentionsIn(s, v.To, v.To+4), func(m mention) bool { return b.tools.profiles[m.tool].can(canDelete) })
}
