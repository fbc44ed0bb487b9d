package grammar

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
	"github.com/mcpsf/mcpsf/internal/wordlist"
)

// Sentence is a single sentence: its words, their classes, and how they were
// written.
type Sentence struct {
	promptscan.Sentence
	// Source is the text that contains the words, or the decoded text.
	Source string
	// language caches "en" or "other".
	language string
	// negations caches the senses of "not": every word is checked against them.
	negations []promptscan.Sense
	counted   bool
}

// Has says whether the sentence has one of the classes.
func (s *Sentence) Has(classes ...string) bool {
	return slices.ContainsFunc(s.Senses, func(m promptscan.Sense) bool { return slices.Contains(classes, m.Class) })
}

// Each gives the senses of some classes.
func (s *Sentence) Each(classes ...string) []promptscan.Sense {
	var out []promptscan.Sense
	for _, m := range s.Senses {
		if slices.Contains(classes, m.Class) {
			out = append(out, m)
		}
	}
	return out
}

// Negations are the senses of "not".
func (s *Sentence) Negations() []promptscan.Sense {
	if !s.counted {
		s.negations, s.counted = s.Each("not"), true
	}
	return s.negations
}

// Is says whether a word has one of the classes.
func (s *Sentence) Is(i int, classes ...string) bool {
	return slices.ContainsFunc(s.Senses, func(m promptscan.Sense) bool {
		return m.From <= i && i < m.To && slices.Contains(classes, m.Class)
	})
}

// Near says whether one of the words is among those in [from, to).
func (s *Sentence) Near(from, to int, words ...string) bool {
	for i := max(from, 0); i < min(to, len(s.Words)); i++ {
		if slices.Contains(words, s.Words[i].Text) {
			return true
		}
	}
	return false
}

// NearSet is [Sentence.Near] with a table of words.
func (s *Sentence) NearSet(from, to int, words wordlist.Set) bool {
	for i := max(from, 0); i < min(to, len(s.Words)); i++ {
		if words.Has(s.Words[i].Text) {
			return true
		}
	}
	return false
}

// Within says whether a class is among the words in [from, to).
func (s *Sentence) Within(from, to int, classes ...string) bool {
	return slices.ContainsFunc(s.Senses, func(m promptscan.Sense) bool {
		return m.From < to && m.To > from && slices.Contains(classes, m.Class)
	})
}

// Phrase is the text of a sense.
func (s *Sentence) Phrase(m promptscan.Sense) string {
	var out []string
	for _, w := range s.Words[m.From:m.To] {
		out = append(out, w.Text)
	}
	return strings.Join(out, " ")
}

// Parted says whether a clause begins between two words.
func (s *Sentence) Parted(from, to int) bool {
	for i := from; i <= to && i < len(s.Words); i++ {
		if s.Words[i].Lead {
			return true
		}
	}
	return false
}

// Spells reports whether these words begin at position i.
func (s *Sentence) Spells(i int, words []string) bool {
	for j, w := range words {
		if s.Words[i+j].Text != w {
			return false
		}
	}
	return true
}

// AllQuoted reports whether the whole sentence is in quotation marks and names
// no agent.
func (s *Sentence) AllQuoted() bool {
	return !s.Has("agent") && !slices.ContainsFunc(s.Words, func(w promptscan.Word) bool { return !w.Quoted })
}
