package obedient

import "slices"

// finder finds what a sentence wants to be had, and where that is to go.
type finder struct {
	tools   *resolver
	aliases *aliases
	last    *recent
}

// things finds what the sentence wants to be had.
func (b *finder) assets(s *utterance) []asset {
	out := commandsIn(s)
	files := fileFinder{s}.find(out)
	out = append(out, files...)
	if len(files) == 0 && len(out) == 0 {
		out = append(out, fileFinder{s}.findWellKnown()...)
	}
	out = append(out, secretFinder{s}.find(len(out) > 0)...)
	out = append(out, b.told(s)...)
	out = append(out, chatFinder{s}.find()...)
	out = append(out, chatFinder{s}.findContext()...)
	out = append(out, b.aliases.assets(s)...)
	aim := aimEnd(s)
	out = slices.DeleteFunc(out, func(t asset) bool { return t.from < aim || denied(s, t) || t.from < len(s.Words) && s.isCited(t.from) })
	return out[:min(len(out), 8)]
}

// told is what a tool that gives secrets would tell.
func (b *finder) told(s *utterance) []asset {
	for _, m := range b.tools.mentionsIn(s, 0, len(s.Words)) {
		if m.tool != s.tool && b.tools.profiles[m.tool].can(canTellSecrets) && !s.within(m.from-4, m.to+3, "results") && !s.negated(m.from, m.to) && !s.when.covers(m.from) {
			return []asset{{kind: assetSecret, from: m.from, to: m.to, weak: !s.nearby(1, "secret", "vault", "entries"), indirect: true}}
		}
	}
	return nil
}

// denied: "the private one is never needed", "leave out what the user said".
func denied(s *utterance, t asset) bool {
	if s.within(t.from-3, t.from, "asks") && s.near(t.from-2, t.from, "for") && !s.hidden {
		return true // others ask for it
	}
	for _, o := range s.each("omits") {
		if s.demand == 0 && o.To <= t.from && t.from-o.To < 9 && !s.nearSecrecy || o.From < t.from && t.to < o.To {
			return true
		}
	}
	for _, n := range s.each("not") {
		if s.isPreposition(n) {
			continue
		}
		if n.From >= t.to && n.From-t.to < 6 && s.near(n.To, n.To+3, "needed", "required", "necessary", "sent", "used", "read", "included", "stored", "logged", "shared", "touched", "leave", "leaves", "belong", "asked", "wanted") {
			return true
		}
	}
	return false
}

// aimEnd is where "to do this or that," ends at the beginning of a sentence.
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

// untouched: "the private one is never needed", "it is not part of it".
func untouched(s *utterance, t asset) bool {
	for _, n := range s.each("not") {
		if n.From >= t.to && n.From-t.to < 3 && !s.parted(t.to, n.From) && s.near(t.to, n.From, "is", "are", "must", "should", "will", "shall", "itself", "does", "do", "can", "ist", "sind", "wird", "es", "est", "не") {
			return true
		}
	}
	return false
}
