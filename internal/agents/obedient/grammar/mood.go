package grammar

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// The verbs of a sentence count only if they are meant for the reader: "read
// it", "you must read it", "by reading it", and neither "reads it" nor "it can
// read" nor "do not read it".

// mood reports whether the form and place of a verb make it an order.
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
		return s.Near(m.From-1, m.From, "by", "begin", "start", "with", "out", "then", "after", "mind", "is", "for") || s.Near(m.From-1, m.From, "and") && s.Near(m.From-12, m.From, "by", "mind", "begin", "start")
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

// commanded reports whether the verb stands where an order has it.
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
		case slices.Contains([]string{"must", "shall", "should", "you", "and", "or", "then", "please", "kindly", "to", "also", "but", "they", "so", "could", "would"}, prev):
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
	switch s.Words[from].Text {
	case "for", "in", "on", "at", "with", "during", "upon", "as", "after", "before", "prior", "once", "when", "under", "along", "within", "per", "via", "through":
	default:
		return false
	}
	return i-from < 8 && !slices.ContainsFunc(s.Each("pass", "read", "say"), func(m promptscan.Sense) bool {
		return m.From >= from && m.From < i && !s.Words[m.From].Name
	})
}

// bound words have a noun behind them, or a verb that is no order.
func bound(w string) bool {
	switch w {
	case "a", "an", "the", "this", "that", "its", "their", "his", "her", "your", "our", "my", "no", "of", "in", "on", "at", "for", "from", "with", "as", "per", "each",
		"every", "any", "all", "more", "can", "may", "will", "might", "would", "could", "cannot", "not", "it", "he", "she", "we", "who", "which", "is", "are", "was",
		"were", "be", "been", "has", "have", "server", "user", "by", "than", "does", "do":
		return true
	}
	return false
}

// joined judges a verb by the word before it.
func (s *Statement) joined(i int, prev string) bool {
	switch prev {
	case "to":
		return s.Within(i-5, i, "owe", "address", "agent") || s.Near(i-4, i, "remember", "sure", "order", "asked", "you", "have", "duty", "part", "forget") ||
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

// adverb may stand between the beginning of an order and its verb.
func adverb(word string) bool {
	switch word {
	case "always", "also", "then", "first", "now", "please", "kindly", "immediately", "quietly", "silently", "just", "simply", "additionally", "finally", "next",
		"afterwards", "therefore", "thus", "besides", "secretly", "permanently", "here", "once", "again", "step", "one", "two", "three", "1", "2", "3", "4", "5",
		"automatically", "already", "only", "briefly", "further", "actually", "subsequently", "firstly", "secondly", "discreetly", "covertly", "further.":
		return true
	}
	return false
}
