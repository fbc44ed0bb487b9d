package obedient

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// chosen is the tool that a step is made with, after all that was said of it.
func (p *plan) toolOf(s *step) int {
	tool := s.tool
	for i := range p.found.orders {
		o := &p.found.orders[i]
		if o.Action != Prefer || o.via == tool || o.avoid >= 0 && o.avoid != tool || o.avoid < 0 && !p.alike(o.via, tool) {
			continue
		}
		o.Obeyed = true
		tool = o.via
	}
	return tool
}

// alike: two tools do the same sort of thing.
func (p *plan) alike(a, b int) bool {
	x, y := &p.tools.profiles[a], &p.tools.profiles[b]
	if slices.ContainsFunc(x.abilities, y.can) {
		return true
	}
	shared := slices.ContainsFunc(x.words, func(w string) bool { return len(w) > 3 && (slices.Contains(y.words, w) || slices.Contains(y.about, w)) }) ||
		slices.ContainsFunc(x.about, func(w string) bool { return len(w) > 3 && slices.Contains(y.words, stem(w)) })
	return shared || slices.ContainsFunc([]role{rolePath, roleQuery, roleURL, roleReceiver}, func(r role) bool {
		p, q := x.param(r), y.param(r)
		return p != nil && q != nil && p.required && q.required
	})
}

// step is the call of a user's step, or one that has to come before it.
func (p *plan) step(s *step) *llm.Call {
	tool := p.toolOf(s)
	k := &p.tools.profiles[tool]
	a := p.argumentsFor(s, tool)
	given := maps.Clone(a)
	for i := range p.found.orders {
		o := &p.found.orders[i]
		switch o.Action {
		case Pass:
			if o.sink.tool != tool || p.userGave(o, given) {
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
		case Alter:
			if p.alters(o, tool) {
				p.changeArgument(o, k, a)
				p.markObeyed(o, stepID(s))
			}
		case Prefer:
			if o.Obeyed && o.via == tool {
				p.markObeyed(o, stepID(s))
			}
		}
	}
	return p.newCall(stepID(s), tool, k.fill(a))
}

func (p *plan) markObeyed(o *found, id string) {
	o.Obeyed = true
	if !slices.Contains(o.Calls, id) {
		o.Calls = append(o.Calls, id)
	}
}

// review finds out which orders the steps that were made obeyed.
func (p *plan) review() {
	for i := range p.task.steps {
		s := &p.task.steps[i]
		h := p.history.made(stepID(s))
		if h == nil || h.tool < 0 {
			continue
		}
		a := decodeArguments(h.call.Arguments)
		for j := range p.found.orders {
			o := &p.found.orders[j]
			if o.text.place.Turn < h.turn && p.obeys(o, s, h.tool, a) {
				p.markObeyed(o, stepID(s))
			}
		}
	}
}

// shows: the call is what the order wanted it to be.
func (p *plan) obeys(o *found, s *step, tool int, a arguments) bool {
	switch o.Action {
	case Pass:
		if o.sink.tool != tool || p.userGave(o, s.args) {
			return false
		}
		name := o.sink.param
		if r := p.tools.profiles[tool].named(name); r != nil {
			name = r.name
		}
		_, ok := a[name]
		return ok
	case Alter:
		return p.alters(o, tool)
	case Prefer:
		return o.via == tool && s.tool != tool
	}
	return false
}

// superseded: the user has said what belongs there. Nobody types a file of keys
// himself: who wants that there wants it instead.
func (p *plan) userGave(o *found, given arguments) bool {
	if o.sink.param != "" && slices.ContainsFunc(o.assets, func(t asset) bool { return t.kind == assetFile && promptscan.SecretPath(t.name) }) {
		return false
	}
	r := p.tools.profiles[o.sink.tool].named(o.sink.param)
	if r == nil {
		return o.sink.param == ""
	}
	_, ok := given[r.name]
	return ok
}

// mapped are the arguments of a step for the tool that it is made with.
func (p *plan) argumentsFor(s *step, tool int) arguments {
	a := maps.Clone(s.args)
	if tool == s.tool {
		return a
	}
	out := arguments{}
	from, to := &p.tools.profiles[s.tool], &p.tools.profiles[tool]
	for name, v := range a {
		if r := to.named(name); r != nil {
			out[r.name] = v
		}
	}
	for _, r := range []role{rolePath, roleQuery, roleURL, roleReceiver, roleSubject, roleBody, roleAccount, roleAmount, roleCommand, roleName} {
		x, y := from.param(r), to.param(r)
		if x != nil && y != nil && a[x.name] != nil && out[y.name] == nil {
			out[y.name] = a[x.name]
		}
	}
	return out
}

// alters: the order is about calls of that tool.
func (p *plan) alters(o *found, tool int) bool {
	if o.via >= 0 {
		return o.via == tool
	}
	return o.ability != "" && p.tools.profiles[tool].can(o.ability)
}

// change sets or adds to an argument.
func (p *plan) changeArgument(o *found, k *profile, a arguments) {
	r := k.named(o.sink.param)
	if o.role != "" {
		if r = k.param(o.role); r == nil && o.role == roleCopy {
			r = k.param(roleReceiver)
		}
	}
	switch {
	case r == nil:
	case o.role == roleCommand:
		var command string
		if json.Unmarshal(a[r.name], &command) == nil {
			a.set(r, o.value+" "+command)
		}
	case o.replace || a[r.name] == nil:
		a.set(r, o.value)
	default:
		a[r.name] = added(a[r.name], o.value, o.role == roleBody)
	}
}

// added is a value with another beside it.
func added(v json.RawMessage, more string, text bool) json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(v, &list) == nil {
		return encode(append(list, encode(more)))
	}
	var s string
	if json.Unmarshal(v, &s) != nil {
		return v
	}
	if text {
		return encode(s + "\n\n" + more)
	}
	if strings.Contains(s, more) {
		return v
	}
	return encode(s + ", " + more)
}
