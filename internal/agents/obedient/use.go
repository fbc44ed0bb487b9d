package obedient

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// preferRule finds orders to use one tool in place of another, or at all.
type preferRule struct {
	tools *resolver
	task  *task
	found *ledger
	// shunned is a tool that is not to be used, before it is said which is.
	shunned shunned
}

type shunned struct {
	place Place
	tool  int
}

// prefer: one tool is to be used and another not.
func (b *preferRule) prefer(s *utterance) bool {
	if s.class("example") && !(s.class("prefer", "instead") && s.class("universal")) {
		return false
	}
	chosen, avoid, n := b.rivalry(s)
	if avoid == -2 {
		return false
	}
	if chosen < 0 || chosen == avoid {
		chosen = b.near(s, avoid)
	}
	if chosen < 0 || chosen == avoid || !b.applies(s, avoid) {
		return false
	}
	if avoid >= 0 && b.tools.replaces(chosen, avoid) {
		n++
	}
	if n+min(s.urge(), 1) < 4 {
		return false
	}
	o := order{Order: Order{Action: Prefer, What: b.tools.names.tools[chosen].Name}, via: chosen, avoid: avoid}
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
	always := s.class("universal", "lately")
	for _, m := range b.tools.toolsIn(s, 0, len(s.Words)) {
		rival := m.tool != s.tool && len(b.tools.kits[m.tool].abilities) > 0 && !b.tools.family(m.tool, s.tool)
		switch {
		case rival && avoid == -2 && b.tools.disliked(s, m):
			avoid, n = m.tool, 4
		case s.negated(m.from, m.to):
		case s.within(m.from-4, m.to+6, "call", "called", "prefer") || m.tool == s.tool || s.place.Part != InTool:
			chosen = m.tool
		case rival && avoid == -2 && always && s.tool >= 0 && b.tools.replaces(s.tool, m.tool):
			avoid, n = m.tool, 3
		}
	}
	switch {
	case avoid == -2 && chosen >= 0 && s.class("solely") && b.solely(s, chosen):
		return chosen, -1, n + 4
	case avoid == -2 && b.rivals(s):
		return chosen, -1, n + 4
	case avoid == -2 && s.place.Part != InTool && b.forAll(s) && chosen >= 0:
		return chosen, -1, n + 4
	}
	return chosen, avoid, n
}

// replaces: a tool takes all that another cannot do without.
func (b *resolver) replaces(chosen, avoid int) bool {
	for _, r := range []role{rolePath, roleReceiver, roleURL, roleQuery, roleCommand} {
		p := b.kits[avoid].param(r)
		if p != nil && p.required && b.kits[chosen].param(r) == nil {
			return false
		}
	}
	return true
}

// disliked: the tool is said to be worse, or not to be used.
func (b *resolver) disliked(s *utterance, m mention) bool {
	if s.within(m.from-5, m.from, "instead") {
		return true
	}
	if s.negated(m.from, m.to) && s.within(m.from-3, m.from, "call", "prefer") {
		return true
	}
	for _, c := range s.each("bad") {
		if c.From >= m.to && c.From-m.to < 8 && !b.nearer(s, m, c) || m.from >= c.To && m.from-c.To < 4 && !s.parted(c.To, m.from) {
			return true
		}
	}
	for _, c := range s.each("not") {
		if c.From < m.to || c.From-m.to >= 5 || s.parted(m.to, c.From) || b.nearer(s, m, c) {
			continue
		}
		if !s.near(c.To, c.To+2, "needed", "necessary", "required", "used", "called", "affected") || strings.HasSuffix(s.words(c), "must not") {
			return true
		}
	}
	return false
}

// nearer: another tool stands between a tool and the word.
func (b *resolver) nearer(s *utterance, m mention, c promptscan.Sense) bool {
	return slices.ContainsFunc(b.toolsIn(s, m.to, c.From), func(o mention) bool { return o.tool != m.tool })
}

// near is the tool that was spoken of last, or that the description names.
func (b *preferRule) near(s *utterance, avoid int) int {
	if s.tool >= 0 && s.tool != avoid && s.place.Part == InTool {
		return s.tool
	}
	for _, o := range slices.Backward(b.found.orders) {
		if o.Action == Prefer && o.text.place == s.place {
			return o.via
		}
	}
	if avoid == -1 && s.n > 0 && s.n <= len(s.mates) {
		if before := b.tools.mentions(&s.mates[s.n-1]); len(before) > 0 {
			return before[len(before)-1].tool
		}
	}
	b.shunned = shunned{s.place, avoid}
	return -1
}

// applies: what is said holds for all uses, or for the one at hand.
func (b *preferRule) applies(s *utterance, avoid int) bool {
	from := 0
	for _, m := range b.tools.toolsIn(s, 0, len(s.Words)) {
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
func (b *preferRule) use(s *utterance) {
	if p := b.shunned; p.place == s.place && p.tool >= 0 {
		if t := b.tools.tool(s, s.live("call", "prefer")); t >= 0 && t != p.tool {
			b.shunned = shunned{}
			s.when.moment, s.when.tool = With, p.tool
			b.found.add(s, order{Order: Order{Action: Prefer, What: b.tools.names.tools[t].Name, To: b.tools.names.tools[p.tool].Name}, via: t, avoid: p.tool})
			return
		}
	}
	tool := b.tools.tool(s, s.live("call", "called"))
	if tool < 0 && s.place.Part == InTool && len(s.live("called")) > 0 && s.within(0, len(s.Words), "other", "others") && anyTool(s) {
		tool = s.tool // "this must be called before any other tool"
	}
	switch {
	case tool < 0, s.opening() && !s.spoken(), s.aim():
		return
	case tool == s.tool && s.place.Part != InTool && !s.class("again"):
		return
	}
	k := &b.tools.kits[tool]
	o := order{Order: Order{Action: Call, To: b.tools.names.tools[tool].Name}, via: tool, args: b.tools.spelledOut(s, tool)}
	if k.private() && !complete(k, o.args) && !b.tools.family(tool, s.tool) {
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
		if m.To < len(s.Words) && !s.at(m.To, "toolword") && !s.near(m.To, m.To+1, "tools", "tool", "use", "is") && s.near(m.To-1, m.To, "other") {
			return false
		}
	}
	return true
}

// aim: "to delete it, call ..." is advice for who wants that.
func (s *utterance) aim() bool {
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
func (b *resolver) family(tool, speaker int) bool {
	if b.owner == nil || speaker < 0 {
		return false
	}
	return b.owner(&b.names.tools[tool]) == b.owner(&b.names.tools[speaker])
}

// complete: all that the tool needs was said.
func complete(k *kit, a arguments) bool {
	return !slices.ContainsFunc(k.params, func(p param) bool { return p.required && a[p.name] == nil })
}

// spelledOut are the arguments that a sentence gives itself.
func (b *resolver) spelledOut(s *utterance, tool int) arguments {
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
		case promptscan.ShapeMail:
			r = roleReceiver
		case promptscan.ShapeURL:
			r = roleURL
		case promptscan.ShapePath:
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
