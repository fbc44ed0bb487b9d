package order

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// slot is the parameter that the sentence wants filled.
func (f *finder) slot(s *utterance) (sink, bool) {
	tools := []int{}
	for _, m := range f.tools.mentionsIn(s, 0, len(s.Words)) {
		tools = append(tools, m.tool)
	}
	if s.Tool >= 0 && !slices.Contains(tools, s.Tool) {
		tools = append(tools, s.Tool)
	}
	if l := f.last; l.slot.sure && l.read-l.slotAt < 4 && !slices.Contains(tools, l.slot.Tool) {
		tools = append(tools, l.slot.Tool)
	}
	for _, sure := range []bool{true, false} {
		for _, t := range tools[:min(len(tools), 4)] {
			for i := range s.Words {
				p := f.tools.Profiles[t].Named(s.Words[i].Text)
				if p != nil && (slotAt(s, i, p) || !sure && plainSlot(s, i, p)) {
					return sink{Channel: ViaTool, Tool: t, Param: p.Name, at: i, sure: true}, true
				}
			}
		}
	}
	if s.param != "" && s.Tool >= 0 && (meansHere(s) || s.role == promptscan.RoleProse && heads(s)) {
		return sink{Channel: ViaTool, Tool: s.Tool, Param: s.param, at: len(s.Words), sure: meansHere(s)}, true
	}
	if k, ok := f.ownSlot(s); ok {
		return k, true
	}
	if len(tools) > 0 {
		if name, at := madeUpParam(s); name != "" {
			return sink{Channel: ViaTool, Tool: tools[0], Param: name, at: at, sure: true}, true
		}
	}
	return sink{}, false
}

// ownSlot is a parameter of any tool, if its name is marked and no tool is
// named; or the described parameter that "here" refers to.
func (f *finder) ownSlot(s *utterance) (sink, bool) {
	for i, w := range s.Words {
		if !w.Name && !w.Quoted {
			continue
		}
		for t := range f.tools.Profiles[:min(len(f.tools.Profiles), toolkit.MaxTools)] {
			if p := f.tools.Profiles[t].Named(w.Text); p != nil && !f.tools.Profiles[t].Private() && (len(p.Name) > 3 || s.Within(i-2, i+3, "param")) {
				return sink{Channel: ViaTool, Tool: t, Param: p.Name, at: i, sure: true}, true
			}
		}
	}
	if s.Place.Part == InTool && s.param == "" && s.Near(0, len(s.Words), "here", "hier", "aqui", "ici", "сюда") {
		if p := f.tools.Profiles[s.Tool].Room(toolkit.Arguments{}); p != nil {
			return sink{Channel: ViaTool, Tool: s.Tool, Param: p.Name, at: len(s.Words)}, true
		}
	}
	return sink{}, false
}

// slotAt reports whether the word is used as the name of a parameter.
func slotAt(s *utterance, i int, p *toolkit.Param) bool {
	w := s.Words[i]
	if s.Within(i-2, i, "param") || s.Within(i+1, i+3, "param") || (w.Name || w.Quoted) && !s.Near(i-1, i, "from") {
		return true
	}
	if strings.Contains(p.Name, "_") && w.Text == strings.ToLower(p.Name) {
		return true
	}
	last := i+1 == len(s.Words) || s.Words[i+1].Lead || s.NearSet(i+1, i+2, words().Parameters.After)
	if last && s.Near(i-1, i, "the") && s.Near(i-2, i-1, "to", "into", "in") && len(s.Imperatives("pass")) > 0 {
		return true
	}
	return last && s.NearSet(i-1, i, words().Parameters.Before)
}

// plainSlot reports whether the word names a parameter without a mark and is no
// ordinary word.
func plainSlot(s *utterance, i int, p *toolkit.Param) bool {
	if s.Literal(i) != p.Name || s.NearSet(i-1, i, words().Parameters.NotBefore) {
		return false
	}
	return !words().Parameters.Ordinary.Has(p.Name)
}

// meansHere reports whether the described parameter itself is meant: "in this
// parameter", "pass it here".
func meansHere(s *utterance) bool {
	for i := range s.Words {
		if s.Near(i, i+1, "here", "hier", "aqui", "ici", "сюда", "replace") || s.Near(i, i+1, "this", "diesem", "este", "ce", "cette", "этот", "这") && s.NearSet(i+1, i+3, words().Parameters.Called) {
			return true
		}
	}
	return false
}

// heads reports whether the sentence begins the description of a parameter, or
// says that everything of something is meant.
func heads(s *utterance) bool { return s.index == 0 || s.Has("content", "conv-all", "owned") }

// madeUpParam is a parameter name that the schema does not have.
func madeUpParam(s *utterance) (string, int) {
	for i, w := range s.Words {
		if w.Shape != promptscan.ShapeWord || len(w.Text) > 40 || i == 0 {
			continue
		}
		if !w.Name && !w.Quoted {
			if plainParamName(s, i) {
				return s.Literal(i), i
			}
			continue
		}
		single := !w.Quoted || i+1 == len(s.Words) || !s.Words[i+1].Quoted
		if single && (s.Near(i-1, i, "as", "als", "como", "comme") || w.Name && s.Near(i-1, i, "in", "into") || s.Within(i-2, i, "param") || s.Within(i+1, i+2, "param")) {
			return s.Literal(i), i
		}
	}
	return "", 0
}

// plainParamName reports whether the word names a parameter without a mark:
// "the parameter debug", "as sidenote".
func plainParamName(s *utterance, i int) bool {
	last := i+1 == len(s.Words) || s.Words[i+1].Lead || s.Near(i+1, i+2, "on", "before", "when", "and", "or", "und", "y", "et", "и") || !s.English() && s.Is(i+1, "pass", "param")
	w := s.Words[i].Text
	if !last || len(w) < 3 || s.Is(i, "param", "pronoun", "content", "user", "results") || strings.ContainsAny(w, "0123456789") {
		return false
	}
	if s.Near(i-1, i, "as", "als", "como", "comme") {
		return len(s.Imperatives("pass")) > 0 && !s.NearSet(i, i+1, words().Parameters.AfterAs)
	}
	return (s.Within(i-1, i, "param") || !s.English() && s.Within(i+1, i+2, "param")) && s.Words[i].Text[0] < 0x80
}
