package schema

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// files puts files with the ending that a text wants.
type files struct{ *mender }

// endings returns the endings of files that a wish accepts, none if it is about
// something else.
func endings(w *mcpsf.Wish) []string {
	if w.Kind != mcpsf.WishFormat || w.Type != mcpsf.FormatSuffix {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(w.Accepted), func(e string) bool { return !extension.MatchString(e) })
}

// withEnding puts the next file with one of some endings: a tool may refuse the first
// for another reason. It returns false after the last.
func (m *files) withEnding(s *spot, accepted []string) bool {
	kind, own := m.generator().meaning(s.place)
	if _, text := s.value.(string); s.there && s.value != nil && !text || kind.Guarded() && kind != meaning.KindPath && kind != meaning.KindDir {
		return false
	}
	list := m.withEndings(s, own, accepted)
	refused, _ := find(m.before, s.path)
	next := 1 + slices.IndexFunc(list, func(p meaning.Proof) bool { return sameText(p.Value, refused) })
	return next < len(list) && m.keep(s, m.putFrom(s, list[next].Value, list[next].From))
}

// withEndings lists the files that a place may name, the likeliest first: one with which
// another tool worked, a sample where the tool reads, and one of ours that may be written.
func (m *files) withEndings(s *spot, own string, accepted []string) []meaning.Proof {
	v := m.maker.values
	var list []meaning.Proof
	add := func(p meaning.Proof) {
		if !slices.ContainsFunc(list, func(q meaning.Proof) bool { return sameText(p.Value, q.Value) }) {
			list = append(list, p)
		}
	}
	for _, p := range provenFor(m.mender, s) {
		if text, _ := p.Value.(string); slices.Contains(accepted, strings.ToLower(path.Ext(text))) {
			add(p)
		}
	}
	sampled := slices.Clone(accepted)
	slices.SortStableFunc(sampled, func(a, b string) int {
		return compareBool(v.Samples.WithEnding(a) != "", v.Samples.WithEnding(b) != "")
	})
	writes := trimmed(own) == trimmed(v.NewFile)
	if writes {
		add(meaning.Proof{Value: trimmed(v.NewFile) + sampled[0]})
	}
	if kind, _ := m.generator().meaning(s.place); kind != meaning.KindPath && kind != meaning.KindDir {
		add(meaning.Proof{Value: v.Name + sampled[0]})
	}
	for _, e := range sampled {
		if sample := v.Samples.WithEnding(e); sample != "" {
			add(meaning.Proof{Value: sample})
		}
	}
	add(meaning.Proof{Value: trimmed(v.NewFile) + sampled[0]})
	return list
}

// trimmed returns a path without its ending.
func trimmed(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

// compareBool sorts what is true first.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// lacksEnding reports whether a wish for endings can be about the value at a path: it
// names a file with another ending, the one that the text refuses if it says so.
func (m *files) lacksEnding(s *spot, w *mcpsf.Wish) bool {
	text, _ := s.value.(string)
	kind, _ := m.generator().meaning(s.place)
	has := strings.ToLower(path.Ext(text))
	switch {
	case slices.Contains(w.Accepted, has) || strings.Contains(text, "://"):
		return false
	case strings.HasPrefix(w.Value, "."):
		return has == strings.ToLower(w.Value)
	}
	return kind == meaning.KindPath || kind == meaning.KindDir || extension.MatchString(has)
}
