package chain

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// Bounds for one result.
// no gap: a value that is not remembered is made up, and the tool is called all the same
const (
	maxDepth    = 16
	maxNodes    = 4096
	maxElements = 3
	maxContents = 32
	maxLearned  = 64
)

// Learn remembers the values in the result of a tools/call: in its structured
// content, in texts that are JSON, and in prose. It ignores error results.
func (m *Memory) Learn(tool string, result json.RawMessage) {
	if len(result) > maxResult {
		return
	}
	var r struct {
		IsError           any               `json:"isError"`
		StructuredContent json.RawMessage   `json:"structuredContent"`
		Content           []json.RawMessage `json:"content"`
	}
	// A field of the wrong type stays empty; the others are still read.
	if err := json.Unmarshal(result, &r); err != nil && len(r.Content)+len(r.StructuredContent) == 0 || r.IsError == true {
		return
	}
	m.calls++
	l := &learner{tool: tool, nouns: nounsOf(tool), made: rankOf(tool) < usesThings, call: m.calls}
	if value, ok := decode(r.StructuredContent); ok {
		l.walk(value, "", l.nouns, 0)
	}
	var texts []string
	for _, raw := range r.Content[:min(len(r.Content), maxContents)] {
		var piece struct {
			Text string `json:"text"`
		}
		if json.Unmarshal(raw, &piece) == nil && piece.Text != "" {
			l.text(piece.Text)
			texts = append(texts, piece.Text)
		}
	}
	m.remember(tool, texts, r.StructuredContent)
	m.facts = append(m.facts, l.facts...)
	if over := len(m.facts) - maxFacts; over > 0 {
		m.facts = slices.Delete(m.facts, 0, over)
	}
}

// learner reads one result.
type learner struct {
	tool  string
	nouns []string
	made  bool
	call  int
	nodes int
	facts []fact
	// labels is how many of them are remembered by their whole name.
	labels int
}

// text reads a text as JSON if it is valid, else as prose.
func (l *learner) text(s string) {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[") {
		if value, ok := decode(json.RawMessage(s)); ok {
			l.walk(value, "", l.nouns, 0)
			return
		}
	}
	l.prose(s)
}

// walk looks for values under telling keys, such as id or name. The nearest
// meaningful key above names the thing they belong to, else the tool's name
// does.
func (l *learner) walk(node any, key string, things []string, depth int) {
	if l.nodes++; l.nodes > maxNodes || depth > maxDepth || len(l.facts)-l.labels >= maxLearned {
		return
	}
	switch v := node.(type) {
	case []any:
		for _, e := range v[:min(len(v), maxElements)] {
			l.walk(e, key, things, depth+1)
		}
	case map[string]any:
		if own := meaningful(meaning.Words(key)); len(own) > 0 {
			things = own
		}
		// Scalars before nested objects, so that outer values win.
		keys := slices.Sorted(maps.Keys(v))
		for _, inner := range []bool{false, true} {
			for _, k := range keys {
				if compound(v[k]) == inner {
					l.walk(v[k], k, things, depth+1)
				}
			}
		}
	case string, json.Number:
		l.leaf(v, key, things)
	}
}

func compound(v any) bool {
	switch v.(type) {
	case []any, map[string]any:
		return true
	}
	return false
}

// leaf remembers a value if its key identifies something. A single value that a
// creating tool returns is taken as the name of the created thing.
func (l *learner) leaf(value any, key string, things []string) {
	words := meaning.Words(key)
	head, rest, ok := headOf(words)
	switch said, isText := value.(string); {
	case ok:
		l.add(append(meaningful(rest), things...), head, value)
	case isText && len(words) > 1:
		l.labelled(key, said)
	case l.made && token(text(value)) && (len(words) == 0 || generic(words[len(words)-1])):
		l.add(things, "id", value)
	}
}

func (l *learner) add(things []string, head string, value any) {
	if len(l.facts)-l.labels < maxLearned && plain(text(value)) {
		l.facts = append(l.facts, fact{tool: l.tool, things: slices.Clone(things), head: head, value: value, made: l.made, call: l.call})
	}
}

// token reports whether a text is one word that could be an identifier.
func token(s string) bool {
	return s != "" && len(s) <= 64 && !strings.ContainsAny(s, " \t\n,;(){}[]<>\"'") && strings.ContainsAny(s, "0123456789")
}

// decode reads JSON that is not too large. The decoder bounds its nesting.
func decode(raw json.RawMessage) (any, bool) {
	if len(raw) == 0 || len(raw) > maxResult {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil || d.More() {
		return nil, false
	}
	return value, true
}
