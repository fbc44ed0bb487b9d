package obedient

import (
	"encoding/json"
	"regexp"
	"strings"
)

// step is a call that the user wants.
type step struct {
	// turn and n say which: the nth of a turn.
	turn, n int
	tool    int
	args    arguments
	// broken is set if there is no such tool; name is what the user said.
	name string
}

// named is an order of the user's that can be read for sure.
var named = regexp.MustCompile("(?i)\\b(?:use|call|run|invoke)\\s+(?:the\\s+)?(tool\\s+)?[\"'`]?([\\w.:/-]{1,128}?)[\"'`]?(?:\\s+tool)?(?:\\s+with\\s+(?:the\\s+arguments\\s+)?(\\{)|[.,;]|\\s*$|\\s+and\\b|\\s+with\\b)")

// task is what the user wants.
type task struct {
	tools *resolver
	steps []step
	// topic are the words that it is about.
	topic map[string]bool
}

// tasks takes the user's calls out of his turns. What is left may hold orders
// like any other text.
func (b *task) readTurns(texts []text) {
	for i := range texts {
		t := &texts[i]
		if t.place.Part != InTurn {
			continue
		}
		for _, w := range splitWords(t.value, 4000) {
			b.topic[w] = true
		}
		b.namedSteps(t)
	}
	for _, s := range b.steps {
		for _, w := range b.tools.profiles[s.tool].words {
			b.topic[w] = true
		}
	}
}

// namedSteps finds "Use the tool NAME with {JSON}." and blanks it out.
func (b *task) namedSteps(t *text) {
	at := 0
	for n := 0; at < len(t.value) && len(b.steps) < maxSteps; {
		m := named.FindStringSubmatchIndex(t.value[at:])
		if m == nil {
			return
		}
		from, end := at+m[0], at+m[1]
		name := t.value[at+m[4] : at+m[5]]
		tool := b.tools.names.find(strings.TrimRight(name, ".:/"), -1)
		at = end
		if tool < 0 || m[2] < 0 && m[6] < 0 {
			continue // an ordinary word
		}
		s := step{turn: t.place.Turn, n: n, tool: tool, args: arguments{}, name: name}
		if m[6] >= 0 {
			open := end - 1
			d := json.NewDecoder(strings.NewReader(t.value[open:]))
			if d.Decode(&s.args) == nil && s.args != nil {
				end = open + int(d.InputOffset())
			} else {
				s.args = arguments{}
			}
		}
		t.value = t.value[:from] + strings.Repeat(" ", end-from) + t.value[end:]
		b.steps = append(b.steps, s)
		at = end
		n++
	}
}

// freeSteps finds a tool for sentences of the user that name none.
func (b *task) freeSteps(sayings []utterance, found *ledger) {
	turns := map[int]bool{}
	for _, s := range b.steps {
		turns[s.turn] = true
	}
	for i := range sayings {
		s := &sayings[i]
		if s.place.Part != InTurn || s.how != "" || turns[s.place.Turn] || found.has(s) || len(b.steps) >= maxSteps || !imperative(s) || s.harmlessScore() > 2 {
			continue
		}
		if tool := b.tools.bestMatch(s); tool >= 0 {
			b.steps = append(b.steps, step{turn: s.place.Turn, n: s.index, tool: tool, args: b.tools.argumentsFor(s, tool), name: b.tools.names.tools[tool].Name})
		}
	}
}

// imperative: it begins with a verb that some tool could be meant by.
func imperative(s *utterance) bool {
	return len(s.Words) > 1 && len(s.Words) < 40 && !s.allQuoted()
}
