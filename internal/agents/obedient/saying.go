package obedient

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

//go:embed lexicon.txt
var lexicon string

// reader reads the lexicon once.
//
//nolint:gochecknoglobals // compiled once like a regular expression, and never changed
var vocabulary = sync.OnceValue(func() *promptscan.Reader { return promptscan.NewReader(lexicon) })

// sentence is a sentence by itself: its words, what they mean, how they were
// written.
type sentence struct {
	promptscan.Sentence
	// source is what the words stand in: the text, or what it decodes to.
	source string
	// language is "en" or "other", once it was asked for.
	language string
}

// statement is a sentence of which it is known what it demands, and on which
// condition.
type statement struct {
	sentence
	// hidden is set for what was encoded, typed for what the user wrote.
	hidden, typed bool
	// clause are the words of the condition, demand is where a double negation
	// ends.
	clause span
	demand int
}

// span is a range of words, from one to before another.
type span struct{ from, to int }

func (c span) covers(i int) bool { return c.from <= i && i < c.to }

// utterance is a sentence in its text.
type utterance struct {
	*text
	statement
	n int
	// hushed is set near a sentence that wants silence, urged for texts that
	// the model was told to follow.
	hushed, urged bool
	// when says when the order is to be carried out.
	when condition
	// prose is what is known of the whole text, mates are its sentences, code
	// are the commands in this one.
	prose prose
	mates []utterance
	code  []string
	// mentions are the tools that it names, once they were searched for.
	mentions []mention
	searched bool
}

// hold sets the condition.
func (s *utterance) hold(c condition) { s.when, s.clause = c, c.span }

// class says whether one of the classes is there at all.
func (s *sentence) class(classes ...string) bool {
	return slices.ContainsFunc(s.Senses, func(m promptscan.Sense) bool { return slices.Contains(classes, m.Class) })
}

// each gives the senses of some classes.
func (s *sentence) each(classes ...string) []promptscan.Sense {
	var out []promptscan.Sense
	for _, m := range s.Senses {
		if slices.Contains(classes, m.Class) {
			out = append(out, m)
		}
	}
	return out
}

// at says whether a word has one of the classes.
func (s *sentence) at(i int, classes ...string) bool {
	return slices.ContainsFunc(s.Senses, func(m promptscan.Sense) bool {
		return m.From <= i && i < m.To && slices.Contains(classes, m.Class)
	})
}

// near says whether one of the words stands among those from one to before
// another.
func (s *sentence) near(from, to int, words ...string) bool {
	for i := max(from, 0); i < min(to, len(s.Words)); i++ {
		if slices.Contains(words, s.Words[i].Text) {
			return true
		}
	}
	return false
}

// within says whether a class stands among the words from one to before
// another.
func (s *sentence) within(from, to int, classes ...string) bool {
	return slices.ContainsFunc(s.Senses, func(m promptscan.Sense) bool {
		return m.From < to && m.To > from && slices.Contains(classes, m.Class)
	})
}

// literal is a word as it was written, without what stands around it.
func (s *sentence) literal(i int) string {
	w := s.Words[i]
	if w.Start < 0 || w.End > len(s.source) || w.Start >= w.End {
		return w.Text
	}
	raw := strings.TrimRight(s.source[w.Start:w.End], `.:?,;|>}])"'`)
	raw = strings.TrimLeft(raw, `<([{"'`)
	if !strings.EqualFold(raw, w.Text) {
		raw = w.Text
	}
	return unwrapped(raw, w.Shape)
}

// quote is the sentence as it can be shown.
func (s *sentence) quote() string {
	if len(s.Words) == 0 {
		return ""
	}
	from, to := s.Words[0].Start, s.Words[len(s.Words)-1].End
	if from < 0 || to > len(s.source) || from > to {
		return ""
	}
	return promptscan.Printable(s.source[from:to])
}

// rest is the text behind a word, to the end of the sentence.
func (s *sentence) rest(i int) string {
	if i >= len(s.Words) {
		return ""
	}
	from, to := s.Words[i].Start, s.Words[len(s.Words)-1].End
	if from < 0 || to > len(s.source) || from > to {
		return ""
	}
	return strings.TrimSpace(s.source[from:to])
}

// described: it speaks about such sentences, or only quotes them.
func (s *utterance) described() bool {
	if s.hidden {
		return false
	}
	return s.class("about") && !s.class("address", "before") || s.quotation()
}

// quotation: all of it stands in quotation marks, and nobody is addressed.
func (s *sentence) quotation() bool {
	return !s.class("agent") && !slices.ContainsFunc(s.Words, func(w promptscan.Word) bool { return !w.Quoted })
}

// spoken: the model is spoken to, by more than the form of a verb.
func (s *utterance) spoken() bool {
	return s.hidden || s.hushed || s.urged || s.class("address", "before", "agent", "owe", "now", "only-after", "threat")
}

// cited: the word stands in a quotation of several words, with a verb in it and
// nobody addressed: others are said to say so.
func (s *statement) cited(i int) bool {
	if s.hidden || !s.Words[i].Quoted {
		return false
	}
	from, to := i, i+1
	for from > 0 && s.Words[from-1].Quoted {
		from--
	}
	for to < len(s.Words) && s.Words[to].Quoted {
		to++
	}
	if to-from < 4 || to-from == len(s.Words) || s.within(from, to, "agent") {
		return false
	}
	return s.within(from, to, "read", "pass", "call") || s.typed && from > 0 && s.Words[from].Lead
}
