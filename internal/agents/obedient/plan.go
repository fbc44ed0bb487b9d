package obedient

import (
	"encoding/json"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/order"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
)

// The ids of calls say what they are for, so that no state is kept between two
// requests.
const (
	idTask  = "task_"
	idGet   = "get_"
	idOrder = "order_"
)

// plan decides what is done next.
type plan struct {
	ask     *llm.Ask
	tools   *order.Resolver
	task    *order.Task
	found   *order.Ledger
	history *history
	// asked is set if the user has to be asked first.
	asked string
}

func newPlan(a *llm.Ask, r *order.Reading) *plan {
	return &plan{ask: a, tools: r.Tools, task: r.Task, found: r.Found, history: newHistory(a, &r.Tools.Names)}
}

// next is the next call, nil if everything is done.
func (p *plan) next() *llm.Call {
	if len(p.history.calls) >= maxCalls {
		return nil
	}
	for i := range p.found.Orders {
		o := &p.found.Orders[i]
		if !p.due(o) {
			continue
		}
		if c := p.obey(o); c != nil || p.asked != "" {
			return c
		}
	}
	if s := p.pending(); s != nil {
		return p.step(s)
	}
	return nil
}

func stepID(s *order.Step) string {
	return idTask + order.KeyOf(string(toolkit.Encode([]int{s.Turn, s.N})), s.Name)
}

// pending is the first of the user's steps that was not made.
func (p *plan) pending() *order.Step {
	for i := range p.task.Steps {
		if p.history.made(stepID(&p.task.Steps[i])) == nil {
			return &p.task.Steps[i]
		}
	}
	return nil
}

// due says whether the order's moment has come.
func (p *plan) due(o *order.Found) bool {
	switch o.Cond.Moment {
	case order.Now:
		return true
	case order.End:
		return p.pending() == nil
	case order.After:
		return p.history.used(o.Cond.Tool, true)
	case order.Before, order.With:
		if s := p.pending(); s != nil && (o.Cond.Tool < 0 || p.toolOf(s) == o.Cond.Tool || s.Tool == o.Cond.Tool) {
			return true
		}
		return p.history.used(o.Cond.Tool, false)
	}
	return false
}

// call makes a call, unless it was made before.
func (p *plan) call(o *order.Found, id string, tool int, a toolkit.Arguments) (*past, *llm.Call) {
	o.Obeyed = true
	if len(o.Calls) == 0 || o.Calls[len(o.Calls)-1] != id {
		o.Calls = append(o.Calls, id)
	}
	if h := p.history.made(id); h != nil {
		return h, nil
	}
	return nil, p.newCall(id, tool, a)
}

func (p *plan) newCall(id string, tool int, a toolkit.Arguments) *llm.Call {
	raw, err := json.Marshal(map[string]json.RawMessage(a))
	if err != nil { // the user's arguments are no JSON
		raw = []byte("{}")
	}
	return &llm.Call{ID: id, Name: p.tools.Names.Tools[tool].Name, Tool: tool + 1, Arguments: raw}
}

// toolThatCan is a tool with an ability, -1 if there is none. Tools of other
// servers come first: a server need not order what it can do itself.
func (p *plan) toolThatCan(a toolkit.Ability, o *order.Found) int {
	if o.Via >= 0 && p.tools.Profiles[o.Via].Can(a) {
		return o.Via
	}
	found := -1
	for i := range p.tools.Profiles {
		if !p.tools.Profiles[i].Can(a) {
			continue
		}
		if i != o.Text.Tool && !p.tools.SameServer(i, o.Text.Tool) {
			return i
		}
		if found < 0 {
			found = i
		}
	}
	return found
}
