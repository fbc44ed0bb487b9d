package obedient

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// runRule finds orders to run a command that does harm.
type runRule struct {
	tools *resolver
	found *ledger
}

// run: a command is to be run that does harm.
func (b *runRule) find(s *utterance, things []asset, sinks []sink) bool {
	if len(s.commands) == 0 || s.refuses() || s.startsWithPurpose() && s.place.Part == InResult && !s.failed {
		return false
	}
	elsewhere := func(k sink) bool {
		within := k.address != "" && slices.ContainsFunc(s.commands, func(c string) bool { return strings.Contains(c, k.address) })
		return (k.channel != viaTool || k.sure) && !within
	}
	if slices.ContainsFunc(sinks, elsewhere) && slices.ContainsFunc(things, func(t asset) bool { return t.kind == assetOutput }) {
		return false // what comes out of it goes somewhere
	}
	n := runUrge(s)
	if slices.ContainsFunc(b.tools.mentionsIn(s, 0, len(s.Words)), func(m mention) bool { return b.tools.profiles[m.tool].can(canRun) }) {
		n++
	}
	done := false
	for _, command := range s.commands {
		if n < enough || !harmful(command) || writesFile(s, command) {
			continue
		}
		b.found.add(s, found{Order: Order{Action: Run}, assets: []asset{{kind: assetOutput, name: command}}, via: -1})
		done = true
	}
	return done
}

// runUrge is the evidence that a command is to be run.
func runUrge(s *utterance) int {
	n := 3 + s.imperativeScore()
	for _, yes := range []bool{
		s.place.Part == InTool || s.place.Part == InSystem, // no place for manuals
		s.nearby(1, "remedy"), s.failed, s.genre.agent && s.nearby(2, "agent"), s.has("console"), s.has("behalf"), s.imperativeScore() == 0 && s.nextSpeaksToReader(),
	} {
		if yes {
			n++
		}
	}
	if s.has("perhaps") || s.doneByPeople() || s.tellsPast() {
		n -= 3
	}
	if s.genre.program && !s.genre.agent {
		n -= 3
	}
	if s.genre.manual && !s.failed || s.has("example") || explains(s) {
		n -= 2
	}
	return n
}

// explains: a word beside the command says that it is only told of.
func explains(s *utterance) bool {
	return slices.ContainsFunc(s.each("explain"), func(m promptscan.Sense) bool {
		return !slices.ContainsFunc(s.commands, func(c string) bool { return strings.Contains(c, s.phrase(m)) })
	})
}

// writes: the command is a line that belongs into a file.
func writesFile(s *utterance, command string) bool {
	from, to := s.extent()
	for _, path := range pathsIn(s.source[from:to], 200) {
		if steers(path) && !strings.Contains(command, path) {
			return true
		}
	}
	return false
}

// ticked is what stands in backticks.
var ticked = regexp.MustCompile("`([^`\n]{2,400})`")

// commands are those that are to be run.
func commandsIn(s *utterance) []asset {
	from, to := s.extent()
	var out []asset
	for _, at := range ticked.FindAllStringSubmatchIndex(s.source[from:to], 4) {
		command := s.source[from+at[2] : from+at[3]]
		first, last := s.wordsBetween(from+at[2], from+at[3])
		if first < 0 || !isCommand(command) || !ordersRun(s, first) {
			continue
		}
		out = append(out, asset{kind: assetOutput, name: command, from: first, to: last})
	}
	if len(out) > 0 || !s.has("shell-tool") && !s.near(0, len(s.Words), "terminal", "shell") {
		return out
	}
	raw := s.source[from:to]
	if at := strings.Index(raw, ": "); at > 0 && isCommand(strings.TrimSpace(raw[at+2:])) {
		first, last := s.wordsBetween(from+at+2, to)
		if first > 0 && ordersRun(s, first) {
			out = append(out, asset{kind: assetOutput, name: strings.TrimRight(strings.TrimSpace(raw[at+2:]), "."), from: first, to: last})
		}
	}
	return out
}

// run says whether an order to run something stands before a word.
func ordersRun(s *utterance, i int) bool {
	return slices.ContainsFunc(s.each("call"), func(m promptscan.Sense) bool {
		return m.To <= i && i-m.To < 9 && !s.Negated(m) && !s.when.covers(m.From) && s.near(m.From, m.To, "run", "running", "execute", "executing", "type", "exec", "fuhre", "ejecuta", "ejecute", "executez", "запусти", "выполни", "运", "执") && !s.near(m.From-4, m.From, "user", "them", "can")
	})
}
