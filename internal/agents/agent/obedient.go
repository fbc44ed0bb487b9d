package agent

import (
	"context"
	"slices"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/obedient"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/order"
)

// explained is the obedient agent as a model that gives its reasons.
type explained struct{ *obedient.Agent }

// Obedient is the agent that needs no model: it does what it reads.
func Obedient(o *Offer) llm.Model {
	theirs := map[string]bool{promptTool: true, resourceTool: true}
	for i := range o.Tools {
		theirs[o.Tools[i].Name] = true
	}
	return explained{obedient.New(&obedient.Options{Owner: func(t *llm.Tool) string {
		if theirs[t.Name] {
			return "server"
		}
		return "agent"
	}})}
}

// AskWhy implements [Explainer].
func (f explained) AskWhy(ctx context.Context, a *llm.Ask) (*llm.Reply, map[string][]Reason, error) {
	reply, e, err := f.Decide(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	why := map[string][]Reason{}
	if len(reply.Calls) == 0 {
		why[""] = reasons(&e, func(o *order.Order) bool { return o.Obeyed })
	}
	for i := range reply.Calls {
		id := reply.Calls[i].ID
		why[id] = reasons(&e, func(o *order.Order) bool { return slices.Contains(o.Calls, id) })
	}
	return reply, why, nil
}

// reasons are the texts that contain some orders.
func reasons(e *order.Explanation, of func(*order.Order) bool) []Reason {
	var all []Reason
	for i := range e.Orders {
		o := &e.Orders[i]
		if !of(o) {
			continue
		}
		r := Reason{Quote: o.Quote}
		switch o.Place.Part {
		case order.InSystem:
			r.System = true
		case order.InTool:
			r.Tool, r.Field = o.Place.Tool, o.Place.Field
		case order.InResult:
			r.ResultOf = o.Place.CallID
		default:
			continue // the user's own words
		}
		all = append(all, r)
	}
	return all
}
