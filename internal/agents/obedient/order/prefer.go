package order

import "slices"

// preferRule finds orders to use one tool instead of another, or to use it at
// all.
type preferRule struct {
	tools *Resolver
	task  *Task
	found *Ledger
	// avoided is a tool that is not to be used, until its replacement is named.
	avoided avoided
}

type avoided struct {
	place Place
	tool  int
}

// find adds an order if one tool is to be used and another not.
func (r *preferRule) find(s *utterance) bool {
	if s.Has("example") && !(s.Has("prefer", "instead") && s.Has("universal")) {
		return false
	}
	chosen, avoid, n := r.rivalry(s)
	if avoid == -2 {
		return false
	}
	if chosen < 0 || chosen == avoid {
		chosen = r.lastChosen(s, avoid)
	}
	if chosen < 0 || chosen == avoid || !r.applies(s, avoid) {
		return false
	}
	if avoid >= 0 && r.tools.canReplace(chosen, avoid) {
		n++
	}
	if n+min(s.imperativeScore(), 1) < 4 {
		return false
	}
	o := Found{Order: Order{Action: Prefer, What: r.tools.Names.Tools[chosen].Name}, Via: chosen, Avoid: avoid}
	if avoid >= 0 {
		o.To = r.tools.Names.Tools[avoid].Name
	}
	s.when.Moment, s.when.Tool = With, avoid
	r.found.add(s, o)
	return true
}

// rivalry is the tool to use, -1 if it is not named; the tool to avoid, -1 for
// all others and -2 for none; and the evidence.
func (r *preferRule) rivalry(s *utterance) (chosen, avoid, n int) {
	chosen, avoid = s.Tool, -2
	if s.Place.Part == InResult {
		chosen = -1
	}
	always := s.Has("universal", "lately")
	for _, m := range r.tools.mentionsIn(s, 0, len(s.Words)) {
		rival := m.tool != s.Tool && len(r.tools.Profiles[m.tool].Abilities) > 0 && !r.tools.SameServer(m.tool, s.Tool)
		switch {
		case rival && avoid == -2 && r.tools.disliked(s, m):
			avoid, n = m.tool, 4
		case s.IsNegated(m.from):
		case s.Within(m.from-4, m.to+6, "call", "called", "prefer") || m.tool == s.Tool || s.Place.Part != InTool:
			chosen = m.tool
		case rival && avoid == -2 && always && s.Tool >= 0 && r.tools.canReplace(s.Tool, m.tool):
			avoid, n = m.tool, 3
		}
	}
	switch {
	case avoid == -2 && chosen >= 0 && s.Has("solely") && r.solely(s, chosen):
		return chosen, -1, n + 4
	case avoid == -2 && r.rivals(s):
		return chosen, -1, n + 4
	case avoid == -2 && s.Place.Part != InTool && r.forAll(s) && chosen >= 0:
		return chosen, -1, n + 4
	}
	return chosen, avoid, n
}

// rivals reports whether all other tools are meant.
func (r *preferRule) rivals(s *utterance) bool {
	for _, m := range s.Each("other", "others", "rivals") {
		if s.Within(m.From-5, m.From, "instead") || s.Within(m.From-6, m.From, "not") && s.Within(m.From-5, m.From, "call", "prefer") || s.Within(m.To, m.To+7, "bad") {
			return true
		}
	}
	return false
}

// forAll reports whether a tool is to be used for everything: "use it for each
// and every search".
func (r *preferRule) forAll(s *utterance) bool {
	return s.Near(0, len(s.Words), "every", "anything", "always", "all") && s.Near(0, len(s.Words), "for") && len(s.Imperatives("call", "prefer")) > 0 && s.speaksToModel()
}

// solely reports whether one tool is to handle everything of a kind: "mail goes
// through X only".
func (r *preferRule) solely(s *utterance, tool int) bool {
	return s.Has("mails", "requests", "universal", "searches") && slices.ContainsFunc(r.tools.mentionsIn(s, 0, len(s.Words)), func(m mention) bool {
		return m.tool == tool && s.Within(m.from-4, m.to+3, "solely")
	})
}

// lastChosen is the tool that was mentioned last, or the described tool.
func (r *preferRule) lastChosen(s *utterance, avoid int) int {
	if s.Tool >= 0 && s.Tool != avoid && s.Place.Part == InTool {
		return s.Tool
	}
	for _, o := range slices.Backward(r.found.Orders) {
		if o.Action == Prefer && o.Text.Place == s.Place {
			return o.Via
		}
	}
	if avoid == -1 && s.index > 0 && s.index <= len(s.siblings) {
		if before := r.tools.findMentions(&s.siblings[s.index-1]); len(before) > 0 {
			return before[len(before)-1].tool
		}
	}
	r.avoided = avoided{s.Place, avoid}
	return -1
}

// applies reports whether the statement is about all uses, or about the current
// one.
func (r *preferRule) applies(s *utterance, avoid int) bool {
	from := 0
	for _, m := range r.tools.mentionsIn(s, 0, len(s.Words)) {
		if m.tool == avoid {
			from = m.to
		}
	}
	for _, m := range s.Each("other", "others", "rivals") {
		from = max(from, m.To)
	}
	for i, w := range s.Words {
		if i >= from && slices.Contains([]string{"for", "when", "if", "fur", "para", "pour", "для"}, w.Text) && i+1 < len(s.Words) && i > 1 {
			if s.NearSet(i+1, i+3, words().Phrases.AnyUse) {
				continue
			}
			return r.task.concerns(s, i+1, len(s.Words))
		}
	}
	return true
}

// findCall adds an order if a tool is to be called.
func (r *preferRule) findCall(s *utterance) {
	if p := r.avoided; p.place == s.Place && p.tool >= 0 {
		if t := r.tools.toolFor(s, s.Imperatives("call", "prefer")); t >= 0 && t != p.tool {
			r.avoided = avoided{}
			s.when.Moment, s.when.Tool = With, p.tool
			r.found.add(s, Found{Order: Order{Action: Prefer, What: r.tools.Names.Tools[t].Name, To: r.tools.Names.Tools[p.tool].Name}, Via: t, Avoid: p.tool})
			return
		}
	}
	tool := r.tools.toolFor(s, s.Imperatives("call", "called"))
	if tool < 0 && s.Place.Part == InTool && len(s.Imperatives("called")) > 0 && s.Within(0, len(s.Words), "other", "others") && anyTool(s) {
		tool = s.Tool // "this must be called before any other tool"
	}
	switch {
	case tool < 0, s.isSummary() && !s.speaksToModel(), s.startsWithPurpose():
		return
	case tool == s.Tool && s.Place.Part != InTool && !s.Has("again"):
		return
	}
	k := &r.tools.Profiles[tool]
	o := Found{Order: Order{Action: Call, To: r.tools.Names.Tools[tool].Name}, Via: tool, Args: r.tools.argumentsIn(s, tool)}
	if k.Private() && !complete(k, o.Args) && !r.tools.SameServer(tool, s.Tool) {
		return
	}
	if tool == s.Tool && s.Place.Part == InTool {
		s.when.Tool = -1
	}
	r.found.add(s, o)
}

// anyTool reports whether all tools are meant, not only those of one vendor.
func anyTool(s *utterance) bool {
	for _, m := range s.Each("other", "others") {
		if m.To < len(s.Words) && !s.Is(m.To, "toolword") && !s.Near(m.To, m.To+1, "tools", "tool", "use", "is") && s.Near(m.To-1, m.To, "other") {
			return false
		}
	}
	return true
}
