package follower

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/speech"
)

// alias is a word that a text gives a meaning of its own: "the badge" is the
// content of a file. Another text may then ask for the badge.
type alias struct {
	words  []string
	things []thing
	from   *text
}

// define takes note of such a word.
func (b *book) define(s *saying) {
	if len(b.aliases) >= maxAliases || s.described() {
		return
	}
	from, to := s.term()
	if to <= from || to-from > 4 || !s.near(to, to+4, "means", "is", "are", "mean", "denotes", "equals", "refers", "stands", "bedeutet", "ist", "significa", "es", "signifie", "est", "означает", "это", "指", "是") {
		return
	}
	var things []thing
	for _, t := range b.things(s) {
		if t.from >= to && !t.faint {
			things = append(things, t)
		}
	}
	if len(things) == 0 {
		return
	}
	a := alias{things: things, from: s.text}
	for _, w := range s.Words[from:to] {
		if w.Text != "the" {
			a.words = append(a.words, w.Text)
		}
	}
	if len(strings.Join(a.words, "")) > 3 {
		b.aliases = append(b.aliases, a)
	}
}

// term is the first that stands in quotation marks or backticks.
func (s *saying) term() (int, int) {
	for i := range s.Words {
		if !marked(s.Words[i]) {
			continue
		}
		j := i
		for j < len(s.Words) && marked(s.Words[j]) {
			j++
		}
		return i, j
	}
	return 0, 0
}

func marked(w speech.Word) bool { return w.Quoted || w.Name }

// aliased are the things that such words stand for.
func (b *book) aliased(s *saying) []thing {
	var out []thing
	for _, a := range b.aliases {
		for i := 0; i+len(a.words) <= len(s.Words); i++ {
			if !s.spells(i, a.words) || s.negated(i, i+len(a.words)) {
				continue
			}
			for _, t := range a.things {
				t.from, t.to = i, i+len(a.words)
				out = append(out, t)
			}
			break
		}
	}
	return out
}

func (s *saying) spells(i int, words []string) bool {
	for j, w := range words {
		if s.Words[i+j].Text != w {
			return false
		}
	}
	return true
}
