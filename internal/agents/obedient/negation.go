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
		if n.To > from || from-n.To >= reach || s.demand > 0 || s.isPreposition(n) {
			continue
		}
		if reach == 10 || !s.parted(n.To, from) {
			return true
		}
	}
	return false
}

// demanded is where "do not start before", "useless unless", "refused without"
// turns into what is wanted, and "it works better if"; 0 if it does not.
func (s *statement) findDemand() int {
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

// forbids: a "not" stands before the word in the same clause.
func (s *statement) forbidden(i int) bool {
	return s.negated(i, i+1) || slices.ContainsFunc(s.each("not"), func(n promptscan.Sense) bool {
		return n.To <= i && i-n.To < 6 && !s.isPreposition(n) && !s.parted(n.To, i) && !s.near(n.From, n.To, "without")
	})
}

// refuses: somewhere in the sentence stands that it is not to be done.
func (s *statement) refuses() bool {
	if s.hidden || s.demand > 0 {
		return false
	}
	for _, n := range s.each("not") {
		if !s.near(n.From, n.To, "without", "nothing", "no") && n.From < 4 {
			return true
		}
	}
	return false
}

// barred: all that the sentence says of passing things on is that it is not
// done.
func (s *statement) onlyForbids() bool {
	if s.hidden || s.demand > 0 {
		return false
	}
	no, yes := false, false
	for _, m := range s.each("pass", "passed", "does-pass", "goes", "say", "repeat", "read", "got", "does-read") {
		switch {
		case s.Words[m.From].Name || s.isGlance(m) || s.is(m.From, "telling"):
		case s.forbidden(m.From):
			no = true
		case m.Class != "read" && m.Class != "got" && m.Class != "does-read":
			yes = true
		}
	}
	for _, m := range s.each("contain") {
		if s.near(m.From, m.To, "contain", "contains", "hold", "carry", "enthalten", "contener", "contenir") && s.forbidden(m.From) {
			no = true
		}
	}
	return no && !yes
}
