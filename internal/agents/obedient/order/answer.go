package order

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/userfile"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// image matches an image whose URL is to carry data.
var image = lazyregexp.New(`!\[[^\]\n]{0,80}\]\((https?://[^\s)]{4,300})\)`)

// answerRule finds orders to put something private into the answer.
type answerRule struct{ found *Ledger }

// find adds an order if private data is to be put into the answer.
func (r *answerRule) find(s *utterance, assets []Asset, done bool) {
	said, spoken := s.Imperatives("say", "repeat", "passed"), true
	if s.Place.Part == InTurn && s.harmlessScore() > 2 {
		return
	}
	if s.Place.Part == InTurn && !done && !s.OnlyForbids() {
		said = append(said, s.Imperatives("pass")...)
		spoken = len(s.Imperatives("say", "repeat")) > 0
		if slices.ContainsFunc(assets, func(t Asset) bool { return t.Kind == AssetFile && userfile.Secret(t.Name) }) && s.harmlessScore() == 0 {
			said = append(said, promptscan.Sense{})
		}
	}
	answers := s.NearSet(0, len(s.Words), words().Conversations.Answers)
	if len(said) == 0 && !(answers && (len(s.Imperatives("pass")) > 0 || s.Has("owe"))) || len(assets) == 0 {
		return
	}
	pictured := ""
	if m := image.FindStringSubmatch(s.Source[s.Words[0].Start:]); m != nil && answers {
		pictured = m[1]
	}
	switch s.Place.Part {
	case InTool, InResult, InSystem:
		if !answers || pictured == "" && !s.speaksToModel() || s.isSummary() {
			return
		}
	case InTurn:
	}
	var out []Asset
	for _, t := range assets {
		if !t.weak || t.Kind == AssetSecret && s.Place.Part == InTurn && spoken {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return
	}
	r.found.add(s, Found{Order: Order{Action: Answer, To: pictured}, Assets: out, Via: -1, Value: pictured})
}
