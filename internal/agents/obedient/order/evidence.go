package order

// Whether a sentence is an order is decided by evidence that adds up: what it
// mentions, where that is to go, whom it addresses; and against it, what shows
// that it is harmless. No specific wording is needed.

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/grammar"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// enough is the evidence from which a sentence is an order.
const enough = 5

// imperativeScore counts the signs that the reader is to do something, up to
// three.
func (s *utterance) imperativeScore() int {
	n := 0
	if s.Hidden || s.followed {
		n += 2
	}
	if s.nearSecrecy || s.Has("hush", "consent") {
		n++
	}
	if s.nearby(2, "agent") {
		n++
	}
	if s.Demand > 0 || s.Has("owe", "address", "before", "now", "only-after", "threat", "again") {
		n++
	}
	if len(s.Imperatives("pass", "read", "call", "passed", "goes", "say", "alter", "does-pass", "does-read", "follow")) > 0 {
		n++
	}
	return min(n, 3)
}

// harmlessScore counts the signs that the reader is to do nothing.
func (s *utterance) harmlessScore() int {
	n := 0
	if s.Has("perhaps") {
		n += 2
	}
	if s.doneByOthers() || s.doneByPeople() || s.tellsPast() || s.Has("explain") && s.Place.Part == InTurn {
		n += 3
	}
	if s.Has("fitness") {
		n += 2
	}
	if s.genre.manual && !s.genre.agent {
		n += 2
	}
	if s.genre.program && !s.genre.agent {
		n += 4
	}
	return n
}

// nextSpeaksToReader reports whether the next sentence addresses the reader:
// "obtain it before you go on".
func (s *utterance) nextSpeaksToReader() bool {
	return s.index+1 < len(s.siblings) && s.siblings[s.index+1].Has("address", "owe", "now", "again", "remedy", "threat", "hush", "telling") && s.siblings[s.index+1].Has("pronoun", "this", "again", "remedy")
}

// notForReader reports whether the sentence asks nothing of the reader, or only
// forbids.
func (s *utterance) notForReader() bool {
	if s.Hidden {
		return false
	}
	return s.OnlyForbids() || s.doneByProgram() || s.genre.program && !s.genre.agent || s.harmlessScore() > 2 && len(s.Imperatives("pass", "goes")) == 0
}

// nearby says whether a class is in the sentence or within n sentences on
// either side.
func (s *utterance) nearby(n int, classes ...string) bool {
	for i := max(0, s.index-n); i < min(len(s.siblings), s.index+n+1); i++ {
		if s.siblings[i].Has(classes...) {
			return true
		}
	}
	return false
}

// doneByOthers reports whether somebody else does it and not the reader: "the
// server reads", "reads ... on start", "by the client".
func (s *utterance) doneByOthers() bool {
	if s.Has("agent") || s.nearby(3, "persona") || s.index == 0 && s.Words[0].Text == "and" {
		return false
	}
	if s.doneByProgram() {
		return true
	}
	for _, m := range s.Each("does-read", "does-pass", "does-use") {
		i := m.From - 1
		switch {
		case s.otherClause(m) || s.Near(m.From, m.To, "takes", "mails"):
		case i >= 0 && (s.Words[i].Name || s.Words[i].Shape != promptscan.ShapeWord) && !s.Words[m.From].Lead:
		case s.Within(m.From-4, m.From, "machine") || !s.nearby(3, "agent", "now"):
			return true
		}
	}
	return slices.ContainsFunc(s.Each("machine"), func(m promptscan.Sense) bool { return s.Near(m.From-3, m.From, "by") })
}

// doneByProgram reports whether a program does it: "curl and git read that
// file".
func (s *utterance) doneByProgram() bool {
	return slices.ContainsFunc(s.Each("read", "pass"), func(m promptscan.Sense) bool {
		return m.From > 0 && !s.Words[m.From].Lead && s.Is(m.From-1, "machine") && !s.Words[m.From-1].Name && !s.Near(m.From-1, m.From, "tool", "server", "client", "command", "script")
	})
}

// otherClause reports whether the verb's clause mentions nothing to read or
// send to, and another clause does.
func (s *utterance) otherClause(m promptscan.Sense) bool {
	here, there := false, false
	for i, w := range s.Words {
		if w.Shape == promptscan.ShapeWord {
			continue
		}
		if s.Parted(min(i, m.From)+1, max(i, m.From)) {
			there = true
		} else {
			here = true
		}
	}
	return there && !here
}

// doneByPeople reports whether people are to do it, or may do it.
func (s *utterance) doneByPeople() bool {
	return slices.ContainsFunc(s.Each("people"), func(m promptscan.Sense) bool { return !s.IsNegated(m.From) })
}

// tellsPast reports whether the sentence describes what happened.
func (s *utterance) tellsPast() bool {
	return slices.ContainsFunc(s.Each("passed", "got"), func(m promptscan.Sense) bool {
		if s.Near(m.From-2, m.From, "was", "were") && !s.Near(m.From-3, m.From, "you", "that") {
			return true
		}
		object := s.Near(m.To, m.To+1, "it", "them", "both", "these") || m.To < len(s.Words) && s.Words[m.To].Shape != promptscan.ShapeWord && s.English()
		return object && !s.Near(m.From-3, m.From, "be", "been", "have", "has", "having", "you", "is", "are") && !s.Near(m.From, m.To, "read", "put", "set", "left")
	})
}

// genre describes a text as a whole.
type genre struct {
	// manual is set for text with headings, written for people, program for
	// source code, agent if the text mentions agents.
	manual, program, agent bool
}

var (
	heading     = lazyregexp.New("(?m)^(?:#{1,5} +\\w|```)")
	programText = lazyregexp.New(`(?m)^\s*(?:#!/|import |from \w+ import|package \w+$|def \w+\(|func \w+\(|const \w+ =|[-+]\s+\w+ = |\w+ = \w+[.(])`)
)

func genreOf(text string, sentences []grammar.Sentence) genre {
	p := genre{program: strings.HasPrefix(text, "#!") || len(programText.FindAllStringIndex(text, 2)) > 1}
	p.manual = !p.program && heading.MatchString(text) // comments in source code are no headings
	for i := range sentences {
		p.agent = p.agent || sentences[i].Has("agent")
	}
	return p
}
