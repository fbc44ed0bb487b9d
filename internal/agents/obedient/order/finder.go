package order

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
)

// finder finds the private data that a sentence mentions, and where it is to
// go.
type finder struct {
	tools   *Resolver
	aliases *aliases
	last    *recent
}

// assets finds the private data that the sentence mentions.
func (f *finder) assets(s *utterance) []Asset {
	out := commandsIn(s)
	files := fileFinder{s}.find(out)
	out = append(out, files...)
	if len(files) == 0 && len(out) == 0 {
		out = append(out, fileFinder{s}.findWellKnown()...)
	}
	out = append(out, secretFinder{s}.find(len(out) > 0)...)
	out = append(out, f.told(s)...)
	out = append(out, chatFinder{s}.find()...)
	out = append(out, chatFinder{s}.findContext()...)
	out = append(out, f.aliases.assets(s)...)
	aim := aimEnd(s)
	out = slices.DeleteFunc(out, func(t Asset) bool { return t.from < aim || denied(s, t) || t.from < len(s.Words) && s.IsCited(t.from) })
	return out[:min(len(out), 8)]
}

// told is the secret that a secret-returning tool would return.
func (f *finder) told(s *utterance) []Asset {
	for _, m := range f.tools.mentionsIn(s, 0, len(s.Words)) {
		if m.tool != s.Tool && f.tools.Profiles[m.tool].Can(toolkit.CanTellSecrets) && !s.Within(m.from-4, m.to+3, "results") && !s.IsNegated(m.from) && !s.when.Covers(m.from) {
			return []Asset{{Kind: AssetSecret, from: m.from, to: m.to, weak: !s.nearby(1, "secret", "vault", "entries"), indirect: true}}
		}
	}
	return nil
}

// denied reports whether the sentence says that the asset is not wanted: "the
// private one is never needed", "leave out what the user said".
func denied(s *utterance, t Asset) bool {
	if s.Within(t.from-3, t.from, "asks") && s.Near(t.from-2, t.from, "for") && !s.Hidden {
		return true // others ask for it
	}
	for _, o := range s.Each("omits") {
		if s.Demand == 0 && o.To <= t.from && t.from-o.To < 9 && !s.nearSecrecy || o.From < t.from && t.to < o.To {
			return true
		}
	}
	for _, n := range s.Negations() {
		if s.IsPreposition(n) {
			continue
		}
		if n.From >= t.to && n.From-t.to < 6 && s.NearSet(n.To, n.To+3, words().Secrets.NotNeeded) {
			return true
		}
	}
	return false
}

// aimEnd is where an introductory "to do this or that," ends.
func aimEnd(s *utterance) int {
	if len(s.Words) == 0 || !slices.Contains([]string{"to", "um", "pour", "para", "чтобы"}, s.Words[0].Text) {
		return 0
	}
	for i := 1; i < len(s.Words); i++ {
		if s.Words[i].Lead {
			return i
		}
	}
	return 0
}

// untouched reports whether a "not" follows the asset: "the private one is never
// needed", "it is not part of it".
func untouched(s *utterance, t Asset) bool {
	for _, n := range s.Negations() {
		if n.From >= t.to && n.From-t.to < 3 && !s.Parted(t.to, n.From) && s.NearSet(t.to, n.From, words().Secrets.BeforeNot) {
			return true
		}
	}
	return false
}
