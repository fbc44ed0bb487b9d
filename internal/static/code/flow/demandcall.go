package flow

import (
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// called records what a call in a condition asks of a value.
func (b *demands) called(n *syntax.Node, want, depth int) {
	callee, arg := n.Kid(0), n.Kid(1)
	name := lastName(n)
	switch {
	case (name == "bool" || name == "Boolean") && callee.Is(syntax.Name):
		b.demand(arg, want, depth+1)
		return
	case name == "isArray", name == "isinstance":
		if want > 0 {
			b.typed(name, arg, n.Kid(2))
		}
		return
	case !callee.Is(syntax.Member):
		return
	}
	on := b.expr(callee.Kid(0))
	if want < 0 && name != "includes" && name != "has" && name != "get" {
		return
	}
	switch name {
	case "startsWith", "startswith":
		b.text(on, "^", arg)
	case "endsWith", "endswith":
		b.text(on, "$", arg)
	case "includes", "has", "contains":
		b.includes(callee.Kid(0), on, arg, want)
	case "test", "exec":
		b.matches(b.expr(arg), on.pattern)
	case "match", "fullmatch", "search":
		if on.pattern != "" { // a compiled expression
			b.matches(b.expr(arg), on.pattern)
		} else if v := b.expr(arg); v.pattern != "" {
			b.matches(on, v.pattern)
		} else if on.path == "re" && arg.Is(syntax.String) {
			b.matches(b.expr(n.Kid(2)), arg.Text)
		}
	case "get":
		b.truth(n, want)
	}
}

// typed records the type that a value must have.
func (b *demands) typed(name string, n, kind *syntax.Node) {
	v := b.expr(n)
	if name == "isArray" {
		b.use(v.node, ir.UseArray)
		return
	}
	if kind.Is(syntax.List) { // (int, float)
		kind = kind.Kid(0)
	}
	if kind.Is(syntax.Name) {
		b.ops.typed(v.node, kind.Text)
	}
}

func (b *demands) text(v val, op string, arg *syntax.Node) {
	if arg.Is(syntax.List) {
		arg = arg.Kid(0)
	}
	b.constant(v, arg, b.expr(arg), op)
}

func (b *demands) matches(v val, pattern string) {
	if pattern != "" {
		b.test(v.node, ir.FlowTest{Op: "~", Value: pattern, Must: true})
	}
}

// includes follows list.includes(value), with constants in the list or as the
// value.
func (b *demands) includes(list *syntax.Node, on val, arg *syntax.Node, want int) {
	v := b.expr(arg)
	if on.node != 0 && want > 0 && (arg.Is(syntax.String) || arg.Is(syntax.Number)) {
		b.constant(on, arg, v, "has")
		return
	}
	b.oneOf(v, list, on, want > 0)
}
