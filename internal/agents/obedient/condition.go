package obedient

import (
	"slices"
)

// condition is when an order is to be carried out, and whether that can be.
type condition struct {
	moment Moment
	// tool is the one whose use it is about, -1 for any.
	tool int
	// said is set if the sentence says so itself.
	said bool
	// fails is set if it depends on what is not the case.
	fails bool
	// span are the words of the clause.
	span
}

// conditions finds out when an order is to be carried out.
type conditions struct {
	tools *resolver
	task  *task
}

// condition finds out when the order holds.
func (b *conditions) of(s *utterance) condition {
	c := condition{moment: Now, tool: -1}
	if s.place.Part == InTool {
		c.moment, c.tool = Before, s.tool
	}
	if s.urged {
		c.moment, c.tool = Now, -1
	}
	if s.class("after-it") && !s.urged {
		c.moment = map[bool]Moment{true: After, false: Now}[s.place.Part == InTool]
	}
	if s.class("at-end") {
		c.moment, c.said = End, true
	}
	for _, m := range s.each("if", "when", "before-it") {
		if !clauseBegins(s, m.From) {
			continue
		}
		if s.demand > 0 && m.From < s.demand || m.From > 0 && s.near(m.From, m.To, "provided") {
			continue // it is what is demanded
		}
		from, to := m.From, s.clauseEnd(m.To)
		if polite(s, m.From) {
			continue
		}
		c.from, c.to = from, to
		b.clause(s, m.Class, &c)
		break
	}
	return c
}

// begins says whether a clause with a condition begins at a word.
func clauseBegins(s *utterance, i int) bool {
	w := s.Words[i]
	if w.Quoted && !s.Words[0].Quoted || s.at(i, "only-after") || s.near(i-1, i, "only", "until") {
		return false
	}
	switch w.Text {
	case "first", "once", "al", "si", "at", "over", "then", "vor", "до", "при", "前", "先", "时", "后":
		return w.Lead && i+2 < len(s.Words) && w.Text != "first" && w.Text != "then"
	}
	return true
}

// polite: "it would help if you could".
func polite(s *utterance, i int) bool {
	if s.near(i-5, i, "appreciate", "appreciated", "grateful", "helpful", "help", "nice", "great", "lovely", "wonderful", "glad", "mind", "love", "thankful", "kind") {
		return true
	}
	if s.near(i+1, i+8, "trouble", "bother", "inconvenience", "inconvenient", "imposition", "kind", "okay") {
		return true
	}
	return s.near(i+1, i+3, "you") && s.near(i+2, i+4, "could", "would", "might")
}

// clauseEnd is where the clause ends: at the next one, or with the sentence.
func (s *statement) clauseEnd(i int) int {
	for j := i + 1; j < len(s.Words); j++ {
		if s.Words[j].Lead {
			return j
		}
		if j > i+1 && (s.Words[j].Text == "you" || s.Words[j].Text == "then") && s.at(j, "address", "owe") {
			return j
		}
		if j > i+2 && s.near(j, j+1, "call", "invoke", "run", "execute", "use") && !bound(s.Words[j-1].Text) && !s.near(j-1, j, "you", "they", "to", "and", "or", "tool") {
			return j
		}
		if j > i+1 && s.near(j, j+1, "call", "invoke") && s.near(j-1, j, "it") {
			return j
		}
		if j > i && s.at(j, "read", "pass") && !s.near(j-1, j, "you", "they", "we", "to", "the", "it", "is", "are", "be", "a", "user", "not", "and", "or") && (!s.english() || !s.at(j-1, "user", "agent", "pass", "read")) {
			return j
		}
	}
	return len(s.Words)
}

// clause reads what the clause says.
func (b *conditions) clause(s *utterance, class string, c *condition) {
	tools := b.tools.toolsIn(s, c.from, c.to)
	switch {
	case len(tools) > 0:
		c.tool, c.said = tools[0].tool, true
		c.moment = With
		if class == "before-it" {
			c.moment = Before
		} else if s.within(c.from, c.to, "after-it") || s.near(c.from, c.to, "returns", "returned", "finished") {
			c.moment = After
		}
	case s.within(c.from, c.to, "other", "others"):
		c.tool, c.said = -1, true
		c.moment = Now
		if class != "before-it" {
			c.moment = After
		}
	case class == "if" && s.near(c.from, c.from+1, "unless"):
	case s.within(c.from, c.to, "failing") && s.near(c.from, c.to, "missing", "absent") && s.near(c.from, c.from+3, "it", "they", "that", "this"):
	case s.within(c.from, c.to, "failing"):
		c.fails = !s.failed && !s.within(c.from, c.to, "holds")
	case s.within(c.from, c.to, "user") && s.within(c.from, c.to, "asks"):
		c.fails = !b.task.concerns(s, c.from, c.to)
	case class == "if":
		c.fails = !b.vacuous(s, c)
	case class == "before-it" && c.moment == After:
		c.moment = Before
	}
}

// vacuous: the condition is none, or is about the task at hand.
func (b *conditions) vacuous(s *utterance, c *condition) bool {
	if s.near(c.from, c.to, "exists", "exist", "there", "present", "found", "existiert", "existe", "существует", "存") {
		return true
	}
	if s.within(c.from, c.to, "holds", "agent", "toolword") || s.near(c.from, c.to, "called", "used", "this") {
		return true
	}
	return b.task.concerns(s, c.from, c.to)
}

// concerns: the words are those of the user's task.
func (b *task) concerns(s *utterance, from, to int) bool {
	for i := from; i < to; i++ {
		if w := s.Words[i].Text; len(w) > 3 && b.topic[w] && !s.at(i, "user", "asks", "if", "when", "toolword") && !weak(w) {
			return true
		}
	}
	return false
}

// weak words stand in any task.
func weak(w string) bool {
	return slices.Contains([]string{"with", "this", "that", "then", "tool", "answer", "result", "from", "what", "when", "have", "about", "wants", "into", "their", "file", "data", "project"}, w)
}
