package grammar

import "github.com/mcpsf/mcpsf/internal/agents/promptscan"

// Statement is a sentence with its condition and demand.
type Statement struct {
	Sentence
	// Hidden is set for encoded text, Typed for text that the user wrote.
	Hidden, Typed bool
	// Clause is the condition, Demand where a double negation ends.
	Clause Span
	Demand int
}

// Span is the range of words [From, To).
type Span struct{ From, To int }

// Covers reports whether a word is in the range.
func (c Span) Covers(i int) bool { return c.From <= i && i < c.To }

// Imperatives returns the verbs of some classes that are orders.
func (s *Statement) Imperatives(classes ...string) []promptscan.Sense {
	var out []promptscan.Sense
	for _, m := range s.Each(classes...) {
		if s.isImperative(m) {
			out = append(out, m)
		}
	}
	return out
}

// isImperative reports whether a verb is an order.
func (s *Statement) isImperative(m promptscan.Sense) bool {
	if s.IsNegated(m.From) || s.IsCited(m.From) || s.Clause.Covers(m.From) || s.Words[m.From].Name {
		return false
	}
	return !s.English() || s.Demand > 0 && m.From >= s.Demand || s.mood(m)
}

// IsCited reports whether the word is in a quotation of several words that has
// a verb and addresses nobody: the text of somebody else.
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

// IsGlance reports whether the verb only looks at the content without taking
// it.
func (s *Statement) IsGlance(m promptscan.Sense) bool {
	return words().Glances.Has(s.Words[m.From].Text) && m.To-m.From == 1
}
