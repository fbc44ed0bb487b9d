package follower

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/speech"
)

// prefer: one tool is to be used and another not.
func (b *book) prefer(s *saying) bool {
	if s.class("example") {
		return false
	}
	tools := b.toolsIn(s, 0, len(s.Words))
	chosen := s.tool
	if s.place.Part == InResult {
		chosen = -1
	}
	avoid := -2
	for _, m := range tools {
		if m.tool != s.tool && b.disliked(s, m) {
			avoid = m.tool
		} else if !s.negated(m.from, m.to) && s.within(m.from-4, m.to+6, "call", "called", "prefer") {
			chosen = m.tool
		}
	}
	if avoid == -2 && b.rivals(s) {
		avoid = -1
	}
	if avoid == -2 && s.place.Part != InTool && b.forAll(s) && chosen >= 0 {
		avoid = -1
	}
	if avoid == -2 {
		return false
	}
	if chosen < 0 || chosen == avoid {
		chosen = b.near(s, avoid)
	}
	if chosen < 0 || chosen == avoid || !b.applies(s, avoid) {
		return false
	}
	o := order{Order: Order{Deed: Prefer, What: b.names.tools[chosen].Name}, via: chosen, avoid: avoid}
	if avoid >= 0 {
		o.To = b.names.tools[avoid].Name
	}
	s.when.moment, s.when.tool = With, avoid
	b.add(s, o)
	return true
}

// disliked: the tool is said to be worse, or not to be used.
func (b *book) disliked(s *saying, m mention) bool {
	if s.within(m.from-5, m.from, "instead") {
		return true
	}
	if s.negated(m.from, m.to) && s.within(m.from-3, m.from, "call", "prefer") {
		return true
	}
	for _, c := range s.each("bad") {
		if c.From >= m.to && c.From-m.to < 6 || m.from >= c.To && m.from-c.To < 2 && c.To-c.From == 1 {
			return true
		}
	}
	return false
}

// rivals: all other tools are meant.
func (b *book) rivals(s *saying) bool {
	for _, m := range s.each("other", "others", "rivals") {
		if s.within(m.From-5, m.From, "instead") || s.within(m.From-6, m.From, "not") && s.within(m.From-5, m.From, "call", "prefer") || s.within(m.To, m.To+4, "bad") {
			return true
		}
	}
	return false
}

// forAll: "use it for each and every search".
func (b *book) forAll(s *saying) bool {
	return s.near(0, len(s.Words), "every", "anything", "always", "all") && s.near(0, len(s.Words), "for") && len(s.live("call", "prefer")) > 0 && s.spoken()
}

// near is the tool that was spoken of last, or that the description names.
func (b *book) near(s *saying, avoid int) int {
	if s.tool >= 0 && s.tool != avoid && s.place.Part == InTool {
		return s.tool
	}
	for _, o := range slices.Backward(b.orders) {
		if o.Deed == Prefer && o.text.place == s.place {
			return o.via
		}
	}
	b.shunned = shunned{s.place, avoid}
	return -1
}

// applies: what is said holds for all uses, or for the one at hand.
func (b *book) applies(s *saying, avoid int) bool {
	from := 0
	for _, m := range b.toolsIn(s, 0, len(s.Words)) {
		if m.tool == avoid {
			from = m.to
		}
	}
	for _, m := range s.each("other", "others", "rivals") {
		from = max(from, m.To)
	}
	for i, w := range s.Words {
		if i >= from && slices.Contains([]string{"for", "when", "if", "fur", "para", "pour", "для"}, w.Text) && i+1 < len(s.Words) && i > 1 {
			if s.near(i+1, i+3, "each", "every", "all", "any", "anything", "this", "now", "the", "good") {
				continue
			}
			return b.concerns(s, i+1, len(s.Words))
		}
	}
	return true
}

// use: a tool is to be called.
func (b *book) use(s *saying) {
	if p := b.shunned; p.place == s.place && p.tool >= 0 {
		if t := b.tool(s, s.live("call", "prefer")); t >= 0 && t != p.tool {
			b.shunned = shunned{}
			s.when.moment, s.when.tool = With, p.tool
			b.add(s, order{Order: Order{Deed: Prefer, What: b.names.tools[t].Name, To: b.names.tools[p.tool].Name}, via: t, avoid: p.tool})
			return
		}
	}
	tool := b.tool(s, s.live("call", "called"))
	if tool < 0 && s.place.Part == InTool && len(s.live("called")) > 0 && s.within(0, len(s.Words), "other", "others") && b.all(s) {
		tool = s.tool // "this must be called before any other tool"
	}
	switch {
	case tool < 0, s.opening() && !s.spoken(), s.aim():
		return
	case tool == s.tool && s.place.Part != InTool && !s.class("again"):
		return
	}
	k := &b.kits[tool]
	o := order{Order: Order{Deed: Call, To: b.names.tools[tool].Name}, via: tool, args: b.spelledOut(s, tool)}
	if k.private() && !b.complete(k, o.args) && !b.family(tool, s) {
		return
	}
	if tool == s.tool && s.place.Part == InTool {
		s.when.tool = -1
	}
	b.add(s, o)
}

// all: any tool whatever is meant, not those of one maker.
func (b *book) all(s *saying) bool {
	for _, m := range s.each("other", "others") {
		if m.To < len(s.Words) && !s.at(m.To, "toolword") && !s.near(m.To, m.To+1, "tools", "tool", "use", "is") && s.near(m.To-1, m.To, "other") {
			return false
		}
	}
	return true
}

// aim: "to delete it, call ..." is advice for who wants that.
func (s *saying) aim() bool {
	if len(s.Words) < 3 || s.Words[0].Text != "to" {
		return false
	}
	switch s.Words[1].Text {
	case "continue", "proceed", "retry", "complete", "finish", "go", "resume", "start", "begin", "unlock", "verify", "recover", "resolve", "fix":
		return false
	}
	return true
}

// family: the tool is of the server that speaks.
func (b *book) family(tool int, s *saying) bool {
	if b.owner == nil || s.tool < 0 {
		return false
	}
	return b.owner(&b.ask.Tools[tool]) == b.owner(&b.ask.Tools[s.tool])
}

// complete: all that the tool needs was said.
func (b *book) complete(k *kit, a arguments) bool {
	return !slices.ContainsFunc(k.params, func(p param) bool { return p.required && a[p.name] == nil })
}

// spelledOut are the arguments that a sentence gives itself.
func (b *book) spelledOut(s *saying, tool int) arguments {
	k := &b.kits[tool]
	a := arguments{}
	from, to := s.span()
	for _, m := range assigned.FindAllStringSubmatch(s.source[from:to], 8) {
		if p := k.named(m[1]); p != nil {
			a.set(p, trim(m[2]))
		}
	}
	for i, w := range s.Words {
		var r role
		switch w.Shape {
		case speech.ShapeMail:
			r = roleReceiver
		case speech.ShapeURL:
			r = roleURL
		case speech.ShapePath:
			r = rolePath
		default:
			continue
		}
		if p := k.param(r); p != nil && a[p.name] == nil {
			a.set(p, s.literal(i))
		}
	}
	if q := s.quoted(); q != "" {
		if p := k.room(a); p != nil && !slices.ContainsFunc(k.params, func(p param) bool { return p.name == q }) {
			a.set(p, q)
		}
	}
	return a
}
