package obedient

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// negated: a "not" stands before the words, in the same clause and close, or
// before what they are joined to by an "or". "Not without it" is none: there
// the thing is demanded.
func (s *statement) negated(from, _ int) bool {
	reach := 3
	if from > 0 && slices.Contains([]string{"or", "nor", "oder", "o", "ou", "или"}, s.Words[from-1].Text) {
		reach = 10
	}
	for _, n := range s.each("not") {
		if n.To > from || from-n.To >= reach || s.demand > 0 || s.inThe(n) {
			continue
		}
		if reach == 10 || !s.parted(n.To, from) {
			return true
		}
	}
	return false
}

// parted says whether a clause begins between two words.
func (s *sentence) parted(from, to int) bool {
	for i := from; i <= to && i < len(s.Words); i++ {
		if s.Words[i].Lead {
			return true
		}
	}
	return false
}

// demanded is where "do not start before", "useless unless", "refused without"
// turns into what is wanted, and "it works better if"; 0 if it does not.
func (s *statement) demanded() int {
	for _, m := range s.each("if") {
		if end := s.clauseEnd(m.To); s.within(m.To, end, "lacking") && s.within(end, len(s.Words), "refused") {
			return m.To
		}
	}
	for _, m := range s.each("if", "when") {
		if s.within(m.From-4, m.From, "better") {
			return m.To // "it is faster if"
		}
	}
	for _, m := range s.each("but-for") {
		if m.From == 0 {
			if m.To < len(s.Words) && s.near(0, 1, "without", "unless", "ohne", "sin", "sans", "без", "除") && s.within(m.To, len(s.Words), "refused") {
				return m.To
			}
			continue
		}
		if s.within(0, m.From, "refused") || s.near(m.From, m.To, "without") && s.within(m.To, len(s.Words), "refused") {
			return m.To
		}
	}
	return 0
}

// inThe: "no arquivo" is "in the file" in Portuguese.
func (s *sentence) inThe(n promptscan.Sense) bool {
	if s.Words[n.From].Text != "no" || s.english() {
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
