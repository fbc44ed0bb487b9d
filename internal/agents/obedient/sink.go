package obedient

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// way is how something goes.
type way string

const (
	byMail way = "mail"
	byWeb  way = "web"
	byTool way = "tool"
)

// sink is where something is to go.
type sink struct {
	way way
	// address is a mail address or URL; tool and param are a tool's parameter.
	address string
	tool    int
	param   string
	at      int
	// sure is set if the parameter is marked as one.
	sure bool
}

// mention is a tool that is named in a sentence.
type mention struct{ tool, from, to int }

// toolsIn gives the tools that are named between two words.
func (b *book) toolsIn(s *saying, from, to int) []mention {
	if !s.searched {
		s.mentions, s.searched = b.mentions(s), true
	}
	if from <= 0 && to >= len(s.Words) {
		return s.mentions
	}
	var out []mention
	for _, m := range s.mentions {
		if m.from >= from && m.to <= to {
			out = append(out, m)
		}
	}
	return out
}

// mentions finds the names of tools. A name that is an ordinary word counts
// where a tool is called by it.
func (b *book) mentions(s *saying) []mention {
	var out []mention
	for i, w := range s.Words {
		if w.Shape != promptscan.ShapeWord || len(out) >= 8 {
			continue
		}
		joined := ""
		for n := 1; n <= 4 && i+n <= len(s.Words) && (n == 1 || s.hyphened(i+n-2)); n++ {
			joined += bare(s.Words[i+n-1].Text)
			if _, ok := b.names.bare[joined]; !ok || n == 1 && !b.marked(s, i) {
				continue
			}
			if t := b.names.find(joined, s.tool); t >= 0 {
				out = append(out, mention{t, i, i + n})
			}
		}
	}
	return out
}

// marked: the word is used as the name of a tool.
func (b *book) marked(s *saying, i int) bool {
	w := s.Words[i]
	if w.Name && (strings.Contains(w.Text, "_") || len(b.names.tools[b.names.bare[bare(w.Text)][0]].Name) > len(w.Text) || capitals(s.literal(i))) {
		return true
	}
	if strings.ContainsAny(w.Text, "_0123456789") && !s.near(i-1, i, "as") {
		return true
	}
	called := s.near(i-1, i, "call", "calling", "tool", "invoke", "run", "running", "using", "use", "calls", "execute", "werkzeug", "herramienta", "outil", "инструмент", "вызови", "with", "function", "through", "via") ||
		s.near(i-2, i-1, "call", "invoke", "tool", "calls") && s.near(i-1, i, "the", "of", "tool", "named") || s.near(i+1, i+2, "tool", "function") ||
		s.near(i-1, i, "of") && s.within(i-4, i, "param") ||
		(i == 0 || w.Lead) && s.near(i+1, i+2, "is", "needs", "requires", "expects", "wants", "must", "should", "takes", "has") && s.class("owe", "refused", "bad") ||
		s.near(i+1, i+3, "is", "has") && s.near(i+2, i+5, "called", "used", "run", "invoked")
	return called && (w.Name || w.Quoted || !s.near(i+1, i+2, "the") && !s.near(i-1, i, "with"))
}

func capitals(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 'A' && r <= 'Z' }) && strings.ToUpper(s[:1]) != s[:1]
}

// hyphened: a word and the next are one name in the source, joined by a sign.
func (s *saying) hyphened(i int) bool {
	from, to := s.Words[i].End, s.Words[i+1].Start
	return from >= 0 && to <= len(s.source) && to-from == 1 && strings.IndexByte("-./:_", s.source[from]) >= 0
}

// sinks finds where things are to go.
func (b *book) sinks(s *saying) []sink {
	var out []sink
	commands := s.commands()
	for i, w := range s.Words {
		switch {
		case s.cited(i) || slices.ContainsFunc(commands, func(c thing) bool { return c.from <= i && i < c.to }):
		case s.within(i-2, i, "example") || s.negated(i, i+1) && !s.hidden:
		case w.Shape == promptscan.ShapeMail:
			out = append(out, sink{way: byMail, address: s.literal(i), tool: -1, at: i})
		case w.Shape == promptscan.ShapeURL && !s.linked(i):
			out = append(out, sink{way: byWeb, address: s.literal(i), tool: -1, at: i})
		}
	}
	out = append(out, b.aliasedSinks(s)...)
	if p, ok := b.slot(s); ok {
		out = append(out, p)
	}
	if len(out) > 4 {
		out = out[:4]
	}
	return out
}

// linked: the address is the target of a link or picture.
func (s *saying) linked(i int) bool {
	at := s.Words[i].Start
	return at >= 2 && at <= len(s.source) && s.source[at-2:at] == "](" || at >= 5 && at <= len(s.source) && (strings.HasSuffix(s.source[:at], `src="`) || strings.HasSuffix(s.source[:at], `href="`))
}

// slot is the parameter that the sentence wants to be filled.
func (b *book) slot(s *saying) (sink, bool) {
	tools := []int{}
	for _, m := range b.toolsIn(s, 0, len(s.Words)) {
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
				p := b.kits[t].named(s.Words[i].Text)
				if p != nil && (b.slotAt(s, i, p) || !sure && b.plainSlot(s, i, p)) {
					return sink{way: byTool, tool: t, param: p.name, at: i, sure: true}, true
				}
			}
		}
	}
	if s.param != "" && s.tool >= 0 && (s.here() || s.role == promptscan.RoleProse && s.heads()) {
		return sink{way: byTool, tool: s.tool, param: s.param, at: len(s.Words), sure: s.here()}, true
	}
	if k, ok := b.ownSlot(s); ok {
		return k, true
	}
	if len(tools) > 0 {
		if name, at := s.madeUp(); name != "" {
			return sink{way: byTool, tool: tools[0], param: name, at: at, sure: true}, true
		}
	}
	return sink{}, false
}

// ownSlot is a parameter of any tool, if its name is marked as one and no tool
// is; or that of the tool itself which "here" means.
func (b *book) ownSlot(s *saying) (sink, bool) {
	for i, w := range s.Words {
		if !w.Name && !w.Quoted {
			continue
		}
		for t := range b.kits[:min(len(b.kits), maxTools)] {
			if p := b.kits[t].named(w.Text); p != nil && !b.kits[t].private() && (len(p.name) > 3 || s.within(i-2, i+3, "param")) {
				return sink{way: byTool, tool: t, param: p.name, at: i, sure: true}, true
			}
		}
	}
	if s.place.Part == InTool && s.param == "" && s.near(0, len(s.Words), "here", "hier", "aqui", "ici", "сюда") {
		if p := b.kits[s.tool].room(arguments{}); p != nil {
			return sink{way: byTool, tool: s.tool, param: p.name, at: len(s.Words)}, true
		}
	}
	return sink{}, false
}

// slotAt: the word is used as the name of a parameter.
func (b *book) slotAt(s *saying, i int, p *param) bool {
	w := s.Words[i]
	if s.within(i-2, i, "param") || s.within(i+1, i+3, "param") || (w.Name || w.Quoted) && !s.near(i-1, i, "from") {
		return true
	}
	if strings.Contains(p.name, "_") && w.Text == strings.ToLower(p.name) {
		return true
	}
	last := i+1 == len(s.Words) || s.Words[i+1].Lead || s.near(i+1, i+2, "on", "with", "for", "when", "of", "and", "in", "before", "as", "at")
	if last && s.near(i-1, i, "the") && s.near(i-2, i-1, "to", "into", "in") && len(s.live("pass")) > 0 {
		return true
	}
	return last && s.near(i-1, i, "as", "in", "into", "als", "como", "comme", "via", "to", "called", "en", "dans", "в", "как")
}

// plainSlot: the name stands there as any word, which it is not.
func (b *book) plainSlot(s *saying, i int, p *param) bool {
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
func (s *saying) here() bool {
	for i := range s.Words {
		if s.near(i, i+1, "here", "hier", "aqui", "ici", "сюда", "replace") || s.near(i, i+1, "this", "diesem", "este", "ce", "cette", "этот", "这") && s.near(i+1, i+3, "parameter", "argument", "field", "value", "feld", "parametro", "campo", "parametre", "champ", "поле", "параметр", "default", "placeholder") {
			return true
		}
	}
	return false
}

// heads: the description begins with what belongs into the parameter, and goes
// on to say that it is all of it.
func (s *saying) heads() bool { return s.n == 0 || s.class("content", "conv-all", "owned") }

// madeUp is the name of a parameter that the schema does not have.
func (s *saying) madeUp() (string, int) {
	for i, w := range s.Words {
		if w.Shape != promptscan.ShapeWord || len(w.Text) > 40 || i == 0 {
			continue
		}
		if !w.Name && !w.Quoted {
			if s.plainName(i) {
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
func (s *saying) plainName(i int) bool {
	last := i+1 == len(s.Words) || s.Words[i+1].Lead || s.near(i+1, i+2, "on", "before", "when", "and", "or", "und", "y", "et", "и") || !s.english() && s.at(i+1, "pass", "param")
	w := s.Words[i].Text
	if !last || len(w) < 3 || s.at(i, "param", "pronoun", "content", "user", "results") || strings.ContainsAny(w, "0123456789") {
		return false
	}
	if s.near(i-1, i, "as", "als", "como", "comme") {
		return len(s.live("pass")) > 0 && !s.near(i, i+1, "well", "requested", "usual", "html", "json", "text", "string", "markdown", "xml", "follows", "needed", "possible", "before", "base64", "such", "given", "always", "usual", "ever", "soon", "expected", "described", "shown")
	}
	return (s.within(i-1, i, "param") || !s.english() && s.within(i+1, i+2, "param")) && s.Words[i].Text[0] < 0x80
}
