package plan

import (
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
)

// maxShrunk bounds how many calls are shrunk.
// no gap: shortens the request of a finding, which stays
const maxShrunk = 8

// Succeeded returns the requests whose attack showed its sign, by call.
func Succeeded(events []mcpsf.Event) map[string]*mcpsf.Event {
	attacks, worked := map[string]*mcpsf.Event{}, map[string]*mcpsf.Event{}
	for i := range events {
		e := &events[i]
		if e.Kind == mcpsf.KindMCPRequest && e.MCP != nil && e.MCP.Attack != nil && !e.MCP.FromServer {
			attacks[e.Call] = e
		} else if r := attacks[e.Call]; r != nil && ShowsSuccess(e, r.MCP.Attack) {
			worked[e.Call] = r
		}
	}
	return worked
}

// ToShrink returns the attack calls that prove findings: the shortest for each
// attack on each argument.
func ToShrink(findings []mcpsf.Finding, events []mcpsf.Event, worked map[string]*mcpsf.Event, made []attackplan.AttackCall) []attackplan.AttackCall {
	type target struct{ class, tool, place string }
	at := map[target]int{}
	var list []attackplan.AttackCall
	for _, f := range findings {
		for _, seq := range f.Evidence {
			if seq < 1 || seq > int64(len(events)) {
				continue
			}
			r := worked[events[seq-1].Call]
			if r == nil {
				continue
			}
			call, ok := attackOf(r, made)
			if !ok {
				continue
			}
			t := target{call.Attack.Class, call.Tool, call.Attack.Place}
			i, known := at[t]
			switch {
			case !known && len(list) < maxShrunk:
				at[t] = len(list)
				list = append(list, call)
			case known && len(call.Arguments) < len(list[i].Arguments):
				list[i] = call
			}
		}
	}
	return list
}

// attackOf returns the attack call of a request.
func attackOf(r *mcpsf.Event, made []attackplan.AttackCall) (attackplan.AttackCall, bool) {
	i := slices.IndexFunc(made, func(c attackplan.AttackCall) bool { return c.Attack == *r.MCP.Attack && c.Tool == r.MCP.Tool })
	if i < 0 || r.MCP.Truncated {
		return attackplan.AttackCall{}, false
	}
	return made[i], true
}
