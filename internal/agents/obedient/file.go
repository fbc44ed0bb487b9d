package obedient

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// fileFinder finds files in a sentence.
type fileFinder struct{ *utterance }

// files are paths whose content is meant.
func (s fileFinder) find(commands []asset) []asset {
	var out []asset
	for i, w := range s.Words {
		if slices.ContainsFunc(commands, func(c asset) bool { return c.from <= i && i < c.to }) {
			continue
		}
		if path := s.path(i, w); privateFile(path) && !s.onlyPlace(i) && !s.negated(i, i+1) {
			out = append(out, asset{kind: assetFile, name: path, from: i, to: i + 1})
		}
	}
	return out
}

// path is a word that is one, "" if it is none: below the home it may begin
// with the name of a folder.
func (s fileFinder) path(i int, w promptscan.Word) string {
	if w.Shape == promptscan.ShapePath {
		return s.literal(i)
	}
	if w.Shape != promptscan.ShapeWord || w.Start < 0 || w.End >= len(s.source) || strings.IndexByte("/.-", s.source[w.End]) < 0 {
		return ""
	}
	if p := pathAround(s.source, w.Start); strings.Contains(p, "/") && namedLikeSecret(p) {
		return p
	}
	return ""
}

// onlyPlace: the path is a place or an example, its content is not meant.
func (s fileFinder) onlyPlace(i int) bool {
	if s.near(i-1, i, "of", "in") && s.near(i-2, i-1, "section", "profile", "entry", "stanza", "host", "context", "block") && !s.within(i-4, i, "content") {
		return true
	}
	if s.within(i-3, i, "example") || s.within(i-4, i, "public-key") || s.within(i-4, i, "path-of") && !s.within(i-4, i, "content") {
		return true
	}
	switch {
	case i == 0:
		return false
	case s.near(i-1, i, "to", "into", "onto", "nach", "vers", "к"):
		return !s.lookedAt(i) && !s.is(i-1, "read")
	case s.near(i-1, i, "in", "at", "under", "im", "dans", "en", "в"), s.near(i-2, i-1, "in", "into", "to") && s.near(i-1, i, "file", "the", "your", "datei", "archivo", "fichier"):
		if s.near(i-2, i-1, "stored", "saved", "written", "kept", "located", "found") && s.within(i-6, i-2, "secret", "strong", "owned") {
			return false // "the key stored at"
		}
		return !s.lookedAt(i) && !s.within(i-6, i, "content") && s.within(i-7, i, "writes")
	}
	return false
}

// lookedAt: "a look at it".
func (s fileFinder) lookedAt(i int) bool {
	return slices.ContainsFunc(s.each("read"), func(m promptscan.Sense) bool { return m.To == i })
}

// strong are secrets whose place everybody knows.
func (s fileFinder) findWellKnown() []asset {
	var out []asset
	for _, m := range s.each("strong") {
		if s.negated(m.From, m.To) || s.within(m.From-3, m.From, "public-key", "path-of", "example") || s.isPlaceOnly(m) || s.near(m.From, m.To, "metadata") {
			continue
		}
		t := asset{kind: assetFile, from: m.From, to: m.To}
		if t.name = secretLocation(s.phrase(m)); t.name == "" {
			t.kind = assetSecret
		}
		if !slices.ContainsFunc(out, func(o asset) bool { return o.kind == t.kind && o.name == t.name }) {
			out = append(out, t)
		}
	}
	return out
}

// ground: the secret's place is where something is done, as in "set it in the
// environment variables".
func (s fileFinder) isPlaceOnly(m promptscan.Sense) bool {
	if s.near(m.From-1, m.From, "in", "as", "to", "into", "via", "through", "with", "using", "在", "im", "en", "dans", "в", "als", "como", "comme") && !s.within(m.From-5, m.From, "content") ||
		s.near(m.To, m.To+1, "中", "里") {
		return true
	}
	return secretLocation(s.phrase(m)) == ".env" && s.near(m.From-2, m.From, "from", "of", "aus", "de", "из") && !s.within(m.From-6, m.To+4, "content", "user", "conv-all")
}
