package obedient

import (
	"context"
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
)

// Options says what a follower cannot know from the ask.
type Options struct {
	// Owner names the server that a tool belongs to. Without it a tool is
	// judged by what it can do.
	Owner func(*llm.Tool) string
}

// Follower is the agent. It has no state and is safe for concurrent use.
type Follower struct {
	owner func(*llm.Tool) string
}

var _ llm.Model = (*Follower)(nil)

// New makes one; options may be nil.
func New(o *Options) *Follower {
	if o == nil {
		o = &Options{}
	}
	return &Follower{owner: o.Owner}
}

// Name is how the follower is called where models are listed.
func (*Follower) Name() string { return "obedient" }

// Ask is the next reply. It fails only if the context is done.
func (f *Follower) Ask(ctx context.Context, a *llm.Ask) (*llm.Reply, error) {
	r, _, err := f.Decide(ctx, a)
	return r, err
}

// Explain says which orders were found in an ask, and which calls obey them:
// those that were made, and the one that [Follower.Ask] would answer with.
func (f *Follower) Explain(ctx context.Context, a *llm.Ask) (Explanation, error) {
	_, e, err := f.Decide(ctx, a)
	return e, err
}

// Decide is [Follower.Ask] and [Follower.Explain] at once.
func (f *Follower) Decide(ctx context.Context, a *llm.Ask) (*llm.Reply, Explanation, error) {
	if err := ctx.Err(); err != nil {
		return nil, Explanation{}, &llm.Error{Kind: llm.KindCancelled, Message: "the rule-following agent was not waited for"}
	}
	b := read(a, f.owner)
	p := newPlan(a, b)
	p.review()
	r := &llm.Reply{Stop: llm.StopEnd, Model: f.Name()}
	switch c := p.next(); {
	case p.asked != "":
		r.Text = p.asked
	case c != nil:
		r.Calls, r.Stop = []llm.Call{*c}, llm.StopTools
	default:
		r.Text = p.answer()
	}
	e := Explanation{Unread: b.unread}
	for i := range b.found.orders {
		e.Orders = append(e.Orders, b.found.orders[i].Order)
	}
	return r, e, nil
}

// question asks the user, and passes on what he answers.
func (p *plan) question(o *order) *llm.Call {
	question := "To go on I need something from you: please tell me the " + o.value + "."
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
	a := p.before(o.sink.tool)
	p.put(o, a, clip(p.ask.Turns[at+1].Text))
	_, first := p.call(o, idOrder+keyOf("told", p.tools.names.tools[o.sink.tool].Name, o.sink.param, o.value), o.sink.tool, p.tools.kits[o.sink.tool].fill(a))
	return first
}

// answer is the text at the end: the result, what was to be said, and what was
// done on the way, unless that is to be kept quiet.
func (p *plan) answer() string {
	var out []string
	if h := p.outcome(); h != nil {
		out = append(out, "The result of "+h.call.Name+": "+shown(h.result.Text))
	} else {
		out = append(out, "Done.")
	}
	var actions []string
	for i := range p.found.orders {
		o := &p.found.orders[i]
		switch {
		case o.Action == Say && p.due(o):
			if content, _, ok := p.obtainAll(o); ok {
				o.Obeyed = true
				out = append(out, pictured(o.value, content))
			}
		case o.Obeyed && o.Action != Prefer && o.Action != Alter:
			actions = append(actions, strings.Join(strings.Fields(string(o.Action)+" "+o.What+" "+o.To), " "))
		case o.Action == Silence:
			o.Obeyed = true
		}
	}
	if len(actions) > 0 && !p.found.quiet {
		out = append(out, "On the way I did as I was told: "+strings.Join(actions, "; ")+".")
	}
	return strings.Join(out, "\n\n")
}

// outcome is the result of the last step that the user wanted.
func (p *plan) outcome() *past {
	for i := len(p.task.steps) - 1; i >= 0; i-- {
		if h := p.made(p.task.steps[i].id()); h != nil && h.result != nil {
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
