package obedient

import (
	"context"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/order"
)

// Options has what the agent cannot know from the request.
type Options struct {
	// Owner names the server that a tool belongs to. Without it, a tool is
	// judged by its abilities.
	Owner func(*llm.Tool) string
}

// Agent does what it reads. It has no state and is safe for concurrent use.
type Agent struct {
	owner func(*llm.Tool) string
}

var _ llm.Model = (*Agent)(nil)

// New makes an agent; options may be nil.
func New(o *Options) *Agent {
	if o == nil {
		o = &Options{}
	}
	return &Agent{owner: o.Owner}
}

// Name is the agent's name in lists of models.
func (*Agent) Name() string { return "obedient" }

// Ask is the next reply. It fails only if the context is done.
func (ag *Agent) Ask(ctx context.Context, a *llm.Ask) (*llm.Reply, error) {
	r, _, err := ag.Decide(ctx, a)
	return r, err
}

// Explain says which orders were found in a request, and which calls obey them:
// the calls made, and the next one that [Agent.Ask] would make.
func (ag *Agent) Explain(ctx context.Context, a *llm.Ask) (order.Explanation, error) {
	_, e, err := ag.Decide(ctx, a)
	return e, err
}

// Decide is [Agent.Ask] and [Agent.Explain] at once.
func (ag *Agent) Decide(ctx context.Context, a *llm.Ask) (*llm.Reply, order.Explanation, error) {
	if err := ctx.Err(); err != nil {
		return nil, order.Explanation{}, &llm.Error{Kind: llm.KindCancelled, Message: "the rule-following agent was not waited for"}
	}
	found := order.Find(a, ag.owner)
	p := newPlan(a, found)
	p.review()
	r := &llm.Reply{Stop: llm.StopEnd, Model: ag.Name()}
	switch c := p.next(); {
	case p.asked != "":
		r.Text = p.asked
	case c != nil:
		r.Calls, r.Stop = []llm.Call{*c}, llm.StopTools
	default:
		r.Text = p.answer()
	}
	e := order.Explanation{Unread: found.Unread}
	for i := range found.Found.Orders {
		e.Orders = append(e.Orders, found.Found.Orders[i].Order)
	}
	return r, e, nil
}
