package order

import (
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Step is a call that the user wants.
type Step struct {
	// Turn and N say which: the Nth of a turn.
	Turn, N int
	Tool    int
	Args    toolkit.Arguments
	// Name is the user's name for the tool.
	Name string
}

// named matches a call that the user spells out.
var named = lazyregexp.New("(?i)\\b(?:use|call|run|invoke)\\s+(?:the\\s+)?(tool\\s+)?[\"'`]?([\\w.:/-]{1,128}?)[\"'`]?(?:\\s+tool)?(?:\\s+with\\s+(?:the\\s+arguments\\s+)?(\\{)|[.,;]|\\s*$|\\s+and\\b|\\s+with\\b)")

// Task is what the user wants.
type Task struct {
	tools *Resolver
	Steps []Step
	// topic is the words of the task.
	topic map[string]bool
}

// readTurns extracts the user's calls from the user's turns. The rest may hold
// orders like any other text.
func (tk *Task) readTurns(texts []text) {
	for i := range texts {
		t := &texts[i]
		if t.Place.Part != InTurn {
			continue
		}
		for _, w := range toolkit.SplitWords(t.value, 4000) {
			tk.topic[w] = true
		}
		tk.namedSteps(t)
	}
	for _, s := range tk.Steps {
		for _, w := range tk.tools.Profiles[s.Tool].Words {
			tk.topic[w] = true
		}
	}
}

// namedSteps finds "Use the tool NAME with {JSON}." and blanks it out.
func (tk *Task) namedSteps(t *text) {
	at := 0
	for n := 0; at < len(t.value) && len(tk.Steps) < maxSteps; {
		m := named.FindStringSubmatchIndex(t.value[at:])
		if m == nil {
			return
		}
		from, end := at+m[0], at+m[1]
		name := t.value[at+m[4] : at+m[5]]
		tool := tk.tools.Names.Find(strings.TrimRight(name, ".:/"), -1)
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
		tk.Steps = append(tk.Steps, s)
		at = end
		n++
	}
}

// freeSteps finds a tool for the user's sentences that name none.
func (tk *Task) freeSteps(sentences []utterance, found *Ledger) {
	turns := map[int]bool{}
	for _, s := range tk.Steps {
		turns[s.Turn] = true
	}
	for i := range sentences {
		s := &sentences[i]
		if s.Place.Part != InTurn || s.how != "" || turns[s.Place.Turn] || found.has(s) || len(tk.Steps) >= maxSteps || !imperative(s) || s.harmlessScore() > 2 {
			continue
		}
		if tool := tk.tools.bestMatch(s); tool >= 0 {
			tk.Steps = append(tk.Steps, Step{Turn: s.Place.Turn, N: s.index, Tool: tool, Args: tk.tools.argumentsFor(s, tool), Name: tk.tools.Names.Tools[tool].Name})
		}
	}
}

// imperative reports whether the sentence can be a request: not a single word,
// not very long, no quotation.
func imperative(s *utterance) bool {
	return len(s.Words) > 1 && len(s.Words) < 40 && !s.AllQuoted()
}

// concerns reports whether the words occur in the user's task.
func (tk *Task) concerns(s *utterance, from, to int) bool {
	for i := from; i < to; i++ {
		if w := s.Words[i].Text; len(w) > 3 && tk.topic[w] && !s.Is(i, "user", "asks", "if", "when", "toolword") && !weak(w) {
			return true
		}
	}
	return false
}

// weak reports whether the word occurs in any task.
func weak(w string) bool {
	return words().Phrases.AnyTask.Has(w)
}
