package order

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/shell"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/userfile"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// runRule finds orders to run a harmful command.
type runRule struct {
	tools *Resolver
	found *Ledger
}

// find adds an order if a harmful command is to be run.
func (r *runRule) find(s *utterance, assets []Asset, sinks []sink) bool {
	if len(s.commands) == 0 || s.Refuses() || s.startsWithPurpose() && s.Place.Part == InResult && !s.Failed {
		return false
	}
	elsewhere := func(k sink) bool {
		within := k.Address != "" && slices.ContainsFunc(s.commands, func(c string) bool { return strings.Contains(c, k.Address) })
		return (k.Channel != ViaTool || k.sure) && !within
	}
	if slices.ContainsFunc(sinks, elsewhere) && slices.ContainsFunc(assets, func(t Asset) bool { return t.Kind == AssetOutput }) {
		return false // its output goes somewhere
	}
	n := runUrge(s)
	if slices.ContainsFunc(r.tools.mentionsIn(s, 0, len(s.Words)), func(m mention) bool { return r.tools.Profiles[m.tool].Can(toolkit.CanRun) }) {
		n++
	}
	done := false
	for _, command := range s.commands {
		if n < enough || !shell.Harmful(command) || writesFile(s, command) {
			continue
		}
		r.found.add(s, Found{Order: Order{Action: Run}, Assets: []Asset{{Kind: AssetOutput, Name: command}}, Via: -1})
		done = true
	}
	return done
}

// runUrge is the evidence that a command is to be run.
func runUrge(s *utterance) int {
	n := 3 + s.imperativeScore()
	for _, yes := range []bool{
		s.Place.Part == InTool || s.Place.Part == InSystem, // manuals do not stand here
		s.nearby(1, "remedy"), s.Failed, s.genre.agent && s.nearby(2, "agent"), s.Has("console"), s.Has("behalf"), s.imperativeScore() == 0 && s.nextSpeaksToReader(),
	} {
		if yes {
			n++
		}
	}
	if s.Has("perhaps") || s.doneByPeople() || s.tellsPast() {
		n -= 3
	}
	if s.genre.program && !s.genre.agent {
		n -= 3
	}
	if s.genre.manual && !s.Failed || s.Has("example") || explains(s) {
		n -= 2
	}
	return n
}

// explains reports whether a word beside the command says that the sentence
// explains it ("what does ... do").
func explains(s *utterance) bool {
	return slices.ContainsFunc(s.Each("explain"), func(m promptscan.Sense) bool {
		return !slices.ContainsFunc(s.commands, func(c string) bool { return strings.Contains(c, s.Phrase(m)) })
	})
}

// writesFile reports whether the command is a line to be written to a file.
func writesFile(s *utterance, command string) bool {
	from, to := s.Extent()
	return slices.ContainsFunc(userfile.FindSteering(s.Source[from:to], maxPaths), func(path string) bool { return !strings.Contains(command, path) })
}

// ticked matches text in backticks.
var ticked = lazyregexp.New("`([^`\n]{2,400})`")

// commandsIn are the commands that the sentence orders to run.
func commandsIn(s *utterance) []Asset {
	from, to := s.Extent()
	var out []Asset
	for _, at := range ticked.FindAllStringSubmatchIndex(s.Source[from:to], 4) {
		command := s.Source[from+at[2] : from+at[3]]
		first, last := s.WordsBetween(from+at[2], from+at[3])
		if first < 0 || !shell.IsCommand(command) || !ordersRun(s, first) {
			continue
		}
		out = append(out, Asset{Kind: AssetOutput, Name: command, from: first, to: last})
	}
	if len(out) > 0 || !s.Has("shell-tool") && !s.Near(0, len(s.Words), "terminal", "shell") {
		return out
	}
	raw := s.Source[from:to]
	if at := strings.Index(raw, ": "); at > 0 && shell.IsCommand(strings.TrimSpace(raw[at+2:])) {
		first, last := s.WordsBetween(from+at+2, to)
		if first > 0 && ordersRun(s, first) {
			out = append(out, Asset{Kind: AssetOutput, Name: strings.TrimRight(strings.TrimSpace(raw[at+2:]), "."), from: first, to: last})
		}
	}
	return out
}

// ordersRun says whether an order to run something precedes a word.
func ordersRun(s *utterance, i int) bool {
	return slices.ContainsFunc(s.Each("call"), func(m promptscan.Sense) bool {
		return m.To <= i && i-m.To < 9 && !s.Sentence.Sentence.Negated(m) && !s.when.Covers(m.From) && s.NearSet(m.From, m.To, words().Verbs.Running) && !s.Near(m.From-4, m.From, "user", "them", "can")
	})
}
