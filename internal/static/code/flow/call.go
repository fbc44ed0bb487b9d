package flow

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// call follows a call to its result.
func (b *calls) call(n *syntax.Node) val {
	if len(n.Kids) == 0 {
		return val{}
	}
	callee, args := n.Kid(0), n.Kids[1:]
	if n.Op == "tag" {
		b.expr(callee)
		return val{text: textOf(b.expr(n.Kid(1)))}
	}
	if s := b.models.schemaCall(n); s != 0 {
		return val{node: s}
	}
	b.demands.assertion(n)
	var name string
	var on val
	switch {
	case callee.Is(syntax.Member):
		name, on = callee.Text, b.expr(callee.Kid(0))
	case callee.Is(syntax.Index) && callee.Kid(1).Is(syntax.String):
		name, on = callee.Kid(1).Text, b.expr(callee.Kid(0))
	default:
		return b.plainCall(callee, args)
	}
	if at := callee.Kid(0); (name == "get" || name == "has") && at.Is(syntax.Member) && at.Text == "headers" && len(args) > 0 && args[0].Is(syntax.String) {
		return b.memberOf(on, strings.ToLower(args[0].Text))
	}
	if registers(name) {
		b.registered(args)
		return val{}
	}
	if on.path != "" {
		if v, ok := b.libs.library(on.path+"."+name, on, args); ok {
			return v
		}
	}
	if on.node == 0 {
		return b.unknown(on, name, args)
	}
	if v, ok := b.method(on, name, args); ok {
		return v
	}
	before := len(b.out.Calls)
	v := b.own(b.member(on.node, name), args)
	if len(b.out.Calls) > before && requests(name) {
		b.libs.maybeRequest(on, v, name, args, len(b.out.Calls))
	}
	if on.path != "" && len(on.path) < 100 {
		v.path = on.path + "." + name + "()"
	}
	return v
}

// plainCall follows a call of a name.
func (b *calls) plainCall(callee *syntax.Node, args []*syntax.Node) val {
	if callee.Is(syntax.Name) && callee.Text == "__awaiter" {
		return b.libs.awaiter(args)
	}
	f := b.expr(callee)
	if callee.Is(syntax.Name) && registers(callee.Text) && len(args) >= 2 {
		b.registered(args)
		return val{}
	}
	if f.path != "" {
		if v, ok := b.libs.library(f.path, f, args); ok {
			return v
		}
	}
	if f.node == 0 {
		return b.unknown(f, "", args)
	}
	return b.own(f.node, args)
}

// unknown follows a call of something outside of the package, of which only the
// name is known.
func (b *calls) unknown(on val, name string, args []*syntax.Node) val {
	only := 0
	for _, a := range args {
		node := b.argument(a)
		if a.Is(syntax.Func) && len(a.Kid(0).Kids) == 0 && len(args) <= 2 {
			only = b.member(node, Result) // run(() => ...)
		}
	}
	switch {
	case name == "toString" || name == "strip" || name == "trim" || name == "rstrip" || name == "replace" || name == "decode":
		return val{text: on.text}
	case only != 0:
		return val{node: only}
	case on.path == "" || len(on.path) > 100:
		return val{}
	}
	if name != "" {
		name = "." + name
	}
	v := val{path: on.path + name + "()"}
	if !standard(v.path) {
		v.node = b.fresh()
	}
	return v
}

// argument follows an argument, and returns its node.
func (b *calls) argument(a *syntax.Node) int {
	if a.Is(syntax.Keyword) || a.Is(syntax.Spread) {
		return b.argument(a.Kid(0))
	}
	if !a.Is(syntax.Func) {
		return b.store(b.expr(a))
	}
	node := b.fresh()
	if node == 0 {
		return 0
	}
	var params []int
	for i := range a.Kid(0).Kids[:min(len(a.Kid(0).Kids), 4)] {
		params = append(params, b.member(node, param(i)))
	}
	b.same(b.member(node, Result), b.inline(a, params...))
	return node
}

// own follows a call of a function of this package.
func (b *calls) own(callee int, args []*syntax.Node) val {
	if _, ok := b.links[link{callee, Schema}]; ok && !b.python && len(args) == 1 { // a compiled JSON Schema
		return val{node: b.modelled(callee, b.argument(args[0]))}
	}
	c := ir.FlowCall{In: b.cur, Callee: callee}
	var named []int
	for _, a := range args {
		node := b.argument(a)
		switch {
		case a.Is(syntax.Spread) && b.python: // Model(**data)
			b.modelled(callee, node)
		case a.Is(syntax.Keyword):
			named, c.Names = append(named, node), append(c.Names, a.Text)
		default:
			c.Args = append(c.Args, node)
		}
	}
	c.Args = append(c.Args, named...)
	if callee == 0 {
		return val{}
	}
	c.Result = b.fresh()
	b.out.Calls = append(b.out.Calls, c)
	return val{node: c.Result}
}

// apply calls a function, written here or not, with a value, and returns its
// result.
func (b *calls) apply(fn *syntax.Node, with ...int) int {
	if fn == nil {
		return 0
	}
	if fn.Is(syntax.Func) {
		return b.inline(fn, with...)
	}
	f := b.expr(fn)
	if f.node == 0 {
		return 0
	}
	result := b.fresh()
	b.out.Calls = append(b.out.Calls, ir.FlowCall{In: b.cur, Callee: f.node, Args: with, Result: result})
	return result
}

// registers reports the names of functions that take a tool's definition.
func registers(name string) bool {
	switch name {
	case "tool", "registerTool", "addTool", "defineTool", "setRequestHandler", "prompt", "registerPrompt", "addPrompt", "resource", "registerResource", "add_tool", "zodToJsonSchema", "toJSONSchema", "model_json_schema":
		return true
	}
	return false
}

// registered follows the definition of a tool: what it is called with is no
// answer.
func (b *calls) registered(args []*syntax.Node) {
	for _, a := range args {
		if !a.Is(syntax.Func) {
			b.use(b.store(b.expr(a)), ir.UseInput)
			continue
		}
		var params []int
		for range a.Kid(0).Kids {
			p := b.fresh()
			b.use(p, ir.UseInput)
			params = append(params, p)
		}
		cur, this := b.cur, b.this
		b.defers(func() {
			outer, instance := b.cur, b.this
			b.cur, b.this = cur, this
			b.inline(a, params...)
			b.cur, b.this = outer, instance
		})
	}
}

// handles reports whether decorators make a Python function a tool.
func (b *calls) handles(n *syntax.Node) bool {
	if !b.python || n.Kid(2) == nil {
		return false
	}
	for _, d := range n.Kid(2).Kids {
		if d.Is(syntax.Call) {
			d = d.Kid(0)
		}
		if d.Is(syntax.Member) || d.Is(syntax.Name) {
			switch d.Text {
			case "tool", "register_tool", "prompt", "resource", "call_tool", "get_prompt", "read_resource":
				return true
			}
		}
	}
	return false
}
