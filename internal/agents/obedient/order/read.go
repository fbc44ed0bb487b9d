package order

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// readRule finds orders to read private data.
type readRule struct{ found *Ledger }

// find adds an order if private data is to be read and no destination is named.
func (r *readRule) find(s *utterance, assets []Asset) bool {
	var wanted []Asset
	read := s.Imperatives("read", "does-read")
	if s.Has("agent") || s.nearSecrecy || s.Hidden {
		read = append(read, s.Imperatives("pass")...)
	}
	read = slices.DeleteFunc(read, s.IsGlance)
	passed := len(s.Imperatives("pass")) > 0
	for _, t := range assets {
		ok := t.Kind == AssetFile && (s.speaksToModel() || passed && len(s.Imperatives("read")) > 0) || t.Kind == AssetOutput && shells(s) || t.Kind == AssetSecret && !t.weak && (s.speaksToModel() || s.mentionsVault()) && s.Place.Part != InTool || t.Kind == AssetSecret && s.mentionsVault() && s.speaksToModel()
		if t.Kind == AssetSecret && len(s.Imperatives("read", "call")) == 0 || trivial(s, t) {
			continue
		}
		if ok && (t.Kind == AssetOutput || slices.ContainsFunc(read, func(v promptscan.Sense) bool { return v.From < t.from || !s.English() })) {
			wanted = append(wanted, t)
		}
	}
	if len(wanted) == 0 || s.isSummary() && !s.speaksToModel() || s.harmlessScore() > 2 && !s.Hidden {
		return false
	}
	o := Found{Order: Order{Action: Read}, Assets: wanted, Via: -1}
	if wanted[0].Kind == AssetOutput {
		o.Action = Run
	}
	r.found.add(s, o)
	return true
}

// shells reports whether the command is for the agent and not advice to people.
func shells(s *utterance) bool {
	return s.Near(0, len(s.Words), "terminal", "shell") || s.Has("agent", "now") || s.nearSecrecy || s.Hidden
}
