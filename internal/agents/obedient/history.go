package obedient

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/order"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
)

// history are the calls of a conversation in their order.
type history struct {
	calls []past
	byID  map[string]int
}

func newHistory(a *llm.Ask, tools *toolkit.Names) *history {
	h := &history{byID: map[string]int{}}
	for i, t := range a.Turns {
		for _, c := range t.Calls {
			if _, ok := h.byID[c.ID]; !ok {
				h.byID[c.ID] = len(h.calls)
				h.calls = append(h.calls, past{call: c, tool: tools.OfCall(c), turn: i})
			}
		}
		for j := range t.Results {
			if n, ok := h.byID[t.Results[j].CallID]; ok {
				h.calls[n].result = &t.Results[j]
			}
		}
	}
	return h
}

// past is a call that was made, and its result.
type past struct {
	call   llm.Call
	tool   int
	turn   int
	result *llm.Result
}

// made is the call with that id, nil if it was not made.
func (h *history) made(id string) *past {
	if n, ok := h.byID[id]; ok {
		return &h.calls[n]
	}
	return nil
}

// used says whether a tool was called; -1 means any tool.
func (h *history) used(tool int, answered bool) bool {
	for i := range h.calls {
		c := &h.calls[i]
		if (tool < 0 || c.tool == tool) && (!answered || c.result != nil) && !strings.HasPrefix(c.call.ID, idGet) {
			return true
		}
	}
	return false
}

// lastResult is the last result of the calls for which is returns true.
func (h *history) lastResult(is func(*past) bool) (string, *llm.Call, bool) {
	for _, c := range slices.Backward(h.calls) {
		if c.result != nil && is(&c) {
			return order.Clip(c.result.Text), nil, true
		}
	}
	return "", nil, false
}

// lastArguments are the tool's latest arguments.
func (h *history) lastArguments(tool int) toolkit.Arguments {
	for _, c := range slices.Backward(h.calls) {
		if c.tool == tool && strings.HasPrefix(c.call.ID, idTask) {
			return toolkit.DecodeArguments(c.call.Arguments)
		}
	}
	return toolkit.Arguments{}
}

// results are the results of all calls.
func (h *history) results() string {
	var b strings.Builder
	for _, c := range h.calls {
		if c.result == nil || b.Len() > order.MaxCarried {
			continue
		}
		b.WriteString(c.call.Name)
		b.WriteString(": ")
		b.WriteString(order.Clip(c.result.Text))
		b.WriteByte('\n')
	}
	return order.Clip(b.String())
}
