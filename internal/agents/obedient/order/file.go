package order

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/userfile"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// fileFinder finds files in a sentence.
type fileFinder struct{ *utterance }

// find lists the paths whose content is meant.
func (s fileFinder) find(commands []Asset) []Asset {
	var out []Asset
	for i, w := range s.Words {
		if slices.ContainsFunc(commands, func(c Asset) bool { return c.from <= i && i < c.to }) {
			continue
		}
		if path := s.path(i, w); userfile.Private(path) && !s.onlyPlace(i) && !s.IsNegated(i) {
			out = append(out, Asset{Kind: AssetFile, Name: path, from: i, to: i + 1})
		}
	}
	return out
}

// path is the path that begins with a word, "" if there is none. A path below
// the home directory may begin with the name of a folder.
func (s fileFinder) path(i int, w promptscan.Word) string {
	if w.Shape == promptscan.ShapePath {
		return s.Literal(i)
	}
	if w.Shape != promptscan.ShapeWord || w.Start < 0 || w.End >= len(s.Source) || strings.IndexByte("/.-", s.Source[w.End]) < 0 {
		return ""
	}
	if p := userfile.At(s.Source, w.Start); strings.Contains(p, "/") && userfile.NamedLikeSecret(p) {
		return p
	}
	return ""
}

// onlyPlace reports whether the path is only a location or an example, and its
// content is not meant.
func (s fileFinder) onlyPlace(i int) bool {
	if s.Near(i-1, i, "of", "in") && s.Near(i-2, i-1, "section", "profile", "entry", "stanza", "host", "context", "block") && !s.Within(i-4, i, "content") {
		return true
	}
	if s.Within(i-3, i, "example") || s.Within(i-4, i, "public-key") || s.Within(i-4, i, "path-of") && !s.Within(i-4, i, "content") {
		return true
	}
	switch {
	case i == 0:
		return false
	case s.Near(i-1, i, "to", "into", "onto", "nach", "vers", "к"):
		return !s.lookedAt(i) && !s.Is(i-1, "read")
	case s.Near(i-1, i, "in", "at", "under", "im", "dans", "en", "в"), s.Near(i-2, i-1, "in", "into", "to") && s.Near(i-1, i, "file", "the", "your", "datei", "archivo", "fichier"):
		if s.Near(i-2, i-1, "stored", "saved", "written", "kept", "located", "found") && s.Within(i-6, i-2, "secret", "strong", "owned") {
			return false // "the key stored at"
		}
		return !s.lookedAt(i) && !s.Within(i-6, i, "content") && s.Within(i-7, i, "writes")
	}
	return false
}

// lookedAt reports whether a verb of reading ends right before the word: "have
// a look at".
func (s fileFinder) lookedAt(i int) bool {
	return slices.ContainsFunc(s.Each("read"), func(m promptscan.Sense) bool { return m.To == i })
}

// findWellKnown lists secrets with a well-known location: "the SSH key".
func (s fileFinder) findWellKnown() []Asset {
	var out []Asset
	for _, m := range s.Each("strong") {
		if s.IsNegated(m.From) || s.Within(m.From-3, m.From, "public-key", "path-of", "example") || s.isPlaceOnly(m) || s.Near(m.From, m.To, "metadata") {
			continue
		}
		t := Asset{Kind: AssetFile, from: m.From, to: m.To}
		if t.Name = userfile.Location(s.Phrase(m)); t.Name == "" {
			t.Kind = AssetSecret
		}
		if !slices.ContainsFunc(out, func(o Asset) bool { return o.Kind == t.Kind && o.Name == t.Name }) {
			out = append(out, t)
		}
	}
	return out
}

// isPlaceOnly reports whether the secret's location is only where something is
// done, as in "set it in the environment variables".
func (s fileFinder) isPlaceOnly(m promptscan.Sense) bool {
	if s.NearSet(m.From-1, m.From, words().Secrets.PlaceBefore) && !s.Within(m.From-5, m.From, "content") ||
		s.Near(m.To, m.To+1, "中", "里") {
		return true
	}
	return userfile.Location(s.Phrase(m)) == ".env" && s.Near(m.From-2, m.From, "from", "of", "aus", "de", "из") && !s.Within(m.From-6, m.To+4, "content", "user", "conv-all")
}
