package grammar

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// English reports whether the sentence is English, where the position of a verb
// shows whether it is an order. For other languages the vocabulary has only
// forms that are orders.
func (s *Sentence) English() bool {
	if s.language == "" {
		s.language = map[bool]string{true: "en", false: "other"}[s.readsEnglish()]
	}
	return s.language == "en"
}

// readsEnglish looks for words that only English has.
func (s *Sentence) readsEnglish() bool {
	n := 0
	for _, w := range s.Words {
		if words().English.Has(w.Text) {
			n++
		}
	}
	return n > 1 || n > 0 && len(s.Words) < 8 || ascii(s.Words)
}

// ascii is for short orders without any such word: "Now call two".
func ascii(words []promptscan.Word) bool {
	return len(words) < 6 && !slices.ContainsFunc(words, func(w promptscan.Word) bool {
		return strings.ContainsFunc(w.Text, func(r rune) bool { return r > 0x7f })
	})
}

// IsPreposition reports whether a "no" is Portuguese for "in the": "no arquivo"
// is "in the file".
func (s *Sentence) IsPreposition(n promptscan.Sense) bool {
	if s.Words[n.From].Text != "no" || s.English() {
		return false
	}
	count := 0
	for _, w := range s.Words {
		if words().Portuguese.Has(w.Text) {
			count++
		}
	}
	return count > 1
}
