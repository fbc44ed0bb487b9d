package order

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// Resolver finds the tool that a name refers to, and its profile.
type Resolver struct {
	Names    toolkit.Names
	Profiles []toolkit.Profile
	owner    func(*llm.Tool) string
}

func newResolver(tools []llm.Tool, owner func(*llm.Tool) string) *Resolver {
	r := &Resolver{Names: toolkit.NewNames(tools), Profiles: make([]toolkit.Profile, len(tools)), owner: owner}
	for i := range tools {
		if i < toolkit.MaxTools {
			r.Profiles[i] = toolkit.NewProfile(&tools[i])
		}
	}
	return r
}

// mention is a tool that is named in a sentence.
type mention struct{ tool, from, to int }

// mentionsIn returns the tools that are named between two words.
func (r *Resolver) mentionsIn(s *utterance, from, to int) []mention {
	if !s.searched {
		s.mentions, s.searched = r.findMentions(s), true
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

// findMentions finds the names of tools. A name that is an ordinary word counts
// only where the sentence uses it as a tool name.
func (r *Resolver) findMentions(s *utterance) []mention {
	var out []mention
	for i, w := range s.Words {
		if w.Shape != promptscan.ShapeWord || len(out) >= 8 {
			continue
		}
		joined := ""
		for n := 1; n <= 4 && i+n <= len(s.Words) && (n == 1 || hyphened(s, i+n-2)); n++ {
			joined += toolkit.Bare(s.Words[i+n-1].Text)
			if _, ok := r.Names.Bare[joined]; !ok || n == 1 && !r.isToolName(s, i) {
				continue
			}
			if t := r.Names.Find(joined, s.Tool); t >= 0 {
				out = append(out, mention{t, i, i + n})
			}
		}
	}
	return out
}

// isToolName reports whether the word is used as the name of a tool.
func (r *Resolver) isToolName(s *utterance, i int) bool {
	w := s.Words[i]
	if w.Name && (strings.Contains(w.Text, "_") || len(r.Names.Tools[r.Names.Bare[toolkit.Bare(w.Text)][0]].Name) > len(w.Text) || capitals(s.Literal(i))) {
		return true
	}
	if strings.ContainsAny(w.Text, "_0123456789") && !s.Near(i-1, i, "as") {
		return true
	}
	called := s.NearSet(i-1, i, words().Phrases.BeforeTool) ||
		s.Near(i-2, i-1, "call", "invoke", "tool", "calls") && s.Near(i-1, i, "the", "of", "tool", "named") || s.Near(i+1, i+2, "tool", "function") ||
		s.Near(i-1, i, "of") && s.Within(i-4, i, "param") ||
		(i == 0 || w.Lead) && s.Near(i+1, i+2, "is", "needs", "requires", "expects", "wants", "must", "should", "takes", "has") && s.Has("owe", "refused", "bad") ||
		s.Near(i+1, i+3, "is", "has") && s.Near(i+2, i+5, "called", "used", "run", "invoked")
	return called && (w.Name || w.Quoted || !s.Near(i+1, i+2, "the") && !s.Near(i-1, i, "with"))
}

// capitals reports whether a name has capitals inside: openDocument.
func capitals(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 'A' && r <= 'Z' }) && strings.ToUpper(s[:1]) != s[:1]
}

// hyphened reports whether a sign joins two words into one name in the source.
func hyphened(s *utterance, i int) bool {
	from, to := s.Words[i].End, s.Words[i+1].Start
	return from >= 0 && to <= len(s.Source) && to-from == 1 && strings.IndexByte("-./:_", s.Source[from]) >= 0
}

// toolFor is the tool to be used, -1 if none is named with a verb.
func (r *Resolver) toolFor(s *utterance, verbs ...[]promptscan.Sense) int {
	for _, m := range r.mentionsIn(s, 0, len(s.Words)) {
		if s.when.Covers(m.from) || s.IsNegated(m.from) || s.Has("bad") && r.disliked(s, m) {
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

// disliked reports whether the sentence says that the tool is bad or not to be
// used.
func (r *Resolver) disliked(s *utterance, m mention) bool {
	if s.Within(m.from-5, m.from, "instead") {
		return true
	}
	if s.IsNegated(m.from) && s.Within(m.from-3, m.from, "call", "prefer") {
		return true
	}
	for _, c := range s.Each("bad") {
		if c.From >= m.to && c.From-m.to < 8 && !r.nearer(s, m, c) || m.from >= c.To && m.from-c.To < 4 && !s.Parted(c.To, m.from) {
			return true
		}
	}
	for _, c := range s.Negations() {
		if c.From < m.to || c.From-m.to >= 5 || s.Parted(m.to, c.From) || r.nearer(s, m, c) {
			continue
		}
		if !s.Near(c.To, c.To+2, "needed", "necessary", "required", "used", "called", "affected") || strings.HasSuffix(s.Phrase(c), "must not") {
			return true
		}
	}
	return false
}

// nearer reports whether another tool is named between a tool and the word.
func (r *Resolver) nearer(s *utterance, m mention, c promptscan.Sense) bool {
	return slices.ContainsFunc(r.mentionsIn(s, m.to, c.From), func(o mention) bool { return o.tool != m.tool })
}

// SameServer reports whether the tool belongs to the server that wrote the
// text.
func (r *Resolver) SameServer(tool, speaker int) bool {
	if r.owner == nil || speaker < 0 {
		return false
	}
	return r.owner(&r.Names.Tools[tool]) == r.owner(&r.Names.Tools[speaker])
}

// canReplace reports whether a tool has all required parameters of another.
func (r *Resolver) canReplace(chosen, avoid int) bool {
	for _, role := range []toolkit.Role{toolkit.RolePath, toolkit.RoleReceiver, toolkit.RoleURL, toolkit.RoleQuery, toolkit.RoleCommand} {
		p := r.Profiles[avoid].Param(role)
		if p != nil && p.Required && r.Profiles[chosen].Param(role) == nil {
			return false
		}
	}
	return true
}

// isAboutChats reports whether the tool works with conversations.
func (r *Resolver) isAboutChats(tool int) bool {
	return words().Conversations.Tools.Any(r.Profiles[tool].Words) || words().Conversations.Tools.Any(r.Profiles[tool].About)
}
