package order

import "github.com/mcpsf/mcpsf/internal/agents/obedient/grammar"

// condition is when an order is to be carried out, and whether that can happen.
type condition struct {
	Moment Moment
	// Tool is the tool whose use the condition is about, -1 for any.
	Tool int
	// explicit is set if the sentence itself states the condition.
	explicit bool
	// unmet is set if the condition is not met.
	unmet bool
	// Span are the words of the clause.
	grammar.Span
}

// conditions finds out when an order is to be carried out.
type conditions struct {
	tools *Resolver
	task  *Task
}

// of finds out when the order holds.
func (cs *conditions) of(s *utterance) condition {
	c := condition{Moment: Now, Tool: -1}
	if s.Place.Part == InTool {
		c.Moment, c.Tool = Before, s.Tool
	}
	if s.followed {
		c.Moment, c.Tool = Now, -1
	}
	if s.Has("after-it") && !s.followed {
		c.Moment = map[bool]Moment{true: After, false: Now}[s.Place.Part == InTool]
	}
	if s.Has("at-end") {
		c.Moment, c.explicit = End, true
	}
	for _, m := range s.Each("if", "when", "before-it") {
		if !s.BeginsClause(m.From) {
			continue
		}
		if s.Demand > 0 && m.From < s.Demand || m.From > 0 && s.Near(m.From, m.To, "provided") {
			continue // this clause is the demand
		}
		from, to := m.From, s.ClauseEnd(m.To)
		if s.IsPolite(m.From) {
			continue
		}
		c.From, c.To = from, to
		cs.clause(s, m.Class, &c)
		break
	}
	return c
}

// clause parses a conditional clause.
func (cs *conditions) clause(s *utterance, class string, c *condition) {
	tools := cs.tools.mentionsIn(s, c.From, c.To)
	switch {
	case len(tools) > 0:
		c.Tool, c.explicit = tools[0].tool, true
		c.Moment = With
		if class == "before-it" {
			c.Moment = Before
		} else if s.Within(c.From, c.To, "after-it") || s.Near(c.From, c.To, "returns", "returned", "finished") {
			c.Moment = After
		}
	case s.Within(c.From, c.To, "other", "others"):
		c.Tool, c.explicit = -1, true
		c.Moment = Now
		if class != "before-it" {
			c.Moment = After
		}
	case class == "if" && s.Near(c.From, c.From+1, "unless"):
	case s.Within(c.From, c.To, "failing") && s.Near(c.From, c.To, "missing", "absent") && s.Near(c.From, c.From+3, "it", "they", "that", "this"):
	case s.Within(c.From, c.To, "failing"):
		c.unmet = !s.Failed && !s.Within(c.From, c.To, "holds")
	case s.Within(c.From, c.To, "user") && s.Within(c.From, c.To, "asks"):
		c.unmet = !cs.task.concerns(s, c.From, c.To)
	case class == "if":
		c.unmet = !cs.holds(s, c)
	case class == "before-it" && c.Moment == After:
		c.Moment = Before
	}
}

// holds reports whether the condition always holds, or is about the current
// task.
func (cs *conditions) holds(s *utterance, c *condition) bool {
	if s.NearSet(c.From, c.To, words().Phrases.Exists) {
		return true
	}
	if s.Within(c.From, c.To, "holds", "agent", "toolword") || s.Near(c.From, c.To, "called", "used", "this") {
		return true
	}
	return cs.task.concerns(s, c.From, c.To)
}
