package order

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
)

// step is a call that the user wants.
type Step struct {
	// turn and n say which: the nth of a turn.
	Turn, N int
	Tool    int
	Args    toolkit.Arguments
	// broken is set if there is no such tool; name is what the user said.
	Name string
}

// named is an order of the user's that can be read for sure.
var named = regexp.MustCompile("(?i)\\b(?:use|call|run|invoke)\\s+(?:the\\s+)?(tool\\s+)?[\"'`]?([\\w.:/-]{1,128}?)[\"'`]?(?:\\s+tool)?(?:\\s+with\\s+(?:the\\s+arguments\\s+)?(\\{)|[.,;]|\\s*$|\\s+and\\b|\\s+with\\b)")

// task is what the user wants.
type Task struct {
	tools *Resolver
	Steps []Step
	// topic are the words that it is about.
	topic map[string]bool
}

// tasks takes the user's calls out of his turns. What is left may hold orders
// like any other text.
func (b *Task) readTurns(texts []text) {
	for i := range texts {
		t := &texts[i]
		if t.Place.Part != InTurn {
			continue
		}
		for _, w := range toolkit.SplitWords(t.value, 4000) {
			b.topic[w] = true
		}
		b.namedSteps(t)
	}
	for _, s := range b.Steps {
		for _, w := range b.tools.Profiles[s.Tool].Words {
			b.topic[w] = true
		}
	}
}

// namedSteps finds "Use the tool NAME with {JSON}." and blanks it out.
func (b *Task) namedSteps(t *text) {
	at := 0
	for n := 0; at < len(t.value) && len(b.Steps) < maxSteps; {
		m := named.FindStringSubmatchIndex(t.value[at:])
		if m == nil {
			return
		}
		from, end := at+m[0], at+m[1]
		name := t.value[at+m[4] : at+m[5]]
		tool := b.tools.Names.Find(strings.TrimRight(name, ".:/"), -1)
		at = end
		if tool < 0 || m[2] < 0 && m[6] < 0 {
			continue // an ordinary word
		}
		s := Step{Turn: t.Place.Turn, N: n, Tool: tool, Args: toolkit.Arguments{}, Name: name}
		if m[6] >= 0 {
			open := end - 1
			d := json.NewDecoder(strings.NewReader(t.value[open:]))
			if d.Decode(&s.Args) == nil && s.Args != nil {
				end = open + int(d.InputOffset())
			} else {
				s.Args = toolkit.Arguments{}
			}
		}
		t.value = t.value[:from] + strings.Repeat(" ", end-from) + t.value[end:]
		b.Steps = append(b.Steps, s)
		at = end
		n++
	}
}

// freeSteps finds a tool for sentences of the user that name none.
func (b *Task) freeSteps(sentences []utterance, found *Ledger) {
	turns := map[int]bool{}
	for _, s := range b.Steps {
		turns[s.Turn] = true
	}
	for i := range sentences {
		s := &sentences[i]
		if s.Place.Part != InTurn || s.how != "" || turns[s.Place.Turn] || found.has(s) || len(b.Steps) >= maxSteps || !imperative(s) || s.harmlessScore() > 2 {
			continue
		}
		if tool := b.tools.bestMatch(s); tool >= 0 {
			b.Steps = append(b.Steps, Step{Turn: s.Place.Turn, N: s.index, Tool: tool, Args: b.tools.argumentsFor(s, tool), Name: b.tools.Names.Tools[tool].Name})
		}
	}
}

// imperative: it begins with a verb that some tool could be meant by.
func imperative(s *utterance) bool {
	return len(s.Words) > 1 && len(s.Words) < 40 && !s.AllQuoted()
}
