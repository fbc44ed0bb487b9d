package order

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/userfile"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// linkRule finds orders without verbs of passing on: an asset and a sink stand
// together, and enough evidence says that the asset is to go there.
type linkRule struct {
	tools *Resolver
	last  *recent
	found *Ledger
}

// find adds an order if an asset and a sink stand together, and nothing says
// that this is harmless. The verbs do not matter.
func (r *linkRule) find(s *utterance, assets []Asset, sinks []sink) bool {
	if s.OnlyForbids() || s.isSummary() && s.imperativeScore() == 0 {
		return false
	}
	assets, sinks, far := r.recalled(s, assets, sinks)
	done := false
	for _, k := range sinks {
		var carried []Asset
		for _, t := range assets {
			if r.weigh(s, t, k)-far >= enough {
				carried = append(carried, t)
			}
		}
		if len(carried) == 0 {
			continue
		}
		o := Found{Order: Order{Action: Send, To: k.Address}, Assets: carried, Sink: k, Via: -1, Retry: s.Has("again")}
		if k.Channel == ViaTool {
			o.Action, o.To = Pass, r.tools.Names.Tools[k.Tool].Name+" "+k.Param
		}
		r.found.add(s, o)
		done = true
	}
	return done
}

// recalled adds assets and sinks of the previous sentences, which "it" and
// "there" refer to. far is how much weaker that makes the evidence.
func (r *linkRule) recalled(s *utterance, assets []Asset, sinks []sink) (t []Asset, k []sink, far int) {
	if s.param != "" && s.Tool >= 0 && len(sinks) == 0 {
		sinks = []sink{{Channel: ViaTool, Tool: s.Tool, Param: s.param, at: len(s.Words)}}
	}
	refers := s.Has("pronoun", "results", "again") || omitsObject(s, sinks)
	if len(assets) == 0 && refers {
		assets, far = positionless(r.last.assets), 1
		switch {
		case omitsObject(s, sinks) || len(s.Words) < 5 && len(s.Imperatives("pass")) > 0:
			far = 0
		case len(sinks) == 0 && !passesIt(s, len(s.Words)) || len(sinks) > 0 && !passesIt(s, sinks[0].at):
			far = 3
		}
	}
	if len(sinks) == 0 && r.last.address.Address != "" && (refers || s.imperativeScore() > 0) {
		k := r.last.address
		k.at = len(s.Words)
		return assets, []sink{k}, far + 1
	}
	return assets, sinks, far
}

// omitsObject reports whether the sentence does not name what is to be sent,
// because the previous one did: "both to X", "submit to X".
func omitsObject(s *utterance, sinks []sink) bool {
	return slices.ContainsFunc(sinks, func(k sink) bool {
		if k.Channel == ViaTool || referred(s, k.at) {
			return false
		}
		verb := s.Within(k.at-3, k.at, "pass", "passed") && directed(s, k.at) && !s.Near(0, k.at, "write", "reply", "respond", "answer", "apply", "turn", "contact")
		return verb && k.at < 4 || len(s.Words) < 5 && s.Near(k.at-1, k.at, "to", "an", "a", "para", "naar")
	})
}

// passesIt reports whether "it" is passed to the sink at a word, and does not
// only stand somewhere in the sentence.
func passesIt(s *utterance, at int) bool {
	for _, v := range s.Each("pass", "goes", "passed", "does-pass", "copied") {
		switch {
		case s.NearSet(v.From, v.To, words().Verbs.Notifying):
		case s.English() && v.Class == "pass" && at < v.From: // as in "create one there and save it"
		case s.Within(v.To, v.To+4, "pronoun", "results") || s.Within(v.From-8, v.From, "pronoun") && v.Class != "pass" || !s.English():
			return true
		}
	}
	if slices.ContainsFunc(s.Each("owe"), func(m promptscan.Sense) bool { return s.Near(m.To, m.To+2, "it", "them", "both") }) {
		return true
	}
	return s.Has("again") && s.Has("param") || s.Has("results") && len(s.mentions) > 1
}

// positionless are assets that a sentence implies without a word for them.
func positionless(assets []Asset) []Asset {
	out := slices.Clone(assets)
	for i := range out {
		out[i].from, out[i].to = 0, 0
	}
	return out
}

// weigh is the evidence that an asset is to go to a sink.
func (r *linkRule) weigh(s *utterance, t Asset, k sink) int {
	if t.to > 0 && (untouched(s, t) || t.from <= k.at && k.at < t.to && !t.indirect || separated(s, t, k)) {
		return 0
	}
	if trivial(s, t) {
		return 0
	}
	n := t.sensitivity() + 1 + s.imperativeScore() - s.harmlessScore()
	if t.to > 0 && arrow(s, t.from, k.at) {
		n += 2
	}
	if s.imperativeScore() == 0 && s.nextSpeaksToReader() {
		n++
	}
	if s.Within(t.from-6, t.to+4, "content") || s.Has("passed", "pass", "does-pass", "goes") {
		n++
	}
	if k.Channel == ViaTool {
		return n + r.tools.fits(s, t, k)
	}
	switch {
	case referred(s, k.at):
		n -= 3
	case directed(s, k.at) || !s.English():
		n++
	}
	return n
}

// directed reports whether a word of direction precedes the address.
func directed(s *utterance, i int) bool { return s.Within(i-3, i, "toward") }

// referred reports whether the address is for further reading, help or login,
// or is the origin of something.
func referred(s *utterance, i int) bool {
	return s.Within(i-4, i, "refer") && !s.Within(i-4, i, "pass", "passed", "does-pass", "goes") || s.Near(i-1, i, "from", "by", "von", "de", "от")
}

// gap is the text between two words.
func gap(s *utterance, i, j int) string {
	i, j = min(i, j), max(i, j)
	if i < 0 || j >= len(s.Words) {
		return ""
	}
	from, to := s.Words[i].End, s.Words[j].Start
	if from < 0 || to > len(s.Source) || from > to {
		return ""
	}
	return s.Source[from:to]
}

// arrow reports whether an arrow stands between two words.
func arrow(s *utterance, i, j int) bool {
	between := gap(s, i, j)
	return slices.ContainsFunc(words().Phrases.Arrows, func(a string) bool { return strings.Contains(between, a) })
}

// findRead adds an order if a file with secrets is to be read, because a tool
// that reads files is named beside it.
func (r *linkRule) findRead(s *utterance, assets []Asset) bool {
	var wanted []Asset
	for _, t := range assets {
		if t.Kind == AssetFile && userfile.Secret(t.Name) && !untouched(s, t) {
			wanted = append(wanted, t)
		}
	}
	if len(wanted) == 0 || s.OnlyForbids() || s.harmlessScore() > 0 || s.imperativeScore() == 0 || !r.mentionsReader(s) {
		return false
	}
	r.found.add(s, Found{Order: Order{Action: Read}, Assets: wanted, Via: -1})
	return true
}

// mentionsReader reports whether this sentence or the previous one names a tool
// that reads files.
func (r *linkRule) mentionsReader(s *utterance) bool {
	of := func(m mention) bool { return m.tool != s.Tool && r.tools.Profiles[m.tool].Can(toolkit.CanRead) }
	if slices.ContainsFunc(r.tools.mentionsIn(s, 0, len(s.Words)), of) {
		return true
	}
	return s.index > 0 && s.index <= len(s.siblings) && slices.ContainsFunc(r.tools.findMentions(&s.siblings[s.index-1]), of)
}
