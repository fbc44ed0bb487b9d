package chain

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Bounds of a text.
// no gap: a value that is not remembered is made up, and the tool is called all the same
const (
	maxProse   = 32 << 10
	maxMessage = 200
	maxMatches = 32
)

// How texts name things: "Session ID: abc", "Created note n-42", "Issue #12",
// `branch "fix"`, and identifiers with an unmistakable form.
var (
	labelled = lazyregexp.New(`(?i)\b((?:[a-z]{2,30}[ _-]){0,2})(id|uuid|guid|key|number|name|handle|token|slug|path|cursor|identifier|url)\b["'\x60*]{0,3}(?:\s+(?:is|was))?\s*[:=#]?["'\x60*]{0,3}\s*["'\x60<*#]{0,3}([A-Za-z0-9/~.][\w.:/@~-]{0,127})`)
	numbered = lazyregexp.New(`(?i)\b([a-z]{2,30})\s+["'\x60(]?#?([a-z]{0,12}[-_]?[0-9][\w-]{0,63})`)
	joined   = lazyregexp.New(`(?i)\b([a-z]{2,30})\s+([a-z0-9]+(?:[-_][a-z0-9]+)+)\b`)
	quoted   = lazyregexp.New(`(?i)\b([a-z]{2,30})\s+["'\x60]([^"'\x60\n]{1,128})["'\x60]`)
	// coinage is a word with a separator inside, or with letters and digits; measure is one
	// that says how much or when.
	coinage = lazyregexp.New(`^[A-Za-z0-9]+(?:[-_:][A-Za-z0-9]+)+$|^[A-Za-z]+\d[A-Za-z0-9]*$|^\d+[A-Za-z][A-Za-z0-9]{4,}$`)
	measure = lazyregexp.New(`^\d{1,4}(?:[-:]\d{1,4})+|^\d{4}-\d\d-\d\dT|^[A-Za-z]+(?:-[A-Za-z]+)+$`)
	unique  = lazyregexp.New(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
)

// prose reads natural-language text.
func (l *learner) prose(s string) {
	if token(s) && l.made {
		l.add(l.nouns, "id", s)
		return
	}
	s = s[:min(len(s), maxProse)]
	l.elements(s)
	for _, m := range labelled.FindAllStringSubmatch(s, maxMatches) {
		whole, words, head, value := m[0], m[1], m[2], strings.TrimRight(m[3], ".:,-/")
		between := whole[len(words)+len(head) : len(whole)-len(m[3])]
		if !strings.ContainsAny(between, ":=") && !strings.ContainsAny(value, "0123456789") {
			continue // as in "the name of", "its id is for"
		}
		if own, _, ok := headOf([]string{strings.ToLower(head)}); ok {
			l.add(append(meaningful(meaning.Words(words)), l.nouns...), own, value)
		}
	}
	for _, m := range numbered.FindAllStringSubmatch(s, maxMatches) {
		l.named(m[1], "id", m[2])
	}
	for _, m := range joined.FindAllStringSubmatch(s, maxMatches) {
		l.named(m[1], "id", m[2])
	}
	for _, m := range quoted.FindAllStringSubmatch(s, maxMatches) {
		l.named(m[1], "name", m[2])
	}
	if l.made {
		for _, m := range unique.FindAllString(s, maxMatches) {
			l.add(l.nouns, "id", m)
		}
		l.coined(s)
	}
}

// coined remembers the names in a short message about something that was made: "Created
// n-0001.", "Imported 'x' as board-b90ffe with 0 cards". They come after what the text says
// more clearly.
func (l *learner) coined(s string) {
	for _, word := range coinages(s) {
		l.add(l.nouns, "id", word)
	}
}

// coinages are the words of a short message that can only be names.
func coinages(s string) []string {
	if len(s) > maxMessage || !strings.Contains(s, " ") || strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[") {
		return nil
	}
	var out []string
	for word := range strings.FieldsSeq(s) {
		word = strings.Trim(word, ".,:;!?()[]\"'`*<>")
		if coinage.MatchString(word) && !measure.MatchString(word) {
			out = append(out, word)
		}
	}
	return out
}

// named remembers the word after a noun, but only if the tool is about that
// noun: elsewhere the word may be anything.
func (l *learner) named(noun, head, value string) {
	noun = meaning.Singular(strings.ToLower(noun))
	if slices.Contains(l.nouns, noun) {
		l.add([]string{noun}, head, strings.TrimRight(value, "-_"))
	}
}
