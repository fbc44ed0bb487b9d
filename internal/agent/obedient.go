package agent

import (
	"context"
	"slices"

	"github.com/mcpsf/mcpsf/internal/agent/follower"
	"github.com/mcpsf/mcpsf/internal/llm"
)

// obedient is the follower as a mind that explains itself.
type obedient struct{ *follower.Follower }

// Obedient is the agent that needs no model: it does what it reads.
func Obedient(o *Offer) llm.Model {
	theirs := map[string]bool{promptTool: true, resourceTool: true}
	for i := range o.Tools {
		theirs[o.Tools[i].Name] = true
	}
	return obedient{follower.New(&follower.Options{Owner: func(t *llm.Tool) string {
		if theirs[t.Name] {
			return "server"
		}
		return "agent"
	}})}
}

// AskWhy implements [Explainer].
func (f obedient) AskWhy(ctx context.Context, a *llm.Ask) (*llm.Reply, map[string][]Reason, error) {
	reply, e, err := f.Decide(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	why := map[string][]Reason{}
	if len(reply.Calls) == 0 {
		why[""] = reasons(&e, func(o *follower.Order) bool { return o.Obeyed })
	}
	for i := range reply.Calls {
		id := reply.Calls[i].ID
		why[id] = reasons(&e, func(o *follower.Order) bool { return slices.Contains(o.Calls, id) })
	}
	return reply, why, nil
}

// reasons are the places of some orders.
func reasons(e *follower.Explanation, of func(*follower.Order) bool) []Reason {
	var all []Reason
	for i := range e.Orders {
		o := &e.Orders[i]
		if !of(o) {
			continue
		}
		r := Reason{Quote: o.Quote}
		switch o.Place.Part {
		case follower.InSystem:
			r.System = true
		case follower.InTool:
			r.Tool, r.Field = o.Place.Tool, o.Place.Field
		case follower.InResult:
			r.ResultOf = o.Place.CallID
		default:
			continue // the user's own words
		}
		all = append(all, r)
	}
	return all
}
