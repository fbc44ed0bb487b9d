package obedient

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/order"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// toolOf is the tool for a step, after orders to prefer another one.
func (p *plan) toolOf(s *order.Step) int {
	tool := s.Tool
	for i := range p.found.Orders {
		o := &p.found.Orders[i]
		if o.Action != order.Prefer || o.Via == tool || o.Avoid >= 0 && o.Avoid != tool || o.Avoid < 0 && !p.alike(o.Via, tool) {
			continue
		}
		o.Obeyed = true
		tool = o.Via
	}
	return tool
}

// alike reports whether two tools do the same kind of thing.
func (p *plan) alike(a, b int) bool {
	x, y := &p.tools.Profiles[a], &p.tools.Profiles[b]
	if slices.ContainsFunc(x.Abilities, y.Can) {
		return true
	}
	shared := slices.ContainsFunc(x.Words, func(w string) bool { return len(w) > 3 && (slices.Contains(y.Words, w) || slices.Contains(y.About, w)) }) ||
		slices.ContainsFunc(x.About, func(w string) bool { return len(w) > 3 && slices.Contains(y.Words, toolkit.Stem(w)) })
	return shared || slices.ContainsFunc([]toolkit.Role{toolkit.RolePath, toolkit.RoleQuery, toolkit.RoleURL, toolkit.RoleReceiver}, func(r toolkit.Role) bool {
		p, q := x.Param(r), y.Param(r)
		return p != nil && q != nil && p.Required && q.Required
	})
}

// step is the call of a user's step, or a call that has to precede it.
func (p *plan) step(s *order.Step) *llm.Call {
	tool := p.toolOf(s)
	k := &p.tools.Profiles[tool]
	a := p.argumentsFor(s, tool)
	given := maps.Clone(a)
	for i := range p.found.Orders {
		o := &p.found.Orders[i]
		switch o.Action {
		case order.Pass:
			if o.Sink.Tool != tool || p.userGave(o, given) {
				continue
			}
			content, first, ok := p.fetchAll(o)
			if first != nil {
				return first
			}
			if ok {
				p.put(o, a, content)
				p.markObeyed(o, stepID(s))
			}
		case order.Alter:
			if p.alters(o, tool) {
				p.changeArgument(o, k, a)
				p.markObeyed(o, stepID(s))
			}
		case order.Prefer:
			if o.Obeyed && o.Via == tool {
				p.markObeyed(o, stepID(s))
			}
		}
	}
	return p.newCall(stepID(s), tool, k.Fill(a))
}

func (p *plan) markObeyed(o *order.Found, id string) {
	o.Obeyed = true
	if !slices.Contains(o.Calls, id) {
		o.Calls = append(o.Calls, id)
	}
}

// review finds out which orders the user's steps obeyed.
func (p *plan) review() {
	for i := range p.task.Steps {
		s := &p.task.Steps[i]
		h := p.history.made(stepID(s))
		if h == nil || h.tool < 0 {
			continue
		}
		a := toolkit.DecodeArguments(h.call.Arguments)
		for j := range p.found.Orders {
			o := &p.found.Orders[j]
			if o.Text.Place.Turn < h.turn && p.obeys(o, s, h.tool, a) {
				p.markObeyed(o, stepID(s))
			}
		}
	}
}

// obeys reports whether the call is as the order wanted it.
func (p *plan) obeys(o *order.Found, s *order.Step, tool int, a toolkit.Arguments) bool {
	switch o.Action {
	case order.Pass:
		if o.Sink.Tool != tool || p.userGave(o, s.Args) {
			return false
		}
		name := o.Sink.Param
		if r := p.tools.Profiles[tool].Named(name); r != nil {
			name = r.Name
		}
		_, ok := a[name]
		return ok
	case order.Alter:
		return p.alters(o, tool)
	case order.Prefer:
		return o.Via == tool && s.Tool != tool
	}
	return false
}

// userGave reports whether the user gave that argument. The content of a key
// file replaces it nevertheless, because no user types that.
func (p *plan) userGave(o *order.Found, given toolkit.Arguments) bool {
	if o.Sink.Param != "" && slices.ContainsFunc(o.Assets, func(t order.Asset) bool { return t.Kind == order.AssetFile && promptscan.SecretPath(t.Name) }) {
		return false
	}
	r := p.tools.Profiles[o.Sink.Tool].Named(o.Sink.Param)
	if r == nil {
		return o.Sink.Param == ""
	}
	_, ok := given[r.Name]
	return ok
}

// argumentsFor are the arguments of a step for the tool that is used.
func (p *plan) argumentsFor(s *order.Step, tool int) toolkit.Arguments {
	a := maps.Clone(s.Args)
	if tool == s.Tool {
		return a
	}
	out := toolkit.Arguments{}
	from, to := &p.tools.Profiles[s.Tool], &p.tools.Profiles[tool]
	for name, v := range a {
		if r := to.Named(name); r != nil {
			out[r.Name] = v
		}
	}
	for _, r := range []toolkit.Role{toolkit.RolePath, toolkit.RoleQuery, toolkit.RoleURL, toolkit.RoleReceiver, toolkit.RoleSubject, toolkit.RoleBody, toolkit.RoleAccount, toolkit.RoleAmount, toolkit.RoleCommand, toolkit.RoleName} {
		x, y := from.Param(r), to.Param(r)
		if x != nil && y != nil && a[x.Name] != nil && out[y.Name] == nil {
			out[y.Name] = a[x.Name]
		}
	}
	return out
}

// alters reports whether the order concerns calls of that tool.
func (p *plan) alters(o *order.Found, tool int) bool {
	if o.Via >= 0 {
		return o.Via == tool
	}
	return o.Ability != "" && p.tools.Profiles[tool].Can(o.Ability)
}

// changeArgument sets an argument or adds to it.
func (p *plan) changeArgument(o *order.Found, k *toolkit.Profile, a toolkit.Arguments) {
	r := k.Named(o.Sink.Param)
	if o.Role != "" {
		if r = k.Param(o.Role); r == nil && o.Role == toolkit.RoleCopy {
			r = k.Param(toolkit.RoleReceiver)
		}
	}
	switch {
	case r == nil:
	case o.Role == toolkit.RoleCommand:
		var command string
		if json.Unmarshal(a[r.Name], &command) == nil {
			a.Set(r, o.Value+" "+command)
		}
	case o.Replace || a[r.Name] == nil:
		a.Set(r, o.Value)
	default:
		a[r.Name] = added(a[r.Name], o.Value, o.Role == toolkit.RoleBody)
	}
}

// added is a value with another one appended.
func added(v json.RawMessage, more string, text bool) json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(v, &list) == nil {
		return toolkit.Encode(append(list, toolkit.Encode(more)))
	}
	var s string
	if json.Unmarshal(v, &s) != nil {
		return v
	}
	if text {
		return toolkit.Encode(s + "\n\n" + more)
	}
	if strings.Contains(s, more) {
		return v
	}
	return toolkit.Encode(s + ", " + more)
}
