package obedient

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
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

// resolver finds out which tool a name refers to, and what is known of it.
type resolver struct {
	names toolNames
	kits  []kit
	owner func(*llm.Tool) string
}

func newResolver(tools []llm.Tool, owner func(*llm.Tool) string) *resolver {
	r := &resolver{names: newToolNames(tools), kits: make([]kit, len(tools)), owner: owner}
	for i := range tools {
		if i < maxTools {
			r.kits[i] = kitOf(&tools[i])
		}
	}
	return r
}

// toolsIn gives the tools that are named between two words.
func (b *resolver) toolsIn(s *utterance, from, to int) []mention {
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
func (b *resolver) mentions(s *utterance) []mention {
	var out []mention
	for i, w := range s.Words {
		if w.Shape != promptscan.ShapeWord || len(out) >= 8 {
			continue
		}
		joined := ""
		for n := 1; n <= 4 && i+n <= len(s.Words) && (n == 1 || hyphened(s, i+n-2)); n++ {
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
func (b *resolver) marked(s *utterance, i int) bool {
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
func hyphened(s *utterance, i int) bool {
	from, to := s.Words[i].End, s.Words[i+1].Start
	return from >= 0 && to <= len(s.source) && to-from == 1 && strings.IndexByte("-./:_", s.source[from]) >= 0
}

// sinks finds where things are to go.
func (b *finder) sinks(s *utterance) []sink {
	var out []sink
	commands := commandsIn(s)
	for i, w := range s.Words {
		switch {
		case s.cited(i) || slices.ContainsFunc(commands, func(c asset) bool { return c.from <= i && i < c.to }):
		case s.within(i-2, i, "example") || s.negated(i, i+1) && !s.hidden:
		case w.Shape == promptscan.ShapeMail:
			out = append(out, sink{way: byMail, address: s.literal(i), tool: -1, at: i})
		case w.Shape == promptscan.ShapeURL && !linked(s, i):
			out = append(out, sink{way: byWeb, address: s.literal(i), tool: -1, at: i})
		}
	}
	out = append(out, b.aliases.aliasedSinks(s)...)
	if p, ok := b.slot(s); ok {
		out = append(out, p)
	}
	if len(out) > 4 {
		out = out[:4]
	}
	return out
}

// linked: the address is the target of a link or picture.
func linked(s *utterance, i int) bool {
	at := s.Words[i].Start
	return at >= 2 && at <= len(s.source) && s.source[at-2:at] == "](" || at >= 5 && at <= len(s.source) && (strings.HasSuffix(s.source[:at], `src="`) || strings.HasSuffix(s.source[:at], `href="`))
}

// slot is the parameter that the sentence wants to be filled.
func (b *finder) slot(s *utterance) (sink, bool) {
	tools := []int{}
	for _, m := range b.tools.toolsIn(s, 0, len(s.Words)) {
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
				p := b.tools.kits[t].named(s.Words[i].Text)
				if p != nil && (slotAt(s, i, p) || !sure && plainSlot(s, i, p)) {
					return sink{way: byTool, tool: t, param: p.name, at: i, sure: true}, true
				}
			}
		}
	}
	if s.param != "" && s.tool >= 0 && (meansHere(s) || s.role == promptscan.RoleProse && heads(s)) {
		return sink{way: byTool, tool: s.tool, param: s.param, at: len(s.Words), sure: meansHere(s)}, true
	}
	if k, ok := b.ownSlot(s); ok {
		return k, true
	}
	if len(tools) > 0 {
		if name, at := madeUpParam(s); name != "" {
			return sink{way: byTool, tool: tools[0], param: name, at: at, sure: true}, true
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
		for t := range b.tools.kits[:min(len(b.tools.kits), maxTools)] {
			if p := b.tools.kits[t].named(w.Text); p != nil && !b.tools.kits[t].private() && (len(p.name) > 3 || s.within(i-2, i+3, "param")) {
				return sink{way: byTool, tool: t, param: p.name, at: i, sure: true}, true
			}
		}
	}
	if s.place.Part == InTool && s.param == "" && s.near(0, len(s.Words), "here", "hier", "aqui", "ici", "сюда") {
		if p := b.tools.kits[s.tool].room(arguments{}); p != nil {
			return sink{way: byTool, tool: s.tool, param: p.name, at: len(s.Words)}, true
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
	if last && s.near(i-1, i, "the") && s.near(i-2, i-1, "to", "into", "in") && len(s.live("pass")) > 0 {
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
func heads(s *utterance) bool { return s.n == 0 || s.class("content", "conv-all", "owned") }

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
