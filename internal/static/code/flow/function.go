package flow

import (
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// define declares a function by its name.
func (b *walker) define(n *syntax.Node) {
	f := b.function(n)
	if n.Text != "" {
		b.declare(n.Text, f)
	}
}

// function makes a node of a function whose body is walked later, and of which
// each call has its own copy.
func (b *walker) function(n *syntax.Node) val {
	node := b.fresh()
	if node == 0 {
		return val{}
	}
	id := len(b.out.Funcs)
	b.out.Funcs = append(b.out.Funcs, ir.FlowFunc{In: b.cur})
	b.out.Nodes[node].Func = id
	this, input := b.this, b.calls.handles(n)
	b.defers(func() {
		cur, result, instance := b.cur, b.result, b.this
		ends, awaits, looping := b.ends, b.awaits, b.looping
		b.cur, b.this, b.ends, b.awaits, b.looping = id, this, false, false, false
		b.result = b.fresh()
		b.push(true)
		params, names := b.params(n, input)
		b.body(n)
		b.pop()
		if n.Op == "str" {
			b.use(b.result, ir.UseShown)
		}
		f := &b.out.Funcs[id]
		f.Params, f.Result = params, b.result
		if b.python {
			f.Names = names
		}
		b.cur, b.result, b.this, b.ends, b.awaits, b.looping = cur, result, instance, ends, awaits, looping
	})
	return val{node: node}
}

// params declares the parameters of a function.
func (b *walker) params(n *syntax.Node, input bool) (nodes []int, names []string) {
	for i, p := range n.Kid(0).Kids {
		if i == 0 && b.python && b.this != 0 && (p.Text == "self" || p.Text == "cls") {
			b.declare(p.Text, val{node: b.this})
			continue
		}
		node := b.fresh()
		if input {
			b.use(node, ir.UseInput)
		}
		nodes, names = append(nodes, node), append(names, p.Text)
		if i == 1 || i == 0 && !b.python {
			b.same(node, b.checked[n])
		}
		v := val{node: node}
		if d := p.Kid(0); d != nil {
			v = b.either(v, b.expr(d))
		}
		if b.python && p.Kid(1) != nil && !input {
			v = b.models.annotated(p.Kid(1), v)
		}
		if p.Text != "" {
			b.declare(p.Text, v)
		} else {
			b.bind(p.Kid(2), v, true)
		}
	}
	return nodes, names
}

func (b *walker) body(n *syntax.Node) {
	if body := n.Kid(1); body.Is(syntax.Block) && n.Op != "arrow" {
		b.statements(body.Kids)
	} else {
		b.same(b.result, b.store(b.expr(body)))
	}
}

// inline walks a function that is passed to a call: it runs with the variables
// around it.
func (b *walker) inline(n *syntax.Node, args ...int) (result int) {
	outer, ends := b.result, b.ends
	b.result, b.ends = b.fresh(), false
	b.push(true)
	for i, p := range n.Kid(0).Kids {
		v := val{node: b.fresh()}
		if i < len(args) && args[i] != 0 {
			v.node = args[i]
		}
		if d := p.Kid(0); d != nil {
			v = b.either(v, b.expr(d))
		}
		if p.Text != "" {
			b.declare(p.Text, v)
		} else {
			b.bind(p.Kid(2), v, true)
		}
	}
	b.body(n)
	b.pop()
	result, b.result, b.ends = b.result, outer, ends
	return result
}
