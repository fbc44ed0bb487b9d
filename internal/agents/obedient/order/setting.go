package order

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// setting is a value for a parameter.
type setting struct {
	tool         int
	param, value string
}

// alterOwn adds an order if the tool's own parameters are to get values.
func (r *alterRule) alterOwn(s *utterance) bool {
	if s.Tool < 0 && len(r.tools.mentionsIn(s, 0, len(s.Words))) == 0 || s.Has("example") || s.when.unmet {
		return false
	}
	if len(s.Imperatives("pass", "alter", "call", "passed", "prefer", "goes")) == 0 && !s.Has("owe", "address") {
		return false
	}
	done := false
	for _, v := range r.assignments(s) {
		if r.tools.Profiles[v.tool].Private() && v.tool != s.Tool {
			continue
		}
		s.when.Moment, s.when.Tool = With, v.tool
		o := Found{Order: Order{Action: Alter, To: r.tools.Names.Tools[v.tool].Name + " " + v.param}, Via: v.tool, Avoid: -1, Value: v.value, Replace: true}
		o.Sink.Param = v.param
		r.found.add(s, o)
		done = true
	}
	return done
}

// assignments are "x=true", "set x to true", "x shall be true", "switch x on".
func (r *alterRule) assignments(s *utterance) []setting {
	tools := []int{}
	for _, m := range r.tools.mentionsIn(s, 0, len(s.Words)) {
		if !slices.Contains(tools, m.tool) && len(tools) < 4 {
			tools = append(tools, m.tool)
		}
	}
	if s.Tool >= 0 && !slices.Contains(tools, s.Tool) {
		tools = append(tools, s.Tool)
	}
	var out []setting
	from, to := s.Extent()
	for _, m := range assigned.FindAllStringSubmatch(s.Source[from:to], 6) {
		for _, t := range tools {
			if p := r.tools.Profiles[t].Named(m[1]); p != nil {
				out = append(out, setting{t, p.Name, trim(m[2])})
			}
		}
	}
	for _, t := range tools {
		for i := range s.Words {
			p := r.tools.Profiles[t].Named(s.Words[i].Text)
			if len(out) > 0 || p == nil || !slotAt(s, i, p) && !s.Near(i-1, i, "set", "switch", "turn") {
				continue
			}
			if v := valueAfter(s, i+1); v != "" {
				out = append(out, setting{t, p.Name, v})
			}
		}
	}
	return out
}

// valueAfter is a value within the next few words.
func valueAfter(s *utterance, i int) string {
	for j := i; j < min(i+5, len(s.Words)); j++ {
		w := s.Words[j]
		switch {
		case words().Phrases.Switches.Has(w.Text):
			if (w.Text == "on" || w.Text == "off") && j+1 < len(s.Words) && !s.Words[j+1].Lead {
				continue
			}
			return w.Text
		case w.Quoted && w.Shape == promptscan.ShapeWord && s.Near(j-3, j, "to", "be", "is", "auf", "as", "a", "на"):
			return s.Literal(j)
		case number(w.Text) && s.Near(j-2, j, "to", "be", "is", "auf"):
			return w.Text
		}
	}
	return ""
}
