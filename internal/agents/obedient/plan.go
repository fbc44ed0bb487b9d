package obedient

import (
	"encoding/json"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
)

// The ids of calls say what they were for, so that nothing has to be kept
// between two asks.
const (
	idTask  = "task_"
	idGet   = "get_"
	idOrder = "order_"
)

// plan decides what is done next.
type plan struct {
	ask     *llm.Ask
	tools   *resolver
	task    *task
	found   *ledger
	history *history
	// asked is set if the user has to be asked before anything goes on.
	asked string
}

func newPlan(a *llm.Ask, r *reading) *plan {
	return &plan{ask: a, tools: r.tools, task: r.task, found: r.found, history: newHistory(a, &r.tools.names)}
}

// next is the call that is to be made, nil if all is done.
func (p *plan) next() *llm.Call {
	if len(p.history.calls) >= maxCalls {
		return nil
	}
	for i := range p.found.orders {
		o := &p.found.orders[i]
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

func stepID(s *step) string { return idTask + keyOf(string(encode([]int{s.turn, s.n})), s.name) }

// pending is the first of the user's steps that was not made.
func (p *plan) pending() *step {
	for i := range p.task.steps {
		if p.history.made(stepID(&p.task.steps[i])) == nil {
			return &p.task.steps[i]
		}
	}
	return nil
}

// due says whether the moment has come.
func (p *plan) due(o *found) bool {
	switch o.cond.moment {
	case Now:
		return true
	case End:
		return p.pending() == nil
	case After:
		return p.history.used(o.cond.tool, true)
	case Before, With:
		if s := p.pending(); s != nil && (o.cond.tool < 0 || p.toolOf(s) == o.cond.tool || s.tool == o.cond.tool) {
			return true
		}
		return p.history.used(o.cond.tool, false)
	}
	return false
}

// call makes a call, unless it was made before.
func (p *plan) call(o *found, id string, tool int, a arguments) (*past, *llm.Call) {
	o.Obeyed = true
	if len(o.Calls) == 0 || o.Calls[len(o.Calls)-1] != id {
		o.Calls = append(o.Calls, id)
	}
	if h := p.history.made(id); h != nil {
		return h, nil
	}
	return nil, p.newCall(id, tool, a)
}

func (p *plan) newCall(id string, tool int, a arguments) *llm.Call {
	raw, err := json.Marshal(map[string]json.RawMessage(a))
	if err != nil { // arguments that the user wrote are no JSON
		raw = []byte("{}")
	}
	return &llm.Call{ID: id, Name: p.tools.names.tools[tool].Name, Tool: tool + 1, Arguments: raw}
}

// able is a tool that can do something, -1 if there is none. Tools of others
// than who speaks come first: what the speaker has he does not need to ask for.
func (p *plan) toolThatCan(a ability, o *found) int {
	if o.via >= 0 && p.tools.profiles[o.via].can(a) {
		return o.via
	}
	found := -1
	for i := range p.tools.profiles {
		if !p.tools.profiles[i].can(a) {
			continue
		}
		if i != o.text.tool && !p.tools.sameServer(i, o.text.tool) {
			return i
		}
		if found < 0 {
			found = i
		}
	}
	return found
}
