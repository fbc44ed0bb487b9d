package obedient

import "github.com/mcpsf/mcpsf/internal/agents/promptscan"

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

// live gives the verbs of some classes that are orders.
func (s *statement) imperatives(classes ...string) []promptscan.Sense {
	var out []promptscan.Sense
	for _, m := range s.each(classes...) {
		if s.isImperative(m) {
			out = append(out, m)
		}
	}
	return out
}

func (s *statement) isImperative(m promptscan.Sense) bool {
	if s.negated(m.From, m.To) || s.isCited(m.From) || s.clause.covers(m.From) || s.Words[m.From].Name {
		return false
	}
	return !s.english() || s.demand > 0 && m.From >= s.demand || s.mood(m)
}

// cited: the word stands in a quotation of several words, with a verb in it and
// nobody addressed: others are said to say so.
func (s *statement) isCited(i int) bool {
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

// glances: a verb that does not take the content along.
func (s *statement) isGlance(m promptscan.Sense) bool {
	switch s.Words[m.From].Text {
	case "check", "see", "find", "locate", "search", "list", "source", "access", "show", "leave", "put", "place", "add", "set", "write", "file", "view":
		return m.To-m.From == 1
	}
	return false
}
