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

// Why implements [Explainer].
func (f obedient) Why(ctx context.Context, a *llm.Ask, id string) ([]Reason, error) {
	e, err := f.Explain(ctx, a)
	if err != nil {
		return nil, err
	}
	var reasons []Reason
	for i := range e.Orders {
		o := &e.Orders[i]
		if id != "" && !slices.Contains(o.Calls, id) || id == "" && !o.Obeyed {
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
		reasons = append(reasons, r)
	}
	return reasons, nil
}
