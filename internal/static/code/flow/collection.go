package flow

import (
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

func (b *walker) index(n *syntax.Node) val {
	on, key := b.expr(n.Kid(0)), n.Kid(1)
	switch {
	case key.Is(syntax.String):
		m := b.memberOf(on, key.Text)
		if b.python && m.node != 0 {
			b.use(m.node, ir.UseIndexed)
		}
		return m
	case key.Is(syntax.Number), key.Is(syntax.Unary) && key.Text == "-":
		b.use(on.node, ir.UseArray)
		return val{node: b.read(on.node, Element)}
	case key.Is(syntax.Slice):
		b.use(on.node, ir.UseSized)
		for _, k := range key.Kids {
			b.expr(k)
		}
		return val{node: on.node}
	}
	v := b.expr(key)
	if isName(plainText(v)) { // a constant that has a name
		return b.memberOf(on, plainText(v))
	}
	b.ops.listed(v, on.names) // what the code has something for
	return val{node: b.read(on.node, Computed)}
}

func (b *walker) list(n *syntax.Node) val {
	var vals []val
	some := len(n.Kids) == 0
	for _, k := range n.Kids {
		v := b.expr(k)
		vals, some = append(vals, v), some || v.node != 0
	}
	if !some {
		return val{words: wordsOf(vals)}
	}
	node := b.fresh()
	for i, v := range vals {
		switch {
		case n.Kids[i].Is(syntax.Spread):
			b.same(node, v.node)
		case v.node != 0 && i < 8:
			b.same(b.member(node, place(i)), v.node)
		case v.node != 0:
			b.same(b.member(node, Element), v.node)
		}
	}
	return val{node: node}
}

func (b *walker) object(n *syntax.Node) val {
	node := b.fresh()
	out := val{node: node}
	var vals []val
	var said content
	for _, p := range n.Kids {
		if !p.Is(syntax.Pair) {
			v := b.expr(p)
			if p.Is(syntax.Spread) {
				b.same(node, v.node)
			}
			continue
		}
		v := b.expr(p.Kid(0))
		if p.Kid(1) != nil {
			b.expr(p.Kid(1))
			continue
		}
		switch p.Text {
		case "inputSchema", "input_schema", "outputSchema", "output_schema", "parameters", "paramsSchema", "argsSchema":
			b.use(v.node, ir.UseInput)
		}
		if len(out.names) < maxWords && isName(p.Text) {
			out.names = append(out.names, p.Text)
		}
		vals = append(vals, v)
		b.part(&said, p.Text, v)
		if stored := b.store(v); stored != 0 {
			b.same(b.member(node, p.Text), stored)
		}
	}
	out.values = wordsOf(vals)
	return out
}

func (b *walker) comprehension(n *syntax.Node) val {
	b.push(false)
	for _, k := range n.Kids[1:] {
		if k.Is(syntax.Assign) && k.Kid(1).Is(syntax.Unary) {
			b.bind(k.Kid(0), b.expr(k.Kid(1)), true)
		} else {
			b.expr(k)
		}
	}
	v := b.expr(n.Kid(0))
	b.scope = b.scope.up // its names are not visible outside
	if v.node == 0 || n.Kid(0).Is(syntax.Pair) {
		return val{}
	}
	node := b.fresh()
	b.same(b.member(node, Element), v.node)
	return val{node: node}
}
