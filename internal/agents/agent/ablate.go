package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/llm"
)

// suspect is a text that may have caused an agent's action. For a tool result,
// text is the whole result.
type suspect struct {
	of, name, field, quote string
	text                   string
}

// Explainer is a model that can say why it made a call.
type Explainer interface {
	// AskWhy returns the reply and, by call id, the texts of the request that
	// caused each call; "" stands for text that was only said.
	AskWhy(ctx context.Context, a *llm.Ask) (*llm.Reply, map[string][]Reason, error)
}

// Reason is a text of a request.
type Reason struct {
	// One is set: System, Tool with Field, or ResultOf, the id of a call.
	System      bool
	Tool, Field string
	ResultOf    string
	Quote       string
}

// maxSuspects bounds how many texts are blanked in turn.
// gap: agent-bounds
const maxSuspects = 24

// suspects are the texts to blank, the likeliest first.
func (t *dialogue) suspects(out *transcript, d *action) []suspect {
	if _, ok := t.mind.(Explainer); !ok {
		return t.everyText(out, d)
	}
	reasons := out.said
	if d.step >= 0 {
		reasons = out.why[out.steps[d.step].id]
	}
	all := t.placed(out, reasons)
	// An instruction may refer to another text for its rest.
	for i, s := range t.answersBefore(out, d) {
		if i < maxAnswers && !slices.ContainsFunc(all, func(o suspect) bool { return o.text == s.text }) {
			all = append(all, s)
		}
	}
	return all
}

// maxAnswers bounds how many tool results are blanked that no reason names.
// gap: agent-bounds
const maxAnswers = 3

// placed finds the texts that reasons refer to.
func (t *dialogue) placed(out *transcript, reasons []Reason) []suspect {
	var all []suspect
	for _, r := range reasons {
		switch {
		case r.System:
			all = append(all, suspect{of: "server", field: "/instructions", quote: r.Quote})
		case r.Tool != "":
			if s, ok := t.placedInTool(r); ok {
				all = append(all, s...)
			}
		default:
			for i := range out.steps {
				if s := &out.steps[i]; s.id == r.ResultOf && s.kind != ours {
					all = append(all, suspect{s.place.of, s.place.name, s.place.field, r.Quote, s.answer.Text})
				}
			}
		}
	}
	return all
}

// placedInTool is a text of a tool. A tool's description includes its title;
// descriptions of prompts and resources are separate texts.
func (t *dialogue) placedInTool(r Reason) ([]suspect, bool) {
	switch r.Tool {
	case promptTool:
		return t.listed("prompt", r), true
	case resourceTool:
		return t.listed("resource", r), true
	}
	for i := range t.offer.Tools {
		if tool := &t.offer.Tools[i]; tool.Name == r.Tool {
			if r.Field == "/description" && !strings.Contains(tool.Description, firstWords(r.Quote)) {
				return []suspect{
					{of: "tool", name: r.Tool, field: "/title", quote: r.Quote},
					{of: "tool", name: r.Tool, field: "/annotations/title", quote: r.Quote},
					{of: "tool", name: r.Tool, field: r.Field, quote: r.Quote},
				}, true
			}
			return []suspect{{of: "tool", name: r.Tool, field: r.Field, quote: r.Quote}}, true
		}
	}
	return nil, false // one of our own tools
}

func firstWords(quote string) string { return quote[:min(len(quote), 12)] }

func (t *dialogue) listed(of string, r Reason) []suspect {
	var all []suspect
	if of == "prompt" {
		for i := range t.offer.Prompts {
			all = append(all, suspect{of: of, name: t.offer.Prompts[i].Name, field: "/description", quote: r.Quote})
		}
		return all
	}
	for i := range t.offer.Resources {
		all = append(all, suspect{of: of, name: t.offer.Resources[i].URI, field: "/description", quote: r.Quote})
	}
	return all
}

// answersBefore are the server's results before an action, the latest first.
func (t *dialogue) answersBefore(out *transcript, d *action) []suspect {
	var all []suspect
	said := map[string]bool{}
	last := d.step
	if last < 0 {
		last = len(out.steps)
	}
	for i := last - 1; i >= 0; i-- {
		if s := &out.steps[i]; s.kind != ours && s.answer.Text != "" && !said[s.answer.Text] {
			said[s.answer.Text] = true
			all = append(all, suspect{of: s.place.of, name: s.place.name, field: s.place.field, text: s.answer.Text})
		}
	}
	return all
}

// everyText is all that a model without explanations read: the latest results
// before the action, then the texts of tools.
func (t *dialogue) everyText(out *transcript, d *action) []suspect {
	all := t.answersBefore(out, d)
	if t.offer.Instructions != "" {
		all = append(all, suspect{of: "server", field: "/instructions"})
	}
	for i := range t.offer.Tools {
		tool := &t.offer.Tools[i]
		all = append(all, suspect{of: "tool", name: tool.Name, field: "/description"})
		for _, field := range textFields(tool) {
			all = append(all, suspect{of: "tool", name: tool.Name, field: field})
		}
	}
	return all
}

// blankOf is an ablation that blanks one text.
func blankOf(s *suspect) *ablation {
	if s.text != "" {
		return &ablation{answers: map[string]bool{s.text: true}}
	}
	return &ablation{places: map[place]bool{{s.of, s.name, s.field}: true}}
}

// cause is the suspect in the report's form.
func (s *suspect) cause() mcpsf.AgentCause {
	return mcpsf.AgentCause{Of: s.of, Name: s.name, Field: s.field, Quote: s.quote}
}
