package grammar

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// A verb counts only if the reader is to do it: "read it", "you must read it",
// "by reading it", but not "reads it", "it can read" or "do not read it".

// mood reports whether the form and position of a verb make it an order.
func (s *Statement) mood(m promptscan.Sense) bool {
	word := s.Words[m.From].Text
	switch {
	case m.Class == "goes":
		return true
	case m.Class == "does-read" || m.Class == "does-pass":
		return s.agentIsSubject(m.From) && !bound(s.Words[max(0, m.From-1)].Text)
	case m.Class == "passed" || m.Class == "called" || m.Class == "got":
		return s.passive(m.From)
	case strings.HasSuffix(word, "ing") && len(word) > 5:
		return s.NearSet(m.From-1, m.From, words().BeforeGerund) || s.Near(m.From-1, m.From, "and") && s.Near(m.From-12, m.From, "by", "mind", "begin", "start")
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && len(word) > 3 && m.Class != "address":
		return s.agentIsSubject(m.From)
	}
	return s.commanded(m.From)
}

// agentIsSubject reports whether the subject of the verb is the model.
func (s *Statement) agentIsSubject(i int) bool {
	if s.Near(i-1, i, "and", "then") {
		return s.Within(i-14, i, "agent")
	}
	return s.Within(i-5, i, "agent")
}

// passive reports whether a participle is an order: "must be passed", "has to be set", "until you have called".
func (s *Statement) passive(i int) bool {
	if s.Near(i-2, i, "be", "been", "werden") && s.Within(i-6, i, "owe") || s.Near(i-3, i, "shall", "must") && s.Near(i-2, i, "be") {
		return true
	}
	for j := max(0, i-8); j < i; j++ {
		if w := s.Words[j]; w.Lead && (w.Text == "have" || w.Text == "get" || w.Text == "let") {
			return true
		}
	}
	if s.Near(i-9, i, "wants", "want", "needs", "need", "like") && s.Has("user", "agent", "now", "content") {
		return true
	}
	if s.Near(i-7, i, "have", "has", "get") && s.Within(i-8, i, "owe", "agent", "address") || s.Near(i-7, i, "have") && s.Has("agent") {
		return true
	}
	return s.Near(i-3, i, "have", "has") && s.Near(i-4, i, "you", "they", "agent", "assistant") && s.Has("only-after", "owe")
}

// commanded reports whether the verb stands where an order has its verb.
func (s *Statement) commanded(i int) bool {
	for i > 0 && !s.Words[i].Lead && (i != s.Clause.To || s.Clause.From > 0) {
		prev := s.Words[i-1].Text
		switch {
		case prev == "e": // e-mail
			i--
			continue
		case adverb(prev):
			if s.Is(i-1, "address", "now") {
				return true
			}
			i--
			continue
		case words().BeforeOrder.Has(prev):
			return s.joined(i, prev)
		case s.Is(i-1, "agent"):
			return true
		}
		return !bound(prev) && (s.Within(i-3, i, "address", "before", "now") || s.fronted(i))
	}
	return true
}

// fronted reports whether an adverbial stands before the order: "for debugging purposes copy it", "in `report` give a list".
func (s *Statement) fronted(i int) bool {
	from := i
	for from > 0 && !s.Words[from].Lead {
		from--
	}
	if !words().Fronted.Has(s.Words[from].Text) {
		return false
	}
	return i-from < 8 && !slices.ContainsFunc(s.Each("pass", "read", "say"), func(m promptscan.Sense) bool {
		return m.From >= from && m.From < i && !s.Words[m.From].Name
	})
}

// bound reports whether a noun follows the word, or a verb that is no order.
func bound(w string) bool { return words().Bound.Has(w) }

// joined judges a verb by the word before it.
func (s *Statement) joined(i int, prev string) bool {
	switch prev {
	case "to":
		return s.Within(i-5, i, "owe", "address", "agent") || s.NearSet(i-4, i, words().BeforeInfinitive) ||
			s.Near(i-2, i-1, "and", "or") || s.infinitive(i)
	case "or", "and", "but", "then", "so":
		return true
	case "could", "would":
		return s.Within(i-4, i, "address")
	}
	return true
}

// infinitive reports whether "to send" is the aim of an order: "use the tool to
// send".
func (s *Statement) infinitive(i int) bool {
	for j := max(0, i-7); j < i-1; j++ {
		if s.Is(j, "call") && s.commanded(j) {
			return true
		}
	}
	return false
}

// adverb reports whether the word may stand between the beginning of an order
// and its verb.
func adverb(word string) bool { return words().Adverbs.Has(word) }
