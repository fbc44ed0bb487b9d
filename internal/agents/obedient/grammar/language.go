package grammar

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// english sentences show by the place of a verb whether it is an order. In the
// other languages the vocabulary has the forms that are.
func (s *Sentence) English() bool {
	if s.language == "" {
		s.language = map[bool]string{true: "en", false: "other"}[s.readsEnglish()]
	}
	return s.language == "en"
}

func (s *Sentence) readsEnglish() bool {
	n := 0
	for _, w := range s.Words {
		switch w.Text {
		case "the", "to", "of", "and", "is", "with", "it", "you", "your", "this", "its", "for", "that", "from", "be", "as", "what", "all", "by":
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

// inThe: "no arquivo" is "in the file" in Portuguese.
func (s *Sentence) IsPreposition(n promptscan.Sense) bool {
	if s.Words[n.From].Text != "no" || s.English() {
		return false
	}
	count := 0
	for _, w := range s.Words {
		switch w.Text {
		case "do", "da", "dos", "das", "os", "um", "uma", "em", "ao", "voce", "seu", "sua", "nao", "arquivo", "tudo", "campo":
			count++
		}
	}
	return count > 1
}
