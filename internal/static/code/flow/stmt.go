package flow

import (
	"strconv"

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
	ends := b.ends
	for i, n := range list {
		b.ends = ends && i == len(list)-1
		if i+1 < len(list) && n.Is(syntax.If) {
			b.ends = throws(list[i+1]) && !(i > 0 && list[i-1].Is(syntax.If) && lastOf(list[i-1].Kid(1)).Is(syntax.Return))
		}
		b.statement(n)
	}
	b.ends = ends
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
		looping := b.looping
		b.looping = true
		b.leaves = true // the loop waits for it
		b.statement(n.Kid(0))
		b.leaves = false
		b.demands.ended(n.Kid(0), 0)
		b.statement(n.Kid(1))
		b.statement(n.Kid(2))
		b.looping = looping
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
		if n.Is(syntax.Other) && n.Text == "assert" {
			b.demands.asserted(n.Kid(0))
		}
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

// branches walks a condition. What leads to an error does not name a value that
// is welcome.
func (b *walker) branches(n *syntax.Node) {
	b.leaves = lastOf(n.Kid(1)).Is(syntax.Return)
	b.expr(n.Kid(0))
	b.leaves = false
	chained := b.chained
	b.chained = false
	switch {
	case n.Op == "case" && !throws(lastOf(n.Kid(1))), n.Op == "?":
	case b.ends && n.Kid(2) == nil && quiet(lastOf(n.Kid(1))): // nothing is wrong
		b.demands.demand(n.Kid(0), 1, 0)
	case b.fails(n.Kid(1)):
		b.demands.demand(n.Kid(0), -1, 0)
	case chained:
	case b.fails(n.Kid(2)), n.Kid(2) == nil && b.ends && n.Op != "case" && b.leavesAlways(n.Kid(1)):
		b.demands.demand(n.Kid(0), 1, 0)
	}
	ends := b.ends
	for i, k := range n.Kids[min(1, len(n.Kids)):] {
		b.push(false)
		b.ends, b.chained = ends, i == 1 && k.Is(syntax.If)
		b.statement(k)
		b.pop()
	}
	b.ends, b.chained = ends, false
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
	if isCondition(value) {
		v.cond = value
	}
	if isJSONSchema(value) {
		v.literal = value
	}
	if value == nil || isNone(value) { // it gets its value later
		v = val{node: b.fresh()}
	}
	if a := n.Kid(2); a != nil && b.python {
		v = b.models.annotated(a, v)
	}
	b.name(target, v)
	if target.Is(syntax.Name) && b.scope.up == nil && v.node == 0 {
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
