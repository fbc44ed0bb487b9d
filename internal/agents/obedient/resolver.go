package obedient

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// resolver finds out which tool a name refers to, and what is known of it.
type resolver struct {
	names    names
	profiles []profile
	owner    func(*llm.Tool) string
}

func newResolver(tools []llm.Tool, owner func(*llm.Tool) string) *resolver {
	r := &resolver{names: newNames(tools), profiles: make([]profile, len(tools)), owner: owner}
	for i := range tools {
		if i < maxTools {
			r.profiles[i] = newProfile(&tools[i])
		}
	}
	return r
}

// mention is a tool that is named in a sentence.
type mention struct{ tool, from, to int }

// toolsIn gives the tools that are named between two words.
func (b *resolver) mentionsIn(s *utterance, from, to int) []mention {
	if !s.searched {
		s.mentions, s.searched = b.findMentions(s), true
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
func (b *resolver) findMentions(s *utterance) []mention {
	var out []mention
	for i, w := range s.Words {
		if w.Shape != promptscan.ShapeWord || len(out) >= 8 {
			continue
		}
		joined := ""
		for n := 1; n <= 4 && i+n <= len(s.Words) && (n == 1 || hyphened(s, i+n-2)); n++ {
			joined += bare(s.Words[i+n-1].Text)
			if _, ok := b.names.bare[joined]; !ok || n == 1 && !b.isToolName(s, i) {
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
func (b *resolver) isToolName(s *utterance, i int) bool {
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
		(i == 0 || w.Lead) && s.near(i+1, i+2, "is", "needs", "requires", "expects", "wants", "must", "should", "takes", "has") && s.has("owe", "refused", "bad") ||
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

// tool is the tool to be used, -1 if none is named with a verb.
func (b *resolver) toolFor(s *utterance, verbs ...[]promptscan.Sense) int {
	for _, m := range b.mentionsIn(s, 0, len(s.Words)) {
		if s.when.covers(m.from) || s.negated(m.from, m.to) || s.has("bad") && b.disliked(s, m) {
			continue
		}
		for _, list := range verbs {
			if slices.ContainsFunc(list, func(v promptscan.Sense) bool { return m.from-v.To < 8 && v.From-m.to < 8 }) {
				return m.tool
			}
		}
	}
	return -1
}

// disliked: the tool is said to be worse, or not to be used.
func (b *resolver) disliked(s *utterance, m mention) bool {
	if s.within(m.from-5, m.from, "instead") {
		return true
	}
	if s.negated(m.from, m.to) && s.within(m.from-3, m.from, "call", "prefer") {
		return true
	}
	for _, c := range s.each("bad") {
		if c.From >= m.to && c.From-m.to < 8 && !b.nearer(s, m, c) || m.from >= c.To && m.from-c.To < 4 && !s.parted(c.To, m.from) {
			return true
		}
	}
	for _, c := range s.each("not") {
		if c.From < m.to || c.From-m.to >= 5 || s.parted(m.to, c.From) || b.nearer(s, m, c) {
			continue
		}
		if !s.near(c.To, c.To+2, "needed", "necessary", "required", "used", "called", "affected") || strings.HasSuffix(s.phrase(c), "must not") {
			return true
		}
	}
	return false
}

// nearer: another tool stands between a tool and the word.
func (b *resolver) nearer(s *utterance, m mention, c promptscan.Sense) bool {
	return slices.ContainsFunc(b.mentionsIn(s, m.to, c.From), func(o mention) bool { return o.tool != m.tool })
}

// family: the tool is of the server that speaks.
func (b *resolver) sameServer(tool, speaker int) bool {
	if b.owner == nil || speaker < 0 {
		return false
	}
	return b.owner(&b.names.tools[tool]) == b.owner(&b.names.tools[speaker])
}

// replaces: a tool takes all that another cannot do without.
func (b *resolver) canReplace(chosen, avoid int) bool {
	for _, r := range []role{rolePath, roleReceiver, roleURL, roleQuery, roleCommand} {
		p := b.profiles[avoid].param(r)
		if p != nil && p.required && b.profiles[chosen].param(r) == nil {
			return false
		}
	}
	return true
}

// talks: the tool is about conversations itself, those of others.
func (b *resolver) isAboutChats(tool int) bool {
	words := []string{"bot", "bots", "chat", "thread", "message", "messages", "model", "assistant", "prompt", "agent", "conversation", "conversations", "slack", "llm", "completion", "transcript", "meeting"}
	return anyOf(b.profiles[tool].words, words) || anyOf(b.profiles[tool].about, words)
}
