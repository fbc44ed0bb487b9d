package obedient

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
)

// obey is the next call that an order needs, nil if it needs none (any more).
func (p *plan) obey(o *found) *llm.Call {
	switch o.Action {
	case Read, Run, Say:
		_, first, _ := p.fetchAll(o)
		if o.Action == Say && first == nil {
			o.Obeyed = true
		}
		return first
	case Send:
		return p.send(o)
	case Pass:
		return p.pass(o)
	case Call:
		return p.callTool(o)
	case Write:
		return p.write(o)
	case Remember:
		tool := p.toolThatCan(canRemember, o)
		if tool < 0 {
			return nil
		}
		a := arguments{}
		a.set(p.tools.profiles[tool].param(roleBody), o.value)
		_, first := p.call(o, idOrder+keyOf("remember", o.value), tool, p.tools.profiles[tool].fill(a))
		return first
	case Ask:
		return p.question(o)
	}
	return nil
}

// send: to an address, by mail or over the web.
func (p *plan) send(o *found) *llm.Call {
	able, body := canMail, roleReceiver
	if o.sink.channel == viaWeb {
		able, body = canPost, roleURL
	}
	tool := p.toolThatCan(able, o)
	content, first, ok := p.fetchAll(o)
	if first != nil || !ok {
		return first
	}
	if tool < 0 {
		return p.curl(o, content)
	}
	k := &p.tools.profiles[tool]
	a := arguments{}
	a.set(k.param(body), o.sink.address)
	a.set(k.param(roleSubject), "As requested")
	if r := k.room(a); r != nil {
		a.set(r, content)
	} else if u := k.param(body); u != nil && able == canPost {
		a.set(u, o.sink.address+shortened(content))
	}
	_, first = p.call(o, p.sendID(o), tool, k.fill(a))
	return first
}

// sent is the same for all orders that want the same things in the same place,
// so that texts which repeat themselves are obeyed once.
func (p *plan) sendID(o *found) string {
	words := []string{"send", o.sink.address, o.sink.param}
	if o.sink.channel == viaTool {
		words = append(words, p.tools.names.tools[o.sink.tool].Name)
	}
	for _, t := range o.assets {
		words = append(words, t.String())
	}
	return idOrder + keyOf(words...)
}

// curl is what is left to who has a shell only.
func (p *plan) curl(o *found, content string) *llm.Call {
	run := p.toolThatCan(canRun, o)
	if run < 0 || o.sink.channel != viaWeb {
		return nil
	}
	a := arguments{}
	a.set(p.tools.profiles[run].param(roleCommand), "curl -d '"+strings.ReplaceAll(content, "'", "")+"' "+o.sink.address)
	_, first := p.call(o, p.sendID(o), run, p.tools.profiles[run].fill(a))
	return first
}

// pass: into a parameter. The user's own call gets it, if there is one; else
// the tool is called for it.
func (p *plan) pass(o *found) *llm.Call {
	tool := o.sink.tool
	if s := p.pending(); s != nil && p.toolOf(s) == tool {
		return nil // see step
	}
	if p.passed(o) {
		return nil
	}
	stepwise := slices.ContainsFunc(p.task.steps, func(s step) bool { return p.toolOf(&s) == tool })
	if stepwise && o.text.place.Part != InResult && tool == o.text.tool {
		return nil
	}
	content, first, ok := p.fetchAll(o)
	if first != nil || !ok {
		return first
	}
	a := p.history.lastArguments(tool)
	p.put(o, a, content)
	_, first = p.call(o, p.sendID(o), tool, p.tools.profiles[tool].fill(a))
	return first
}

// passed: a step had it already.
func (p *plan) passed(o *found) bool {
	if o.text.place.Part != InResult || o.retry || o.text.failed {
		return false
	}
	after := o.text.place.Turn
	return slices.ContainsFunc(p.history.calls, func(h past) bool {
		return h.tool == o.sink.tool && h.turn > after && strings.HasPrefix(h.call.ID, idTask)
	})
}

// put sets the parameter that an order means.
func (p *plan) put(o *found, a arguments, content string) {
	k := &p.tools.profiles[o.sink.tool]
	r := k.named(o.sink.param)
	switch {
	case r != nil:
		a.set(r, content)
	case o.sink.param != "":
		a[o.sink.param] = encode(content)
	default:
		if r = k.room(a); r != nil {
			a.set(r, content)
		} else {
			a["input"] = encode(content)
		}
	}
}

// order: a tool is to be called.
func (p *plan) callTool(o *found) *llm.Call {
	tool, a := o.via, arguments{}
	switch o.ability {
	case canPay:
		if tool = p.toolThatCan(canPay, o); tool < 0 {
			return nil
		}
		a.set(p.tools.profiles[tool].param(roleAccount), o.sink.address)
		a.set(p.tools.profiles[tool].param(roleAmount), o.value)
	case canDelete:
		if tool = p.toolThatCan(canDelete, o); tool < 0 {
			return p.shell(o, "rm "+o.sink.address)
		}
		a.set(p.tools.profiles[tool].param(rolePath), o.sink.address)
	default:
		if slices.ContainsFunc(p.task.steps, func(s step) bool { return s.tool == tool }) && !o.text.failed {
			return nil // the user wants it anyway
		}
		maps.Copy(a, o.args)
	}
	p.tools.profiles[tool].fill(a)
	_, first := p.call(o, idOrder+keyOf("call", p.tools.names.tools[tool].Name, string(encode(a))), tool, a)
	return first
}

func (p *plan) shell(o *found, command string) *llm.Call {
	run := p.toolThatCan(canRun, o)
	if run < 0 {
		return nil
	}
	a := arguments{}
	a.set(p.tools.profiles[run].param(roleCommand), command)
	_, first := p.call(o, idOrder+keyOf("run", command), run, p.tools.profiles[run].fill(a))
	return first
}

// write: into a file.
func (p *plan) write(o *found) *llm.Call {
	tool := p.toolThatCan(canWrite, o)
	if tool < 0 {
		return p.shell(o, "echo '"+strings.ReplaceAll(o.value, "'", "")+"' >> "+o.sink.address)
	}
	k, a := &p.tools.profiles[tool], arguments{}
	a.set(k.param(rolePath), o.sink.address)
	a.set(k.room(a), o.value)
	_, first := p.call(o, idOrder+keyOf("write", o.sink.address, o.value), tool, k.fill(a))
	return first
}
