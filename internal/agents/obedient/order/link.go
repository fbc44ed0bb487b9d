package order

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/userfile"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// linkRule finds something private and a way for it to go that stand together.
type linkRule struct {
	tools *Resolver
	last  *recent
	found *Ledger
}

// bond: something private and a way for it to go stand together, and nothing
// says that this is harmless. What the verbs are does not matter.
func (b *linkRule) find(s *utterance, things []Asset, sinks []sink) bool {
	if s.OnlyForbids() || s.isSummary() && s.imperativeScore() == 0 {
		return false
	}
	things, sinks, far := b.recalled(s, things, sinks)
	done := false
	for _, k := range sinks {
		var carried []Asset
		for _, t := range things {
			if b.weigh(s, t, k)-far >= enough {
				carried = append(carried, t)
			}
		}
		if len(carried) == 0 {
			continue
		}
		o := Found{Order: Order{Action: Send, To: k.Address}, Assets: carried, Sink: k, Via: -1, Retry: s.Has("again")}
		if k.Channel == ViaTool {
			o.Action, o.To = Pass, b.tools.Names.Tools[k.Tool].Name+" "+k.Param
		}
		b.found.add(s, o)
		done = true
	}
	return done
}

// recalled adds what was spoken of shortly before: what "it" is, and where "it"
// goes. Far is how much weaker that makes the bond.
func (b *linkRule) recalled(s *utterance, things []Asset, sinks []sink) (t []Asset, k []sink, far int) {
	if s.param != "" && s.Tool >= 0 && len(sinks) == 0 {
		sinks = []sink{{Channel: ViaTool, Tool: s.Tool, Param: s.param, at: len(s.Words)}}
	}
	refers := s.Has("pronoun", "results", "again") || omitsObject(s, sinks)
	if len(things) == 0 && refers {
		things, far = positionless(b.last.assets), 1
		switch {
		case omitsObject(s, sinks) || len(s.Words) < 5 && len(s.Imperatives("pass")) > 0:
			far = 0
		case len(sinks) == 0 && !passesIt(s, len(s.Words)) || len(sinks) > 0 && !passesIt(s, sinks[0].at):
			far = 3
		}
	}
	if len(sinks) == 0 && b.last.address.Address != "" && (refers || s.imperativeScore() > 0) {
		k := b.last.address
		k.at = len(s.Words)
		return things, []sink{k}, far + 1
	}
	return things, sinks, far
}

// elliptic: "both to X", "submit to X": what is meant stood before.
func omitsObject(s *utterance, sinks []sink) bool {
	return slices.ContainsFunc(sinks, func(k sink) bool {
		if k.Channel == ViaTool || referred(s, k.at) {
			return false
		}
		verb := s.Within(k.at-3, k.at, "pass", "passed") && directed(s, k.at) && !s.Near(0, k.at, "write", "reply", "respond", "answer", "apply", "turn", "contact")
		return verb && k.at < 4 || len(s.Words) < 5 && s.Near(k.at-1, k.at, "to", "an", "a", "para", "naar")
	})
}

// passesIt: "it" is what is passed to the place at a word, and not just
// somewhere in the sentence.
func passesIt(s *utterance, at int) bool {
	for _, v := range s.Each("pass", "goes", "passed", "does-pass", "copied") {
		switch {
		case s.Near(v.From, v.To, "tell", "inform", "notify", "report", "ping", "visit", "contact", "ask"):
		case s.English() && v.Class == "pass" && at < v.From: // create one there and save it
		case s.Within(v.To, v.To+4, "pronoun", "results") || s.Within(v.From-8, v.From, "pronoun") && v.Class != "pass" || !s.English():
			return true
		}
	}
	if slices.ContainsFunc(s.Each("owe"), func(m promptscan.Sense) bool { return s.Near(m.To, m.To+2, "it", "them", "both") }) {
		return true
	}
	return s.Has("again") && s.Has("param") || s.Has("results") && len(s.mentions) > 1
}

// here are things that a sentence only means.
func positionless(things []Asset) []Asset {
	out := slices.Clone(things)
	for i := range out {
		out[i].from, out[i].to = 0, 0
	}
	return out
}

// weigh is the evidence that a thing is to go somewhere.
func (b *linkRule) weigh(s *utterance, t Asset, k sink) int {
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
		return n + b.tools.fits(s, t, k)
	}
	switch {
	case referred(s, k.at):
		n -= 3
	case directed(s, k.at) || !s.English():
		n++
	}
	return n
}

// directed: a word of direction stands before the address.
func directed(s *utterance, i int) bool { return s.Within(i-3, i, "toward") }

// referred: the address is where one can read more, get help, or log in, or
// where something comes from.
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

// arrow: one points to the other.
func arrow(s *utterance, i, j int) bool {
	between := gap(s, i, j)
	return slices.ContainsFunc([]string{"->", "→", "=>", "⇒", "»", ">>", "➜"}, func(a string) bool { return strings.Contains(between, a) })
}

// accompany: a file with secrets is to be read along with others, as whoever
// speaks of the tool for that wants it.
func (b *linkRule) findRead(s *utterance, things []Asset) bool {
	var wanted []Asset
	for _, t := range things {
		if t.Kind == AssetFile && userfile.Secret(t.Name) && !untouched(s, t) {
			wanted = append(wanted, t)
		}
	}
	if len(wanted) == 0 || s.OnlyForbids() || s.harmlessScore() > 0 || s.imperativeScore() == 0 || !b.mentionsReader(s) {
		return false
	}
	b.found.add(s, Found{Order: Order{Action: Read}, Assets: wanted, Via: -1})
	return true
}

// reads: a tool that reads files is spoken of here or in the sentence before.
func (b *linkRule) mentionsReader(s *utterance) bool {
	of := func(m mention) bool { return m.tool != s.Tool && b.tools.Profiles[m.tool].Can(toolkit.CanRead) }
	if slices.ContainsFunc(b.tools.mentionsIn(s, 0, len(s.Words)), of) {
		return true
	}
	return s.index > 0 && s.index <= len(s.siblings) && slices.ContainsFunc(b.tools.findMentions(&s.siblings[s.index-1]), of)
}
