package meaning

import "strings"

// sense is one meaning of a name.
type sense struct {
	kind  Kind
	value string
	// words have this meaning anywhere in a name, heads only as its last word:
	// a folder_id is not a folder.
	words, heads string
	// weak means that the description may overrule the name.
	weak bool
}

// Lexicon finds the meaning of names, and values for them. One lexicon serves many
// lookups.
type Lexicon struct {
	values      Values
	senses      []sense
	words, head map[string]int
}

// NewLexicon returns a lexicon that finds these values; empty fields have their defaults.
func NewLexicon(v Values) *Lexicon {
	v = v.WithDefaults()
	l := &Lexicon{values: v, words: map[string]int{}, head: map[string]int{}}
	for _, part := range [][]sense{v.places(), v.languages(), references(v), moments(), settings()} {
		l.senses = append(l.senses, part...)
	}
	for i, s := range l.senses {
		for w := range strings.FieldsSeq(s.words) {
			l.words[w], l.head[w] = i, i
		}
		for w := range strings.FieldsSeq(s.heads) {
			l.head[w] = i
		}
	}
	return l
}

// find returns the meaning of a name. It looks at the words from the last to
// the first, because the last word of an English noun phrase says what the
// thing is. If the name has no meaning or a weak one, the opening words of the
// description decide.
func (l *Lexicon) find(name, description string) (sense, bool) {
	s, ok := l.phrase(Words(name))
	if ok && !s.weak {
		return s, true
	}
	if said, found := l.described(Words(opening(description))); found && (!said.weak || !ok) {
		return said, true
	}
	return s, ok
}

// phrase looks up a noun phrase.
func (l *Lexicon) phrase(w []string) (sense, bool) {
	last := len(w) - 1
	for last > 0 && filler(w[last]) {
		last--
	}
	for i := last; i >= 0; i-- {
		from := l.words
		if i == last {
			from = l.head
		}
		if i > 0 {
			if n, ok := from[w[i-1]+"_"+Singular(w[i])]; ok {
				return l.senses[n], true
			}
		}
		for _, word := range []string{w[i], Singular(w[i])} {
			if n, ok := from[word]; ok {
				return l.senses[n], true
			}
		}
	}
	return sense{}, false
}

// maxPhrases bounds how many phrases of a description are read: later ones are
// about something else.
// no gap: bounds how a value is guessed; the tool is called with another one
const maxPhrases = 3

// described looks up a description: its first noun phrase, or the one after
// "of" if the first has no meaning ("A list of URLs").
func (l *Lexicon) described(w []string) (sense, bool) {
	start := 0
	for phrases := 0; start < len(w) && phrases < maxPhrases; phrases++ {
		end := start
		for end < len(w) && !joint(w[end]) {
			end++
		}
		if s, ok := l.nameOf(w[start:end], w[end:]); ok {
			return s, true
		}
		if s, ok := l.phrase(w[start:end]); ok {
			return s, true
		}
		if end == len(w) || w[end] != "of" {
			break
		}
		start = end + 1
	}
	return sense{}, false
}

// nameOf looks up the noun in phrases such as "name of the file".
func (l *Lexicon) nameOf(phrase, rest []string) (sense, bool) {
	if len(phrase) == 0 || phrase[len(phrase)-1] != "name" || len(rest) == 0 || rest[0] != "of" {
		return sense{}, false
	}
	end := 1
	for end < len(rest) && !joint(rest[end]) {
		end++
	}
	n, ok := l.head[rest[end-1]+"_name"]
	if !ok {
		return sense{}, false
	}
	return l.senses[n], true
}

// language looks for a language or notation that a description mentions.
func (l *Lexicon) language(said []string) (sense, bool) {
	for _, w := range said[:min(len(said), maxMention)] {
		n, ok := l.words[w]
		if !ok {
			continue
		}
		switch s := l.senses[n]; s.kind {
		case KindJSON, KindXML, KindData, KindMarkup, KindRegexp, KindGlob, KindSQL, KindTemplate:
			return s, true
		}
	}
	return sense{}, false
}

// maxMention is how many words at the start of a description are searched for a
// language.
// no gap: bounds how a value is guessed; the tool is called with another one
const maxMention = 12

// opening returns the beginning of a description, up to the first punctuation
// mark.
func opening(description string) string {
	if end := strings.IndexAny(description, ".,;:(\n"); end > 0 {
		return description[:end]
	}
	return description
}

// filler reports whether a word carries no meaning for the lookup.
func filler(w string) bool {
	switch Singular(w) {
	case "a", "an", "the", "this", "your", "its", "optional", "required", "new", "current", "specific", "given",
		"list", "array", "set", "string", "str", "value", "val", "param", "parameter", "comma", "separated",
		"full", "absolute", "relative", "valid", "exact", "single", "one", "more", "multiple", "additional", "all",
		"object", "default", "raw", "actual", "first", "complete", "desired", "specified":
		return true
	}
	return false
}

// joint reports whether a word ends a noun phrase.
func joint(w string) bool {
	switch w {
	case "of", "to", "for", "in", "on", "at", "by", "from", "with", "that", "which", "where", "when", "if", "is", "are",
		"as", "into", "e", "eg", "i", "must", "should", "will", "can", "used", "containing", "using", "whose", "and", "or":
		return true
	}
	return false
}
