package obedient

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// readRule finds orders to read something private.
type readRule struct{ found *ledger }

// get: something private is to be read, and nothing is said of where it goes.
func (b *readRule) find(s *utterance, things []asset) bool {
	var wanted []asset
	read := s.imperatives("read", "does-read")
	if s.has("agent") || s.nearSecrecy || s.hidden {
		read = append(read, s.imperatives("pass")...)
	}
	read = slices.DeleteFunc(read, s.isGlance)
	passed := len(s.imperatives("pass")) > 0
	for _, t := range things {
		ok := t.kind == assetFile && (s.speaksToModel() || passed && len(s.imperatives("read")) > 0) || t.kind == assetOutput && shells(s) || t.kind == assetSecret && !t.weak && (s.speaksToModel() || s.mentionsVault()) && s.place.Part != InTool || t.kind == assetSecret && s.mentionsVault() && s.speaksToModel()
		if t.kind == assetSecret && len(s.imperatives("read", "call")) == 0 || trivial(s, t) {
			continue
		}
		if ok && (t.kind == assetOutput || slices.ContainsFunc(read, func(v promptscan.Sense) bool { return v.From < t.from || !s.english() })) {
			wanted = append(wanted, t)
		}
	}
	if len(wanted) == 0 || s.isSummary() && !s.speaksToModel() || s.harmlessScore() > 2 && !s.hidden {
		return false
	}
	o := found{Order: Order{Action: Read}, assets: wanted, via: -1}
	if wanted[0].kind == assetOutput {
		o.Action = Run
	}
	b.found.add(s, o)
	return true
}

// shells: the command is for the agent, and no advice to people.
func shells(s *utterance) bool {
	return s.near(0, len(s.Words), "terminal", "shell") || s.has("agent", "now") || s.nearSecrecy || s.hidden
}
