package grammar

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// IsNegated reports whether a "not" stands shortly before the words in the same
// clause, or before what an "or" joins them to. "Not without it" is no
// negation: it demands the thing.
func (s *Statement) IsNegated(from int) bool {
	reach := 3
	if from > 0 && slices.Contains([]string{"or", "nor", "oder", "o", "ou", "или"}, s.Words[from-1].Text) {
		reach = 10
	}
	for _, n := range s.Negations() {
		if n.To > from || from-n.To >= reach || s.Demand > 0 || s.IsPreposition(n) {
			continue
		}
		if reach == 10 || !s.Parted(n.To, from) {
			return true
		}
	}
	return false
}

// FindDemand is where the demand begins in "do not start before", "useless
// unless", "refused without" and "it works better if"; 0 if there is none.
func (s *Statement) FindDemand() int {
	for _, m := range s.Each("if") {
		if end := s.ClauseEnd(m.To); s.Within(m.To, end, "lacking") && s.Within(end, len(s.Words), "refused") {
			return m.To
		}
	}
	for _, m := range s.Each("if", "when") {
		if s.Within(m.From-4, m.From, "better") {
			return m.To // "it is faster if"
		}
	}
	for _, m := range s.Each("but-for") {
		if m.From == 0 {
			if m.To < len(s.Words) && s.Near(0, 1, "without", "unless", "ohne", "sin", "sans", "без", "除") && s.Within(m.To, len(s.Words), "refused") {
				return m.To
			}
			continue
		}
		if s.Within(0, m.From, "refused") || s.Near(m.From, m.To, "without") && s.Within(m.To, len(s.Words), "refused") {
			return m.To
		}
	}
	return 0
}

// Forbidden reports whether a "not" stands before the word in the same clause.
func (s *Statement) Forbidden(i int) bool {
	return s.IsNegated(i) || slices.ContainsFunc(s.Negations(), func(n promptscan.Sense) bool {
		return n.To <= i && i-n.To < 6 && !s.IsPreposition(n) && !s.Parted(n.To, i) && !s.Near(n.From, n.To, "without")
	})
}

// Refuses reports whether the sentence begins with a ban.
func (s *Statement) Refuses() bool {
	if s.Hidden || s.Demand > 0 {
		return false
	}
	for _, n := range s.Negations() {
		if !s.Near(n.From, n.To, "without", "nothing", "no") && n.From < 4 {
			return true
		}
	}
	return false
}

// OnlyForbids reports whether the sentence mentions passing data on only to
// forbid it.
func (s *Statement) OnlyForbids() bool {
	if s.Hidden || s.Demand > 0 {
		return false
	}
	no, yes := false, false
	for _, m := range s.Each("pass", "passed", "does-pass", "goes", "say", "repeat", "read", "got", "does-read") {
		switch {
		case s.Words[m.From].Name || s.IsGlance(m) || s.Is(m.From, "telling"):
		case s.Forbidden(m.From):
			no = true
		case m.Class != "read" && m.Class != "got" && m.Class != "does-read":
			yes = true
		}
	}
	for _, m := range s.Each("contain") {
		if s.Near(m.From, m.To, "contain", "contains", "hold", "carry", "enthalten", "contener", "contenir") && s.Forbidden(m.From) {
			no = true
		}
	}
	return no && !yes
}
