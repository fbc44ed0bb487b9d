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
