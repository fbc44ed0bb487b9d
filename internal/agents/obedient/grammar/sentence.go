package grammar

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// sentence is a sentence by itself: its words, what they mean, how they were
// written.
type Sentence struct {
	promptscan.Sentence
	// source is what the words stand in: the text, or what it decodes to.
	Source string
	// language is "en" or "other", once it was asked for.
	language string
}

// class says whether one of the classes is there at all.
func (s *Sentence) Has(classes ...string) bool {
	return slices.ContainsFunc(s.Senses, func(m promptscan.Sense) bool { return slices.Contains(classes, m.Class) })
}

// each gives the senses of some classes.
func (s *Sentence) Each(classes ...string) []promptscan.Sense {
	var out []promptscan.Sense
	for _, m := range s.Senses {
		if slices.Contains(classes, m.Class) {
			out = append(out, m)
		}
	}
	return out
}

// at says whether a word has one of the classes.
func (s *Sentence) Is(i int, classes ...string) bool {
	return slices.ContainsFunc(s.Senses, func(m promptscan.Sense) bool {
		return m.From <= i && i < m.To && slices.Contains(classes, m.Class)
	})
}

// near says whether one of the words stands among those from one to before
// another.
func (s *Sentence) Near(from, to int, words ...string) bool {
	for i := max(from, 0); i < min(to, len(s.Words)); i++ {
		if slices.Contains(words, s.Words[i].Text) {
			return true
		}
	}
	return false
}

// within says whether a class stands among the words from one to before
// another.
func (s *Sentence) Within(from, to int, classes ...string) bool {
	return slices.ContainsFunc(s.Senses, func(m promptscan.Sense) bool {
		return m.From < to && m.To > from && slices.Contains(classes, m.Class)
	})
}

func (s *Sentence) Phrase(m promptscan.Sense) string {
	var out []string
	for _, w := range s.Words[m.From:m.To] {
		out = append(out, w.Text)
	}
	return strings.Join(out, " ")
}

// parted says whether a clause begins between two words.
func (s *Sentence) Parted(from, to int) bool {
	for i := from; i <= to && i < len(s.Words); i++ {
		if s.Words[i].Lead {
			return true
		}
	}
	return false
}

func (s *Sentence) Spells(i int, words []string) bool {
	for j, w := range words {
		if s.Words[i+j].Text != w {
			return false
		}
	}
	return true
}

// quotation: all of it stands in quotation marks, and nobody is addressed.
func (s *Sentence) AllQuoted() bool {
	return !s.Has("agent") && !slices.ContainsFunc(s.Words, func(w promptscan.Word) bool { return !w.Quoted })
}
