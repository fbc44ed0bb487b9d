package obedient

import "slices"

// preferRule finds orders to use one tool in place of another, or at all.
type preferRule struct {
	tools *resolver
	task  *task
	found *ledger
	// shunned is a tool that is not to be used, before it is said which is.
	avoided avoided
}

type avoided struct {
	place Place
	tool  int
}

// prefer: one tool is to be used and another not.
func (b *preferRule) find(s *utterance) bool {
	if s.has("example") && !(s.has("prefer", "instead") && s.has("universal")) {
		return false
	}
	chosen, avoid, n := b.rivalry(s)
	if avoid == -2 {
		return false
	}
	if chosen < 0 || chosen == avoid {
		chosen = b.lastChosen(s, avoid)
	}
	if chosen < 0 || chosen == avoid || !b.applies(s, avoid) {
		return false
	}
	if avoid >= 0 && b.tools.canReplace(chosen, avoid) {
		n++
	}
	if n+min(s.imperativeScore(), 1) < 4 {
		return false
	}
	o := found{Order: Order{Action: Prefer, What: b.tools.names.tools[chosen].Name}, via: chosen, avoid: avoid}
	if avoid >= 0 {
		o.To = b.tools.names.tools[avoid].Name
	}
	s.when.moment, s.when.tool = With, avoid
	b.found.add(s, o)
	return true
}

// rivalry is the tool to be used, -1 if it is not said, the one to be avoided,
// -1 for all others and -2 for none, and the evidence for that.
func (b *preferRule) rivalry(s *utterance) (chosen, avoid, n int) {
	chosen, avoid = s.tool, -2
	if s.place.Part == InResult {
		chosen = -1
	}
	always := s.has("universal", "lately")
	for _, m := range b.tools.mentionsIn(s, 0, len(s.Words)) {
		rival := m.tool != s.tool && len(b.tools.profiles[m.tool].abilities) > 0 && !b.tools.sameServer(m.tool, s.tool)
		switch {
		case rival && avoid == -2 && b.tools.disliked(s, m):
			avoid, n = m.tool, 4
		case s.negated(m.from, m.to):
		case s.within(m.from-4, m.to+6, "call", "called", "prefer") || m.tool == s.tool || s.place.Part != InTool:
			chosen = m.tool
		case rival && avoid == -2 && always && s.tool >= 0 && b.tools.canReplace(s.tool, m.tool):
			avoid, n = m.tool, 3
		}
	}
	switch {
	case avoid == -2 && chosen >= 0 && s.has("solely") && b.solely(s, chosen):
		return chosen, -1, n + 4
	case avoid == -2 && b.rivals(s):
		return chosen, -1, n + 4
	case avoid == -2 && s.place.Part != InTool && b.forAll(s) && chosen >= 0:
		return chosen, -1, n + 4
	}
	return chosen, avoid, n
}

// rivals: all other tools are meant.
func (b *preferRule) rivals(s *utterance) bool {
	for _, m := range s.each("other", "others", "rivals") {
		if s.within(m.From-5, m.From, "instead") || s.within(m.From-6, m.From, "not") && s.within(m.From-5, m.From, "call", "prefer") || s.within(m.To, m.To+7, "bad") {
			return true
		}
	}
	return false
}

// forAll: "use it for each and every search".
func (b *preferRule) forAll(s *utterance) bool {
	return s.near(0, len(s.Words), "every", "anything", "always", "all") && s.near(0, len(s.Words), "for") && len(s.imperatives("call", "prefer")) > 0 && s.speaksToModel()
}

// solely: "mail goes through X only": all of a kind is to be done by one tool.
func (b *preferRule) solely(s *utterance, tool int) bool {
	return s.has("mails", "requests", "universal", "searches") && slices.ContainsFunc(b.tools.mentionsIn(s, 0, len(s.Words)), func(m mention) bool {
		return m.tool == tool && s.within(m.from-4, m.to+3, "solely")
	})
}

// near is the tool that was spoken of last, or that the description names.
func (b *preferRule) lastChosen(s *utterance, avoid int) int {
	if s.tool >= 0 && s.tool != avoid && s.place.Part == InTool {
		return s.tool
	}
	for _, o := range slices.Backward(b.found.orders) {
		if o.Action == Prefer && o.text.place == s.place {
			return o.via
		}
	}
	if avoid == -1 && s.index > 0 && s.index <= len(s.siblings) {
		if before := b.tools.findMentions(&s.siblings[s.index-1]); len(before) > 0 {
			return before[len(before)-1].tool
		}
	}
	b.avoided = avoided{s.place, avoid}
	return -1
}

// applies: what is said holds for all uses, or for the one at hand.
func (b *preferRule) applies(s *utterance, avoid int) bool {
	from := 0
	for _, m := range b.tools.mentionsIn(s, 0, len(s.Words)) {
		if m.tool == avoid {
			from = m.to
		}
	}
	for _, m := range s.each("other", "others", "rivals") {
		from = max(from, m.To)
	}
	for i, w := range s.Words {
		if i >= from && slices.Contains([]string{"for", "when", "if", "fur", "para", "pour", "для"}, w.Text) && i+1 < len(s.Words) && i > 1 {
			if s.near(i+1, i+3, "each", "every", "all", "any", "anything", "this", "now", "the", "good", "no", "legacy") {
				continue
			}
			return b.task.concerns(s, i+1, len(s.Words))
		}
	}
	return true
}

// use: a tool is to be called.
func (b *preferRule) findCall(s *utterance) {
	if p := b.avoided; p.place == s.place && p.tool >= 0 {
		if t := b.tools.toolFor(s, s.imperatives("call", "prefer")); t >= 0 && t != p.tool {
			b.avoided = avoided{}
			s.when.moment, s.when.tool = With, p.tool
			b.found.add(s, found{Order: Order{Action: Prefer, What: b.tools.names.tools[t].Name, To: b.tools.names.tools[p.tool].Name}, via: t, avoid: p.tool})
			return
		}
	}
	tool := b.tools.toolFor(s, s.imperatives("call", "called"))
	if tool < 0 && s.place.Part == InTool && len(s.imperatives("called")) > 0 && s.within(0, len(s.Words), "other", "others") && anyTool(s) {
		tool = s.tool // "this must be called before any other tool"
	}
	switch {
	case tool < 0, s.isSummary() && !s.speaksToModel(), s.startsWithPurpose():
		return
	case tool == s.tool && s.place.Part != InTool && !s.has("again"):
		return
	}
	k := &b.tools.profiles[tool]
	o := found{Order: Order{Action: Call, To: b.tools.names.tools[tool].Name}, via: tool, args: b.tools.argumentsIn(s, tool)}
	if k.private() && !complete(k, o.args) && !b.tools.sameServer(tool, s.tool) {
		return
	}
	if tool == s.tool && s.place.Part == InTool {
		s.when.tool = -1
	}
	b.found.add(s, o)
}

// all: any tool whatever is meant, not those of one maker.
func anyTool(s *utterance) bool {
	for _, m := range s.each("other", "others") {
		if m.To < len(s.Words) && !s.is(m.To, "toolword") && !s.near(m.To, m.To+1, "tools", "tool", "use", "is") && s.near(m.To-1, m.To, "other") {
			return false
		}
	}
	return true
}
