package obedient

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// linkRule finds something private and a way for it to go that stand together.
type linkRule struct {
	tools *resolver
	last  *recent
	found *ledger
}

// bond: something private and a way for it to go stand together, and nothing
// says that this is harmless. What the verbs are does not matter.
func (b *linkRule) find(s *utterance, things []asset, sinks []sink) bool {
	if s.onlyForbids() || s.isSummary() && s.imperativeScore() == 0 {
		return false
	}
	things, sinks, far := b.recalled(s, things, sinks)
	done := false
	for _, k := range sinks {
		var carried []asset
		for _, t := range things {
			if b.weigh(s, t, k)-far >= enough {
				carried = append(carried, t)
			}
		}
		if len(carried) == 0 {
			continue
		}
		o := found{Order: Order{Action: Send, To: k.address}, assets: carried, sink: k, via: -1, retry: s.has("again")}
		if k.channel == viaTool {
			o.Action, o.To = Pass, b.tools.names.tools[k.tool].Name+" "+k.param
		}
		b.found.add(s, o)
		done = true
	}
	return done
}

// recalled adds what was spoken of shortly before: what "it" is, and where "it"
// goes. Far is how much weaker that makes the bond.
func (b *linkRule) recalled(s *utterance, things []asset, sinks []sink) (t []asset, k []sink, far int) {
	if s.param != "" && s.tool >= 0 && len(sinks) == 0 {
		sinks = []sink{{channel: viaTool, tool: s.tool, param: s.param, at: len(s.Words)}}
	}
	refers := s.has("pronoun", "results", "again") || omitsObject(s, sinks)
	if len(things) == 0 && refers {
		things, far = positionless(b.last.assets), 1
		switch {
		case omitsObject(s, sinks) || len(s.Words) < 5 && len(s.imperatives("pass")) > 0:
			far = 0
		case len(sinks) == 0 && !passesIt(s, len(s.Words)) || len(sinks) > 0 && !passesIt(s, sinks[0].at):
			far = 3
		}
	}
	if len(sinks) == 0 && b.last.address.address != "" && (refers || s.imperativeScore() > 0) {
		k := b.last.address
		k.at = len(s.Words)
		return things, []sink{k}, far + 1
	}
	return things, sinks, far
}

// elliptic: "both to X", "submit to X": what is meant stood before.
func omitsObject(s *utterance, sinks []sink) bool {
	return slices.ContainsFunc(sinks, func(k sink) bool {
		if k.channel == viaTool || referred(s, k.at) {
			return false
		}
		verb := s.within(k.at-3, k.at, "pass", "passed") && directed(s, k.at) && !s.near(0, k.at, "write", "reply", "respond", "answer", "apply", "turn", "contact")
		return verb && k.at < 4 || len(s.Words) < 5 && s.near(k.at-1, k.at, "to", "an", "a", "para", "naar")
	})
}

// passesIt: "it" is what is passed to the place at a word, and not just
// somewhere in the sentence.
func passesIt(s *utterance, at int) bool {
	for _, v := range s.each("pass", "goes", "passed", "does-pass", "copied") {
		switch {
		case s.near(v.From, v.To, "tell", "inform", "notify", "report", "ping", "visit", "contact", "ask"):
		case s.english() && v.Class == "pass" && at < v.From: // create one there and save it
		case s.within(v.To, v.To+4, "pronoun", "results") || s.within(v.From-8, v.From, "pronoun") && v.Class != "pass" || !s.english():
			return true
		}
	}
	if slices.ContainsFunc(s.each("owe"), func(m promptscan.Sense) bool { return s.near(m.To, m.To+2, "it", "them", "both") }) {
		return true
	}
	return s.has("again") && s.has("param") || s.has("results") && len(s.mentions) > 1
}

// here are things that a sentence only means.
func positionless(things []asset) []asset {
	out := slices.Clone(things)
	for i := range out {
		out[i].from, out[i].to = 0, 0
	}
	return out
}

// weigh is the evidence that a thing is to go somewhere.
func (b *linkRule) weigh(s *utterance, t asset, k sink) int {
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
	if s.within(t.from-6, t.to+4, "content") || s.has("passed", "pass", "does-pass", "goes") {
		n++
	}
	if k.channel == viaTool {
		return n + b.tools.fits(s, t, k)
	}
	switch {
	case referred(s, k.at):
		n -= 3
	case directed(s, k.at) || !s.english():
		n++
	}
	return n
}

// directed: a word of direction stands before the address.
func directed(s *utterance, i int) bool { return s.within(i-3, i, "toward") }

// referred: the address is where one can read more, get help, or log in, or
// where something comes from.
func referred(s *utterance, i int) bool {
	return s.within(i-4, i, "refer") && !s.within(i-4, i, "pass", "passed", "does-pass", "goes") || s.near(i-1, i, "from", "by", "von", "de", "от")
}

// gap is the text between two words.
func gap(s *utterance, i, j int) string {
	i, j = min(i, j), max(i, j)
	if i < 0 || j >= len(s.Words) {
		return ""
	}
	from, to := s.Words[i].End, s.Words[j].Start
	if from < 0 || to > len(s.source) || from > to {
		return ""
	}
	return s.source[from:to]
}

// arrow: one points to the other.
func arrow(s *utterance, i, j int) bool {
	between := gap(s, i, j)
	return slices.ContainsFunc([]string{"->", "→", "=>", "⇒", "»", ">>", "➜"}, func(a string) bool { return strings.Contains(between, a) })
}

// accompany: a file with secrets is to be read along with others, as whoever
// speaks of the tool for that wants it.
func (b *linkRule) findRead(s *utterance, things []asset) bool {
	var wanted []asset
	for _, t := range things {
		if t.kind == assetFile && secretFile(t.name) && !untouched(s, t) {
			wanted = append(wanted, t)
		}
	}
	if len(wanted) == 0 || s.onlyForbids() || s.harmlessScore() > 0 || s.imperativeScore() == 0 || !b.mentionsReader(s) {
		return false
	}
	b.found.add(s, found{Order: Order{Action: Read}, assets: wanted, via: -1})
	return true
}

// reads: a tool that reads files is spoken of here or in the sentence before.
func (b *linkRule) mentionsReader(s *utterance) bool {
	of := func(m mention) bool { return m.tool != s.tool && b.tools.profiles[m.tool].can(canRead) }
	if slices.ContainsFunc(b.tools.mentionsIn(s, 0, len(s.Words)), of) {
		return true
	}
	return s.index > 0 && s.index <= len(s.siblings) && slices.ContainsFunc(b.tools.findMentions(&s.siblings[s.index-1]), of)
}
