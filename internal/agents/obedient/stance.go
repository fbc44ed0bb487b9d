package obedient

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// Whether a sentence is an order is a matter of evidence that adds up: what is
// spoken of, where it is to go, who is spoken to, and on the other side what
// shows that it is harmless. No form of words is needed for it.

// enough is the evidence that makes an order.
const enough = 5

// urge counts what speaks to the reader, up to three.
func (s *utterance) urge() int {
	n := 0
	if s.hidden || s.urged {
		n += 2
	}
	if s.hushed || s.class("hush", "consent") {
		n++
	}
	if s.around(2, "agent") {
		n++
	}
	if s.demand > 0 || s.class("owe", "address", "before", "now", "only-after", "threat", "again") {
		n++
	}
	if len(s.live("pass", "read", "call", "passed", "goes", "say", "alter", "does-pass", "does-read", "follow")) > 0 {
		n++
	}
	return min(n, 3)
}

// calm counts what says that nothing is wanted of the reader.
func (s *utterance) calm() int {
	n := 0
	if s.class("perhaps") {
		n += 2
	}
	if s.selfDone() || s.byPeople() || s.past() || s.class("explain") && s.place.Part == InTurn {
		n += 3
	}
	if s.class("fitness") {
		n += 2
	}
	if s.prose.manual && !s.prose.agent {
		n += 2
	}
	if s.prose.program && !s.prose.agent {
		n += 4
	}
	return n
}

// pressed: the next sentence speaks to the reader: "obtain it before you go on".
func (s *utterance) pressed() bool {
	return s.n+1 < len(s.mates) && s.mates[s.n+1].class("address", "owe", "now", "again", "remedy", "threat", "hush", "telling") && s.mates[s.n+1].class("pronoun", "this", "again", "remedy")
}

// moot: nothing is wanted of the reader, or just that it is not done.
func (s *utterance) moot() bool {
	if s.hidden {
		return false
	}
	return s.barred() || s.byMachine() || s.prose.program && !s.prose.agent || s.calm() > 2 && len(s.live("pass", "goes")) == 0
}

// around says whether a class stands in the sentence or in one of so many on
// either side.
func (s *utterance) around(n int, classes ...string) bool {
	for i := max(0, s.n-n); i < min(len(s.mates), s.n+n+1); i++ {
		if s.mates[i].class(classes...) {
			return true
		}
	}
	return false
}

// selfDone: somebody else does it and not the reader: "the server reads",
// "reads ... on start", "by the client".
func (s *utterance) selfDone() bool {
	if s.class("agent") || s.around(3, "persona") || s.n == 0 && s.Words[0].Text == "and" {
		return false
	}
	if s.byMachine() {
		return true
	}
	for _, m := range s.each("does-read", "does-pass", "does-use") {
		i := m.From - 1
		switch {
		case s.aside(m) || s.near(m.From, m.To, "takes", "mails"):
		case i >= 0 && (s.Words[i].Name || s.Words[i].Shape != promptscan.ShapeWord) && !s.Words[m.From].Lead:
		case s.within(m.From-4, m.From, "machine") || !s.around(3, "agent", "now"):
			return true
		}
	}
	return slices.ContainsFunc(s.each("machine"), func(m promptscan.Sense) bool { return s.near(m.From-3, m.From, "by") })
}

// byMachine: "curl and git read that file".
func (s *utterance) byMachine() bool {
	return slices.ContainsFunc(s.each("read", "pass"), func(m promptscan.Sense) bool {
		return m.From > 0 && !s.Words[m.From].Lead && s.at(m.From-1, "machine") && !s.Words[m.From-1].Name && !s.near(m.From-1, m.From, "tool", "server", "client", "command", "script")
	})
}

// aside: the clause of the verb has nothing in it that can be read or sent to,
// and another one has.
func (s *utterance) aside(m promptscan.Sense) bool {
	here, there := false, false
	for i, w := range s.Words {
		if w.Shape == promptscan.ShapeWord {
			continue
		}
		if s.parted(min(i, m.From)+1, max(i, m.From)) {
			there = true
		} else {
			here = true
		}
	}
	return there && !here
}

// byPeople: people are to do it, or may.
func (s *utterance) byPeople() bool {
	return slices.ContainsFunc(s.each("people"), func(m promptscan.Sense) bool { return !s.negated(m.From, m.To) })
}

// past: it is told what happened.
func (s *utterance) past() bool {
	return slices.ContainsFunc(s.each("passed", "got"), func(m promptscan.Sense) bool {
		if s.near(m.From-2, m.From, "was", "were") && !s.near(m.From-3, m.From, "you", "that") {
			return true
		}
		object := s.near(m.To, m.To+1, "it", "them", "both", "these") || m.To < len(s.Words) && s.Words[m.To].Shape != promptscan.ShapeWord && s.english()
		return object && !s.near(m.From-3, m.From, "be", "been", "have", "has", "having", "you", "is", "are") && !s.near(m.From, m.To, "read", "put", "set", "left")
	})
}

// barred: all that the sentence says of passing things on is that it is not
// done.
func (s *statement) barred() bool {
	if s.hidden || s.demand > 0 {
		return false
	}
	no, yes := false, false
	for _, m := range s.each("pass", "passed", "does-pass", "goes", "say", "repeat", "read", "got", "does-read") {
		switch {
		case s.Words[m.From].Name || s.glances(m) || s.at(m.From, "telling"):
		case s.forbids(m.From):
			no = true
		case m.Class != "read" && m.Class != "got" && m.Class != "does-read":
			yes = true
		}
	}
	for _, m := range s.each("contain") {
		if s.near(m.From, m.To, "contain", "contains", "hold", "carry", "enthalten", "contener", "contenir") && s.forbids(m.From) {
			no = true
		}
	}
	return no && !yes
}

// forbids: a "not" stands before the word in the same clause.
func (s *statement) forbids(i int) bool {
	return s.negated(i, i+1) || slices.ContainsFunc(s.each("not"), func(n promptscan.Sense) bool {
		return n.To <= i && i-n.To < 6 && !s.inThe(n) && !s.parted(n.To, i) && !s.near(n.From, n.To, "without")
	})
}

// untouched: "the private one is never needed", "it is not part of it".
func untouched(s *utterance, t asset) bool {
	for _, n := range s.each("not") {
		if n.From >= t.to && n.From-t.to < 3 && !s.parted(t.to, n.From) && s.near(t.to, n.From, "is", "are", "must", "should", "will", "shall", "itself", "does", "do", "can", "ist", "sind", "wird", "es", "est", "не") {
			return true
		}
	}
	return false
}

// prose is what is known of a text as a whole.
type prose struct {
	// manual is set for what is written for people who read headings, program
	// for source code, agent if agents are spoken of.
	manual, program, agent bool
}

var (
	heading     = regexp.MustCompile("(?m)^(?:#{1,5} +\\w|```)")
	programText = regexp.MustCompile(`(?m)^\s*(?:#!/|import |from \w+ import|package \w+$|def \w+\(|func \w+\(|const \w+ =|[-+]\s+\w+ = |\w+ = \w+[.(])`)
)

func proseOf(text string, sentences []promptscan.Sentence) prose {
	p := prose{program: strings.HasPrefix(text, "#!") || len(programText.FindAllStringIndex(text, 2)) > 1}
	p.manual = !p.program && heading.MatchString(text) // its comments are no headings
	for i := range sentences {
		p.agent = p.agent || slices.ContainsFunc(sentences[i].Senses, func(m promptscan.Sense) bool { return m.Class == "agent" })
	}
	return p
}

// gap is the text between two words.
func gap(s *utterance, i, j int) string {
	i, j = min(i, j), max(i, j)
	if i < 0 || j >= len(s.Words) {
		return ""
	}
	from, to := s.Words[i].End, s.Words[j].Start
	if from < 0 || to > len(s.source) || from > to {
		return ""
	}
	return s.source[from:to]
}

// arrow: one points to the other.
func arrow(s *utterance, i, j int) bool {
	between := gap(s, i, j)
	return slices.ContainsFunc([]string{"->", "→", "=>", "⇒", "»", ">>", "➜"}, func(a string) bool { return strings.Contains(between, a) })
}
