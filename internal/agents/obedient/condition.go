package obedient

// condition is when an order is to be carried out, and whether that can be.
type condition struct {
	moment Moment
	// tool is the one whose use it is about, -1 for any.
	tool int
	// said is set if the sentence says so itself.
	explicit bool
	// fails is set if it depends on what is not the case.
	unmet bool
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
	if s.followed {
		c.moment, c.tool = Now, -1
	}
	if s.has("after-it") && !s.followed {
		c.moment = map[bool]Moment{true: After, false: Now}[s.place.Part == InTool]
	}
	if s.has("at-end") {
		c.moment, c.explicit = End, true
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

// clause reads what the clause says.
func (b *conditions) clause(s *utterance, class string, c *condition) {
	tools := b.tools.mentionsIn(s, c.from, c.to)
	switch {
	case len(tools) > 0:
		c.tool, c.explicit = tools[0].tool, true
		c.moment = With
		if class == "before-it" {
			c.moment = Before
		} else if s.within(c.from, c.to, "after-it") || s.near(c.from, c.to, "returns", "returned", "finished") {
			c.moment = After
		}
	case s.within(c.from, c.to, "other", "others"):
		c.tool, c.explicit = -1, true
		c.moment = Now
		if class != "before-it" {
			c.moment = After
		}
	case class == "if" && s.near(c.from, c.from+1, "unless"):
	case s.within(c.from, c.to, "failing") && s.near(c.from, c.to, "missing", "absent") && s.near(c.from, c.from+3, "it", "they", "that", "this"):
	case s.within(c.from, c.to, "failing"):
		c.unmet = !s.failed && !s.within(c.from, c.to, "holds")
	case s.within(c.from, c.to, "user") && s.within(c.from, c.to, "asks"):
		c.unmet = !b.task.concerns(s, c.from, c.to)
	case class == "if":
		c.unmet = !b.holds(s, c)
	case class == "before-it" && c.moment == After:
		c.moment = Before
	}
}

// vacuous: the condition is none, or is about the task at hand.
func (b *conditions) holds(s *utterance, c *condition) bool {
	if s.near(c.from, c.to, "exists", "exist", "there", "present", "found", "existiert", "existe", "существует", "存") {
		return true
	}
	if s.within(c.from, c.to, "holds", "agent", "toolword") || s.near(c.from, c.to, "called", "used", "this") {
		return true
	}
	return b.task.concerns(s, c.from, c.to)
}
