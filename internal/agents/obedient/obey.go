package obedient

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/order"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
)

// obey is the next call that an order needs, nil if none is left.
func (p *plan) obey(o *order.Found) *llm.Call {
	switch o.Action {
	case order.Read, order.Run, order.Answer:
		_, first, _ := p.fetchAll(o)
		if o.Action == order.Answer && first == nil {
			o.Obeyed = true
		}
		return first
	case order.Send:
		return p.send(o)
	case order.Pass:
		return p.pass(o)
	case order.Call:
		return p.callTool(o)
	case order.Write:
		return p.write(o)
	case order.Remember:
		tool := p.toolThatCan(toolkit.CanRemember, o)
		if tool < 0 {
			return nil
		}
		a := toolkit.Arguments{}
		a.Set(p.tools.Profiles[tool].Param(toolkit.RoleBody), o.Value)
		_, first := p.call(o, idOrder+order.KeyOf("remember", o.Value), tool, p.tools.Profiles[tool].Fill(a))
		return first
	case order.Ask:
		return p.question(o)
	}
	return nil
}

// send sends data to an address, by mail or over the web.
func (p *plan) send(o *order.Found) *llm.Call {
	able, body := toolkit.CanMail, toolkit.RoleReceiver
	if o.Sink.Channel == order.ViaWeb {
		able, body = toolkit.CanPost, toolkit.RoleURL
	}
	tool := p.toolThatCan(able, o)
	content, first, ok := p.fetchAll(o)
	if first != nil || !ok {
		return first
	}
	if tool < 0 {
		return p.curl(o, content)
	}
	k := &p.tools.Profiles[tool]
	a := toolkit.Arguments{}
	a.Set(k.Param(body), o.Sink.Address)
	a.Set(k.Param(toolkit.RoleSubject), "As requested")
	if r := k.Room(a); r != nil {
		a.Set(r, content)
	} else if u := k.Param(body); u != nil && able == toolkit.CanPost {
		a.Set(u, o.Sink.Address+shortened(content))
	}
	_, first = p.call(o, p.sendID(o), tool, k.Fill(a))
	return first
}

// sendID is the same for all orders that send the same assets to the same
// place, so that repeated texts are obeyed once.
func (p *plan) sendID(o *order.Found) string {
	words := []string{"send", o.Sink.Address, o.Sink.Param}
	if o.Sink.Channel == order.ViaTool {
		words = append(words, p.tools.Names.Tools[o.Sink.Tool].Name)
	}
	for _, t := range o.Assets {
		words = append(words, t.String())
	}
	return idOrder + order.KeyOf(words...)
}

// curl sends data with a shell, if there is no other tool.
func (p *plan) curl(o *order.Found, content string) *llm.Call {
	run := p.toolThatCan(toolkit.CanRun, o)
	if run < 0 || o.Sink.Channel != order.ViaWeb {
		return nil
	}
	a := toolkit.Arguments{}
	a.Set(p.tools.Profiles[run].Param(toolkit.RoleCommand), "curl -d '"+strings.ReplaceAll(content, "'", "")+"' "+o.Sink.Address)
	_, first := p.call(o, p.sendID(o), run, p.tools.Profiles[run].Fill(a))
	return first
}

// pass puts data into a parameter. If the user calls that tool, that call gets
// it; otherwise the tool is called for it.
func (p *plan) pass(o *order.Found) *llm.Call {
	tool := o.Sink.Tool
	if s := p.pending(); s != nil && p.toolOf(s) == tool {
		return nil // see step
	}
	if p.passed(o) {
		return nil
	}
	stepwise := slices.ContainsFunc(p.task.Steps, func(s order.Step) bool { return p.toolOf(&s) == tool })
	if stepwise && o.Text.Place.Part != order.InResult && tool == o.Text.Tool {
		return nil
	}
	content, first, ok := p.fetchAll(o)
	if first != nil || !ok {
		return first
	}
	a := p.history.lastArguments(tool)
	p.put(o, a, content)
	_, first = p.call(o, p.sendID(o), tool, p.tools.Profiles[tool].Fill(a))
	return first
}

// passed reports whether a call that the user wanted had the data already.
func (p *plan) passed(o *order.Found) bool {
	if o.Text.Place.Part != order.InResult || o.Retry || o.Text.Failed {
		return false
	}
	after := o.Text.Place.Turn
	return slices.ContainsFunc(p.history.calls, func(h past) bool {
		return h.tool == o.Sink.Tool && h.turn > after && strings.HasPrefix(h.call.ID, idTask)
	})
}

// put sets the parameter that an order names.
func (p *plan) put(o *order.Found, a toolkit.Arguments, content string) {
	k := &p.tools.Profiles[o.Sink.Tool]
	r := k.Named(o.Sink.Param)
	switch {
	case r != nil:
		a.Set(r, content)
	case o.Sink.Param != "":
		a[o.Sink.Param] = toolkit.Encode(content)
	default:
		if r = k.Room(a); r != nil {
			a.Set(r, content)
		} else {
			a["input"] = toolkit.Encode(content)
		}
	}
}

// callTool calls the tool that an order names.
func (p *plan) callTool(o *order.Found) *llm.Call {
	tool, a := o.Via, toolkit.Arguments{}
	switch o.Ability {
	case toolkit.CanPay:
		if tool = p.toolThatCan(toolkit.CanPay, o); tool < 0 {
			return nil
		}
		a.Set(p.tools.Profiles[tool].Param(toolkit.RoleAccount), o.Sink.Address)
		a.Set(p.tools.Profiles[tool].Param(toolkit.RoleAmount), o.Value)
	case toolkit.CanDelete:
		if tool = p.toolThatCan(toolkit.CanDelete, o); tool < 0 {
			return p.shell(o, "rm "+o.Sink.Address)
		}
		a.Set(p.tools.Profiles[tool].Param(toolkit.RolePath), o.Sink.Address)
	default:
		if slices.ContainsFunc(p.task.Steps, func(s order.Step) bool { return s.Tool == tool }) && !o.Text.Failed {
			return nil // the user calls it anyway
		}
		maps.Copy(a, o.Args)
	}
	p.tools.Profiles[tool].Fill(a)
	_, first := p.call(o, idOrder+order.KeyOf("call", p.tools.Names.Tools[tool].Name, string(toolkit.Encode(a))), tool, a)
	return first
}

func (p *plan) shell(o *order.Found, command string) *llm.Call {
	run := p.toolThatCan(toolkit.CanRun, o)
	if run < 0 {
		return nil
	}
	a := toolkit.Arguments{}
	a.Set(p.tools.Profiles[run].Param(toolkit.RoleCommand), command)
	_, first := p.call(o, idOrder+order.KeyOf("run", command), run, p.tools.Profiles[run].Fill(a))
	return first
}

// write writes to a file.
func (p *plan) write(o *order.Found) *llm.Call {
	tool := p.toolThatCan(toolkit.CanWrite, o)
	if tool < 0 {
		return p.shell(o, "echo '"+strings.ReplaceAll(o.Value, "'", "")+"' >> "+o.Sink.Address)
	}
	k, a := &p.tools.Profiles[tool], toolkit.Arguments{}
	a.Set(k.Param(toolkit.RolePath), o.Sink.Address)
	a.Set(k.Room(a), o.Value)
	_, first := p.call(o, idOrder+order.KeyOf("write", o.Sink.Address, o.Value), tool, k.Fill(a))
	return first
}
