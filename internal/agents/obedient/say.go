package obedient

import (
	"regexp"
	"slices"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// image is a picture whose address is to carry something.
var image = regexp.MustCompile(`!\[[^\]\n]{0,80}\]\((https?://[^\s)]{4,300})\)`)

// sayRule finds orders to put something private into the answer.
type sayRule struct{ found *ledger }

// say: something private belongs into the answer.
func (b *sayRule) find(s *utterance, things []asset, done bool) {
	said, spoken := s.imperatives("say", "repeat", "passed"), true
	if s.place.Part == InTurn && s.harmlessScore() > 2 {
		return
	}
	if s.place.Part == InTurn && !done && !s.onlyForbids() {
		said = append(said, s.imperatives("pass")...)
		spoken = len(s.imperatives("say", "repeat")) > 0
		if slices.ContainsFunc(things, func(t asset) bool { return t.kind == assetFile && secretFile(t.name) }) && s.harmlessScore() == 0 {
			said = append(said, promptscan.Sense{})
		}
	}
	answers := s.near(0, len(s.Words), "answer", "reply", "response", "completion", "output", "answers", "replies", "responses")
	if len(said) == 0 && !(answers && (len(s.imperatives("pass")) > 0 || s.has("owe"))) || len(things) == 0 {
		return
	}
	pictured := ""
	if m := image.FindStringSubmatch(s.source[s.Words[0].Start:]); m != nil && answers {
		pictured = m[1]
	}
	switch s.place.Part {
	case InTool, InResult, InSystem:
		if !answers || pictured == "" && !s.speaksToModel() || s.isSummary() {
			return
		}
	case InTurn:
	}
	var out []asset
	for _, t := range things {
		if !t.weak || t.kind == assetSecret && s.place.Part == InTurn && spoken {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return
	}
	b.found.add(s, found{Order: Order{Action: Say, To: pictured}, assets: out, via: -1, value: pictured})
}
