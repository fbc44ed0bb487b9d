package obedient

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// image is a picture whose address is to carry something.
var image = regexp.MustCompile(`!\[[^\]\n]{0,80}\]\((https?://[^\s)]{4,300})\)`)

// sayRule finds orders to put something private into the answer.
type sayRule struct{ found *ledger }

// say: something private belongs into the answer.
func (b *sayRule) say(s *utterance, things []asset, done bool) {
	said, spoken := s.live("say", "repeat", "passed"), true
	if s.place.Part == InTurn && s.calm() > 2 {
		return
	}
	if s.place.Part == InTurn && !done && !s.barred() {
		said = append(said, s.live("pass")...)
		spoken = len(s.live("say", "repeat")) > 0
		if slices.ContainsFunc(things, func(t asset) bool { return t.kind == aFile && coveted(t.name) }) && s.calm() == 0 {
			said = append(said, promptscan.Sense{})
		}
	}
	answers := s.near(0, len(s.Words), "answer", "reply", "response", "completion", "output", "answers", "replies", "responses")
	if len(said) == 0 && !(answers && (len(s.live("pass")) > 0 || s.class("owe"))) || len(things) == 0 {
		return
	}
	pictured := ""
	if m := image.FindStringSubmatch(s.source[s.Words[0].Start:]); m != nil && answers {
		pictured = m[1]
	}
	switch s.place.Part {
	case InTool, InResult, InSystem:
		if !answers || pictured == "" && !s.spoken() || s.opening() {
			return
		}
	case InTurn:
	}
	var out []asset
	for _, t := range things {
		if !t.faint || t.kind == aSecret && s.place.Part == InTurn && spoken {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return
	}
	b.found.add(s, order{Order: Order{Action: Say, To: pictured}, things: out, via: -1, value: pictured})
}

// askRule finds orders to ask the user for a secret.
type askRule struct {
	tools  *resolver
	finder *finder
	found  *ledger
}

// request: the user is to be asked for a secret that then goes to the tool.
func (b *askRule) request(s *utterance) bool {
	if s.place.Part == InTurn || !s.class("user") {
		return false
	}
	ask := slices.ContainsFunc(s.live("ask"), func(m promptscan.Sense) bool { return s.within(m.From, m.To+7, "user") })
	secret := s.each("secret")
	if !ask || len(secret) == 0 || s.opening() {
		return false
	}
	m := secret[0]
	if s.negated(m.From, m.To) || !s.class("again") && len(s.live("pass")) == 0 {
		return false
	}
	o := order{Order: Order{Action: Ask, What: s.words(m)}, via: -1, again: true, value: strings.TrimSpace(s.words(m))}
	if k, ok := b.finder.slot(s); ok {
		o.sink = k
	} else if s.tool >= 0 {
		o.sink = sink{way: byTool, tool: s.tool}
		if p := b.tools.kits[s.tool].room(arguments{}); p != nil {
			o.sink.param = p.name
		}
	} else {
		return false
	}
	if p := b.tools.kits[o.sink.tool].named(o.sink.param); p == nil || secretName(p.name) && !s.failed {
		return false
	}
	b.found.add(s, o)
	return true
}
