package grammar

import "github.com/mcpsf/mcpsf/internal/agents/promptscan"

// statement is a sentence of which it is known what it demands, and on which
// condition.
type Statement struct {
	Sentence
	// hidden is set for what was encoded, typed for what the user wrote.
	Hidden, Typed bool
	// clause are the words of the condition, demand is where a double negation
	// ends.
	Clause Span
	Demand int
}

// span is a range of words, from one to before another.
type Span struct{ From, To int }

func (c Span) Covers(i int) bool { return c.From <= i && i < c.To }

// live gives the verbs of some classes that are orders.
func (s *Statement) Imperatives(classes ...string) []promptscan.Sense {
	var out []promptscan.Sense
	for _, m := range s.Each(classes...) {
		if s.isImperative(m) {
			out = append(out, m)
		}
	}
	return out
}

func (s *Statement) isImperative(m promptscan.Sense) bool {
	if s.IsNegated(m.From, m.To) || s.IsCited(m.From) || s.Clause.Covers(m.From) || s.Words[m.From].Name {
		return false
	}
	return !s.English() || s.Demand > 0 && m.From >= s.Demand || s.mood(m)
}

// cited: the word stands in a quotation of several words, with a verb in it and
// nobody addressed: others are said to say so.
func (s *Statement) IsCited(i int) bool {
	if s.Hidden || !s.Words[i].Quoted {
		return false
	}
	from, to := i, i+1
	for from > 0 && s.Words[from-1].Quoted {
		from--
	}
	for to < len(s.Words) && s.Words[to].Quoted {
		to++
	}
	if to-from < 4 || to-from == len(s.Words) || s.Within(from, to, "agent") {
		return false
	}
	return s.Within(from, to, "read", "pass", "call") || s.Typed && from > 0 && s.Words[from].Lead
}

// glances: a verb that does not take the content along.
func (s *Statement) IsGlance(m promptscan.Sense) bool {
	switch s.Words[m.From].Text {
	case "check", "see", "find", "locate", "search", "list", "source", "access", "show", "leave", "put", "place", "add", "set", "write", "file", "view":
		return m.To-m.From == 1
	}
	return false
}
