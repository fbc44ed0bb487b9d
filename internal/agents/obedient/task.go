package obedient

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
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
func (b *task) tasks(texts []text) {
	for i := range texts {
		t := &texts[i]
		if t.place.Part != InTurn {
			continue
		}
		for _, w := range wordsOf(t.value, 4000) {
			b.topic[w] = true
		}
		b.namedSteps(t)
	}
	for _, s := range b.steps {
		for _, w := range b.tools.kits[s.tool].words {
			b.topic[w] = true
		}
	}
}

// namedSteps finds "Use the tool NAME with {JSON}." and blanks it out.
func (b *task) namedSteps(t *text) {
	at := 0
	for n := 0; at < len(t.value) && len(b.steps) < maxTask; {
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
		if s.place.Part != InTurn || s.how != "" || turns[s.place.Turn] || found.ordered(s) || len(b.steps) >= maxTask || !imperative(s) || s.calm() > 2 {
			continue
		}
		if tool := b.tools.suited(s); tool >= 0 {
			b.steps = append(b.steps, step{turn: s.place.Turn, n: s.n, tool: tool, args: b.tools.fromWords(s, tool), name: b.tools.names.tools[tool].Name})
		}
	}
}

func (b *ledger) ordered(s *utterance) bool {
	quote := s.quote()
	return slices.ContainsFunc(b.orders, func(o order) bool { return o.Action != Silence && o.Place == s.place && o.Quote == quote })
}

// imperative: it begins with a verb that some tool could be meant by.
func imperative(s *utterance) bool {
	return len(s.Words) > 1 && len(s.Words) < 40 && !s.quotation()
}

// suited is the tool that shares most words with the sentence, -1 if none does.
func (b *resolver) suited(s *utterance) int {
	words := map[string]bool{}
	for i, w := range s.Words {
		if i < 40 {
			words[stem(w.Text)] = true
		}
	}
	best, most := -1, 1
	for i := range b.kits {
		n := b.kits[i].shared(words)
		if n > most || n == most && best >= 0 && b.names.tools[i].Name < b.names.tools[best].Name {
			best, most = i, n
		}
	}
	return best
}

// shared counts common words: three for one of the name, one for others.
func (k *kit) shared(words map[string]bool) int {
	n, distinct := 0, map[string]bool{}
	for _, w := range k.words {
		if w = stem(w); len(w) > 2 && words[w] && !distinct[w] {
			distinct[w] = true
			n += 3
		}
	}
	for _, w := range k.about {
		if w = stem(w); len(w) > 2 && words[w] && !distinct[w] && !filling(w) {
			distinct[w] = true
			n++
		}
	}
	if len(distinct) < 2 {
		return 0
	}
	return n
}

func filling(w string) bool {
	switch w {
	case "the", "and", "for", "with", "that", "this", "from", "into", "your", "you", "are", "all", "its", "tool", "text", "one", "any", "has", "not":
		return true
	}
	return false
}

// fromWords fills the parameters of a tool with what the sentence says.
func (b *resolver) fromWords(s *utterance, tool int) arguments {
	k := &b.kits[tool]
	a := b.spelledOut(s, tool)
	for i, w := range s.Words {
		from, to := w.Start, w.End
		if p := k.param(rolePath); p != nil && a[p.name] == nil && from >= 0 && to <= len(s.source) && w.Shape == promptscan.ShapeWord {
			if path := pathAround(s.source, from); path != "" {
				a.set(p, path)
			}
		}
		if p := k.param(roleQuery); p != nil && a[p.name] == nil && (w.Text == "for" || w.Text == "about" || w.Text == "nach") && i+1 < len(s.Words) {
			a.set(p, strings.TrimRight(s.rest(i+1), ".!? "))
		}
	}
	if p := k.param(roleQuery); p != nil && p.required && a[p.name] == nil {
		a.set(p, clip(strings.TrimRight(s.rest(0), ".!? ")))
	}
	return k.fill(a)
}

var relative = regexp.MustCompile(`^[\w.-]+(?:/[\w.-]+)+\w|^[\w-]+\.[a-z]{1,5}\b`)

// pathAround is a path that begins at a place.
func pathAround(s string, from int) string {
	if from > 0 && !strings.ContainsRune(" \"'`(", rune(s[from-1])) {
		return ""
	}
	return relative.FindString(s[from:min(len(s), from+300)])
}
