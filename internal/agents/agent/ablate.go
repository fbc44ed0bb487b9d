package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/llm"
)

// suspect is a text that may have made an agent do something. Of an answer, text
// is all of it.
type suspect struct {
	of, name, field, quote string
	text                   string
}

// Explainer is a mind that can say why it made a call.
type Explainer interface {
	// AskWhy is the reply, and the texts of the ask that each of its calls
	// obeys, by the call's id; "" is what was only said.
	AskWhy(ctx context.Context, a *llm.Ask) (*llm.Reply, map[string][]Reason, error)
}

// Reason is a text of an ask.
type Reason struct {
	// System, or Tool with Field, or the result of the call ResultOf.
	System      bool
	Tool, Field string
	ResultOf    string
	Quote       string
}

// maxSuspects bounds how many texts are made blank in turn.
const maxSuspects = 24

// suspects are the texts to make blank, the likeliest first.
func (t *dialogue) suspects(out *transcript, d *action) []suspect {
	if _, ok := t.mind.(Explainer); !ok {
		return t.everyText(out, d)
	}
	reasons := out.said
	if d.step >= 0 {
		reasons = out.why[out.steps[d.step].id]
	}
	all := t.placed(out, reasons)
	// An order may say that another text has the rest of it.
	for i, s := range t.answersBefore(out, d) {
		if i < maxAnswers && !slices.ContainsFunc(all, func(o suspect) bool { return o.text == s.text }) {
			all = append(all, s)
		}
	}
	return all
}

// maxAnswers bounds how many answers are made blank that no reason names.
const maxAnswers = 3

// placed finds the places of reasons.
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

// placedInTool is the text of a tool. The description has the title in it, and
// those of prompts and resources are texts of their own.
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
	return nil, false // one of ours
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

// answersBefore are what the server said before an action, the last one first.
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

// everyText is what a mind read that cannot explain itself: what came last before
// the action, then what is said of tools.
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

// blankOf is one text blank.
func blankOf(s *suspect) *ablation {
	if s.text != "" {
		return &ablation{answers: map[string]bool{s.text: true}}
	}
	return &ablation{places: map[place]bool{{s.of, s.name, s.field}: true}}
}

// cause is the suspect as the report has it.
func (s *suspect) cause() mcpsf.AgentCause {
	return mcpsf.AgentCause{Of: s.of, Name: s.name, Field: s.field, Quote: s.quote}
}
