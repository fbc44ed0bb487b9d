package flow

import (
	"strconv"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

func place(i int) string { return Place + strconv.Itoa(i) }

func param(i int) string { return Param + strconv.Itoa(i) }

// statements walks a sequence.
func (b *walker) statements(list []*syntax.Node) {
	for _, n := range list {
		if n.Is(syntax.Export) && len(n.Kids) == 1 {
			n = n.Kids[0]
		}
		if n.Is(syntax.Func) && !b.python { // can be called before
			b.define(n)
		}
	}
	for _, n := range list {
		b.statement(n)
	}
}

func (b *walker) statement(n *syntax.Node) {
	if n == nil || b.depth > maxDepth {
		return
	}
	b.depth++
	defer func() { b.depth-- }()
	switch n.Kind {
	case syntax.Block:
		b.block(n)
	case syntax.If:
		b.branches(n)
	case syntax.Loop:
		b.push(false)
		b.leaves = true // the loop waits for it
		b.statement(n.Kid(0))
		b.leaves = false
		b.statement(n.Kid(1))
		b.statement(n.Kid(2))
		b.pop()
	case syntax.Assign:
		b.assignment(n)
	case syntax.Return:
		b.returns(n)
	case syntax.Func:
		if b.python {
			b.define(n)
		}
	case syntax.Class:
		b.declare(n.Text, b.models.class(n))
	case syntax.Import:
		b.modules.imports(n)
	case syntax.Export:
		b.modules.exported(n)
	default:
		b.expr(n)
	}
}

// returns follows a result. What an error is made of is not followed: all errors
// of a class are one, and would join all answers.
func (b *walker) returns(n *syntax.Node) {
	calls, requests := len(b.out.Calls), len(b.out.Requests)
	v := b.expr(n.Kid(0))
	if n.Text == "" {
		b.same(b.result, b.store(v))
	} else if len(b.out.Requests) == requests {
		b.out.Calls = b.out.Calls[:calls]
	}
}

// block walks statements; those that only declare names are no block of their
// own.
func (b *walker) block(n *syntax.Node) {
	open := n.Text != "" || b.python
	if !open {
		open = true
		for _, k := range n.Kids {
			open = open && k.Is(syntax.Assign) && k.Op == "let"
		}
	}
	if open {
		b.statements(n.Kids)
		return
	}
	b.push(false)
	b.statements(n.Kids)
	b.pop()
}

// branches walks a condition. A comparison that leads to an error does not name
// a value that is welcome.
func (b *walker) branches(n *syntax.Node) {
	last := lastOf(n.Kid(1))
	b.leaves, b.rejects = last.Is(syntax.Return), last.Is(syntax.Return) && last.Text == "throw"
	b.expr(n.Kid(0))
	if b.rejects {
		b.rejected(n.Kid(0), 0)
	}
	b.leaves, b.rejects = false, false
	for _, k := range n.Kids[min(1, len(n.Kids)):] {
		b.push(false)
		b.statement(k)
		b.pop()
	}
}

// rejected marks what makes the code throw: if (data.fault) throw.
func (b *walker) rejected(n *syntax.Node, depth int) {
	switch {
	case depth > 8:
	case n.Is(syntax.Binary) && (n.Text == "and" || n.Text == "or"):
		b.rejected(n.Kid(0), depth+1)
		b.rejected(n.Kid(1), depth+1)
	case n.Is(syntax.Binary) && n.Text == "in" && n.Kid(0).Is(syntax.String) && n.Kid(1).Is(syntax.Name):
		b.use(b.member(b.lookup(n.Kid(1).Text).node, n.Kid(0).Text), ir.UseRejected)
	case n.Is(syntax.Member) && n.Kid(0).Is(syntax.Name):
		b.use(b.expr(n).node, ir.UseRejected)
	case n.Is(syntax.Call) && n.Kid(0).Is(syntax.Member) && n.Kid(0).Text == "get":
		b.use(b.expr(n).node, ir.UseRejected)
	}
}

// lastOf returns the last statement of a branch.
func lastOf(n *syntax.Node) *syntax.Node {
	if !n.Is(syntax.Block) {
		return n
	}
	if len(n.Kids) == 0 {
		return nil
	}
	return n.Kids[len(n.Kids)-1]
}

func (b *walker) assignment(n *syntax.Node) val {
	target, value := n.Kid(0), n.Kid(1)
	if n.Text != "" { // x += y
		old := b.expr(target)
		v := b.expr(value)
		if n.Text == "+=" && v.node != 0 && target.Is(syntax.Name) { // collects a text
			b.assign(target.Text, val{node: v.node})
		}
		b.ops.operands(n.Text, old, v, target, value)
		return val{}
	}
	v := b.expr(value)
	if value == nil || isNone(value) { // it gets its value later
		v = val{node: b.fresh()}
	}
	if a := n.Kid(2); a != nil && b.python {
		v = b.models.annotated(a, v)
	}
	b.name(target, v)
	if target.Is(syntax.Name) && b.scope.up == nil && v.node == 0 && isAddress(v.text) {
		v.node = b.store(v) // other files may import it
	}
	b.modules.exportMember(target, v)
	b.bind(target, v, n.Op == "let")
	return v
}

// name gives a declared form of data the name of its variable.
func (b *walker) name(target *syntax.Node, v val) {
	if v.node == 0 || !target.Is(syntax.Name) || len(target.Text) > maxName {
		return
	}
	if d, ok := b.links[link{v.node, Schema}]; ok && b.out.Nodes[d].Name == "" {
		b.out.Nodes[d].Name = target.Text
	}
}

func isNone(n *syntax.Node) bool {
	return n.Is(syntax.Name) && (n.Text == "null" || n.Text == "undefined" || n.Text == "None")
}

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
		b.cur, b.this = id, this
		b.result = b.fresh()
		b.push(true)
		params, names := b.params(n, input)
		b.body(n)
		b.pop()
		f := &b.out.Funcs[id]
		f.Params, f.Result = params, b.result
		if b.python {
			f.Names = names
		}
		b.cur, b.result, b.this = cur, result, instance
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
	outer := b.result
	b.result = b.fresh()
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
	result, b.result = b.result, outer
	return result
}
