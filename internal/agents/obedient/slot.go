package obedient

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// slot is the parameter that the sentence wants to be filled.
func (b *finder) slot(s *utterance) (sink, bool) {
	tools := []int{}
	for _, m := range b.tools.mentionsIn(s, 0, len(s.Words)) {
		tools = append(tools, m.tool)
	}
	if s.tool >= 0 && !slices.Contains(tools, s.tool) {
		tools = append(tools, s.tool)
	}
	if l := b.last; l.slot.sure && l.read-l.slotAt < 4 && !slices.Contains(tools, l.slot.tool) {
		tools = append(tools, l.slot.tool)
	}
	for _, sure := range []bool{true, false} {
		for _, t := range tools[:min(len(tools), 4)] {
			for i := range s.Words {
				p := b.tools.profiles[t].named(s.Words[i].Text)
				if p != nil && (slotAt(s, i, p) || !sure && plainSlot(s, i, p)) {
					return sink{channel: viaTool, tool: t, param: p.name, at: i, sure: true}, true
				}
			}
		}
	}
	if s.param != "" && s.tool >= 0 && (meansHere(s) || s.role == promptscan.RoleProse && heads(s)) {
		return sink{channel: viaTool, tool: s.tool, param: s.param, at: len(s.Words), sure: meansHere(s)}, true
	}
	if k, ok := b.ownSlot(s); ok {
		return k, true
	}
	if len(tools) > 0 {
		if name, at := madeUpParam(s); name != "" {
			return sink{channel: viaTool, tool: tools[0], param: name, at: at, sure: true}, true
		}
	}
	return sink{}, false
}

// ownSlot is a parameter of any tool, if its name is marked as one and no tool
// is; or that of the tool itself which "here" means.
func (b *finder) ownSlot(s *utterance) (sink, bool) {
	for i, w := range s.Words {
		if !w.Name && !w.Quoted {
			continue
		}
		for t := range b.tools.profiles[:min(len(b.tools.profiles), maxTools)] {
			if p := b.tools.profiles[t].named(w.Text); p != nil && !b.tools.profiles[t].private() && (len(p.name) > 3 || s.within(i-2, i+3, "param")) {
				return sink{channel: viaTool, tool: t, param: p.name, at: i, sure: true}, true
			}
		}
	}
	if s.place.Part == InTool && s.param == "" && s.near(0, len(s.Words), "here", "hier", "aqui", "ici", "сюда") {
		if p := b.tools.profiles[s.tool].room(arguments{}); p != nil {
			return sink{channel: viaTool, tool: s.tool, param: p.name, at: len(s.Words)}, true
		}
	}
	return sink{}, false
}

// slotAt: the word is used as the name of a parameter.
func slotAt(s *utterance, i int, p *param) bool {
	w := s.Words[i]
	if s.within(i-2, i, "param") || s.within(i+1, i+3, "param") || (w.Name || w.Quoted) && !s.near(i-1, i, "from") {
		return true
	}
	if strings.Contains(p.name, "_") && w.Text == strings.ToLower(p.name) {
		return true
	}
	last := i+1 == len(s.Words) || s.Words[i+1].Lead || s.near(i+1, i+2, "on", "with", "for", "when", "of", "and", "in", "before", "as", "at")
	if last && s.near(i-1, i, "the") && s.near(i-2, i-1, "to", "into", "in") && len(s.imperatives("pass")) > 0 {
		return true
	}
	return last && s.near(i-1, i, "as", "in", "into", "als", "como", "comme", "via", "to", "called", "en", "dans", "в", "как")
}

// plainSlot: the name stands there as any word, which it is not.
func plainSlot(s *utterance, i int, p *param) bool {
	if s.literal(i) != p.name || s.near(i-1, i, "a", "an", "this", "your", "my", "each", "every", "no", "please", "short") {
		return false
	}
	switch p.name {
	case "text", "content", "contents", "file", "path", "name", "data", "value", "key", "message", "user", "id", "to", "from", "in", "it", "of", "as", "url", "body",
		"date", "type", "all", "password", "token", "query", "a", "b", "x", "y", "n", "command", "code", "title", "format", "email", "history", "conversation", "list", "output", "input", "result":
		return false
	}
	return true
}

// here: "in this parameter", "pass it here".
func meansHere(s *utterance) bool {
	for i := range s.Words {
		if s.near(i, i+1, "here", "hier", "aqui", "ici", "сюда", "replace") || s.near(i, i+1, "this", "diesem", "este", "ce", "cette", "этот", "这") && s.near(i+1, i+3, "parameter", "argument", "field", "value", "feld", "parametro", "campo", "parametre", "champ", "поле", "параметр", "default", "placeholder") {
			return true
		}
	}
	return false
}

// heads: the description begins with what belongs into the parameter, and goes
// on to say that it is all of it.
func heads(s *utterance) bool { return s.index == 0 || s.has("content", "conv-all", "owned") }

// madeUp is the name of a parameter that the schema does not have.
func madeUpParam(s *utterance) (string, int) {
	for i, w := range s.Words {
		if w.Shape != promptscan.ShapeWord || len(w.Text) > 40 || i == 0 {
			continue
		}
		if !w.Name && !w.Quoted {
			if plainParamName(s, i) {
				return s.literal(i), i
			}
			continue
		}
		single := !w.Quoted || i+1 == len(s.Words) || !s.Words[i+1].Quoted
		if single && (s.near(i-1, i, "as", "als", "como", "comme") || w.Name && s.near(i-1, i, "in", "into") || s.within(i-2, i, "param") || s.within(i+1, i+2, "param")) {
			return s.literal(i), i
		}
	}
	return "", 0
}

// plainName: "the parameter debug", "as sidenote", without any mark.
func plainParamName(s *utterance, i int) bool {
	last := i+1 == len(s.Words) || s.Words[i+1].Lead || s.near(i+1, i+2, "on", "before", "when", "and", "or", "und", "y", "et", "и") || !s.english() && s.is(i+1, "pass", "param")
	w := s.Words[i].Text
	if !last || len(w) < 3 || s.is(i, "param", "pronoun", "content", "user", "results") || strings.ContainsAny(w, "0123456789") {
		return false
	}
	if s.near(i-1, i, "as", "als", "como", "comme") {
		return len(s.imperatives("pass")) > 0 && !s.near(i, i+1, "well", "requested", "usual", "html", "json", "text", "string", "markdown", "xml", "follows", "needed", "possible", "before", "base64", "such", "given", "always", "usual", "ever", "soon", "expected", "described", "shown")
	}
	return (s.within(i-1, i, "param") || !s.english() && s.within(i+1, i+2, "param")) && s.Words[i].Text[0] < 0x80
}
