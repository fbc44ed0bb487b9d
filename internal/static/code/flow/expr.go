package flow

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// expr follows an expression.
func (b *walker) expr(n *syntax.Node) val {
	if n == nil || b.depth > maxDepth {
		return val{}
	}
	b.depth++
	defer func() { b.depth-- }()
	switch n.Kind {
	case syntax.Name:
		if n.Text == "this" || n.Text == "super" {
			return val{node: b.this}
		}
		return b.lookup(n.Text)
	case syntax.String:
		return val{text: constant(n.Text)}
	case syntax.Number:
		return val{number: n.Text}
	case syntax.Regexp:
		return val{pattern: n.Text}
	case syntax.Join:
		return val{text: b.join(n.Kids)}
	case syntax.Member:
		return b.memberOf(b.expr(n.Kid(0)), n.Text)
	case syntax.Index:
		return b.index(n)
	case syntax.Call:
		return b.once(n, b.calls.call)
	case syntax.Binary:
		return b.ops.binary(n)
	case syntax.Unary:
		return b.unary(n)
	case syntax.If:
		b.expr(n.Kid(0))
		return b.either(b.expr(n.Kid(1)), b.expr(n.Kid(2)))
	case syntax.Func:
		return b.function(n)
	case syntax.Class:
		return b.models.class(n)
	}
	return b.compound(n)
}

// once follows a part of the program that is asked for again.
func (b *walker) once(n *syntax.Node, follow func(*syntax.Node) val) val {
	v, ok := b.memo[n]
	if !ok {
		v = follow(n)
		b.memo[n] = v
	}
	return v
}

// compound follows expressions with parts.
func (b *walker) compound(n *syntax.Node) val {
	switch n.Kind {
	case syntax.List:
		return b.list(n)
	case syntax.Object:
		return b.object(n)
	case syntax.Comprehension:
		return b.comprehension(n)
	case syntax.Assign:
		return b.assignment(n)
	case syntax.Spread, syntax.Keyword:
		return b.expr(n.Kid(0))
	case syntax.Pair:
		b.expr(n.Kid(1))
		return b.expr(n.Kid(0))
	case syntax.Other:
		var v val
		for _, k := range n.Kids {
			v = b.expr(k)
		}
		if n.Text == "," {
			return v
		}
	case syntax.Block, syntax.Return, syntax.Loop, syntax.Import, syntax.Export:
		b.statement(n)
	}
	return val{}
}

// memberOf follows a member of a value.
func (b *walker) memberOf(v val, name string) val {
	if name == "length" {
		b.use(v.node, ir.UseSized)
		return val{sized: max(v.node, v.keyed)}
	}
	if len(v.text) > 0 && name == "href" {
		return v
	}
	var out val
	if v.path != "" && len(v.path) < 100 {
		out.path = v.path + "." + name
	}
	out.node = b.read(v.node, name)
	return out
}

// either is a value that can be one of two: the second one is used if the first
// is missing.
func (b *walker) either(x, y val) val {
	if x.node == 0 && len(x.text) == 0 {
		return y
	}
	if x.node == 0 {
		x.node = y.node
		return x
	}
	if at := &b.out.Nodes[x.node]; y.node == 0 && len(y.text) > 0 && at.Else == nil && isAddress(y.text) {
		at.Else = y.text
	}
	b.same(x.node, y.node)
	return x
}

// defaults reads the type of a value from what stands in for it.
func (b *walker) defaults(node int, n *syntax.Node) {
	switch {
	case node == 0 || n == nil:
	case n.Is(syntax.List), n.Is(syntax.Comprehension):
		b.use(node, ir.UseArray)
	case n.Is(syntax.String):
		b.use(node, ir.UseShown)
	case n.Is(syntax.Number):
		b.use(node, ir.UseNumber)
	case n.Is(syntax.Object):
		b.use(node, ir.UseObject)
	case isBoolean(n):
		b.use(node, ir.UseBoolean)
	}
}

func isBoolean(n *syntax.Node) bool {
	if n.Is(syntax.Unary) && n.Text == "not" && n.Kid(0).Is(syntax.Number) { // !0 of a minifier
		return true
	}
	return n.Is(syntax.Name) && (n.Text == "true" || n.Text == "false" || n.Text == "True" || n.Text == "False")
}

func (b *walker) unary(n *syntax.Node) val {
	if n.Text == "typeof" {
		b.once(n.Kid(0), b.expr)
		return val{}
	}
	v := b.expr(n.Kid(0))
	switch n.Text {
	case "await":
		if strings.HasSuffix(v.path, ")") && !standard(v.path) {
			b.use(v.node, ir.UseResult)
		}
		return v
	case "each":
		b.use(v.node, ir.UseArray)
		element := b.read(v.node, Element)
		if b.elements[v.node] {
			b.elements[element] = true
		}
		return val{node: element}
	case "-", "++", "--":
		b.use(v.node, ir.UseNumber)
		if n.Text == "-" && v.number != "" {
			return val{number: "-" + v.number}
		}
	case "yield":
		if b.awaits {
			return v
		}
		b.same(b.member(b.result, Element), b.store(v))
	}
	return val{}
}
