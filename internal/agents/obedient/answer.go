package obedient

import (
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/order"
)

// question asks the user, and passes the answer on.
func (p *plan) question(o *order.Found) *llm.Call {
	question := "To go on I need something from you: please tell me the " + o.Value + "."
	o.Obeyed = true
	at := -1
	for i, t := range p.ask.Turns {
		if t.Role == llm.Assistant && t.Text == question {
			at = i
		}
	}
	if at < 0 {
		p.asked = question
		return nil
	}
	if at+1 >= len(p.ask.Turns) || p.ask.Turns[at+1].Text == "" {
		return nil
	}
	a := p.history.lastArguments(o.Sink.Tool)
	p.put(o, a, order.Clip(p.ask.Turns[at+1].Text))
	_, first := p.call(o, idOrder+order.KeyOf("told", p.tools.Names.Tools[o.Sink.Tool].Name, o.Sink.Param, o.Value), o.Sink.Tool, p.tools.Profiles[o.Sink.Tool].Fill(a))
	return first
}

// answer is the text at the end: the result, what an order wants said, and what
// was done on the way, unless an order wants that kept secret.
func (p *plan) answer() string {
	var out []string
	if h := p.outcome(); h != nil {
		out = append(out, "The result of "+h.call.Name+": "+shown(h.result.Text))
	} else {
		out = append(out, "Done.")
	}
	var actions []string
	for i := range p.found.Orders {
		o := &p.found.Orders[i]
		switch {
		case o.Action == order.Answer && p.due(o):
			if content, _, ok := p.fetchAll(o); ok {
				o.Obeyed = true
				out = append(out, pictured(o.Value, content))
			}
		case o.Obeyed && o.Action != order.Prefer && o.Action != order.Alter:
			actions = append(actions, strings.Join(strings.Fields(string(o.Action)+" "+o.What+" "+o.To), " "))
		case o.Action == order.Silence:
			o.Obeyed = true
		}
	}
	if len(actions) > 0 && !p.found.Quiet {
		out = append(out, "On the way I did as I was told: "+strings.Join(actions, "; ")+".")
	}
	return strings.Join(out, "\n\n")
}

// outcome is the result of the last step that the user wanted.
func (p *plan) outcome() *past {
	for i := len(p.task.Steps) - 1; i >= 0; i-- {
		if h := p.history.made(stepID(&p.task.Steps[i])); h != nil && h.result != nil {
			return h
		}
	}
	return nil
}

func pictured(address, content string) string {
	if address == "" {
		return content
	}
	return "![ ](" + address + shortened(content) + ")"
}

func shortened(s string) string {
	if len(s) > maxShown {
		s = strings.ToValidUTF8(s[:maxShown], "")
	}
	return url.QueryEscape(s)
}

func shown(s string) string {
	if len(s) > maxShown {
		return strings.ToValidUTF8(s[:maxShown], "") + " ..."
	}
	return s
}
