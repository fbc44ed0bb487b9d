package flow

import (
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// maxDemands is how deep conditions of conditions are followed, maxSteps how many
// parts of one.
// no gap: what is not found out about answers is only answered as usual
const maxDemands, maxSteps = 40, 500

// demand records what must be for a condition to hold (want is 1), or not to hold
// (-1). Its parts were followed before: calls are followed once, and members are
// the same each time.
func (b *demands) demand(n *syntax.Node, want, depth int) {
	if depth == 0 {
		b.steps = 0
	}
	if b.steps++; n == nil || depth > maxDemands || b.steps > maxSteps {
		return
	}
	switch n.Kind {
	case syntax.Unary:
		if n.Text == "not" {
			b.demand(n.Kid(0), -want, depth+1)
		} else {
			b.truth(n, want)
		}
	case syntax.Binary:
		b.compared(n, want, depth)
	case syntax.Call:
		b.called(n, want, depth)
	case syntax.Name:
		if v := b.lookup(n.Text); v.cond != nil {
			b.demand(v.cond, want, depth+1)
			return
		}
		b.truth(n, want)
	case syntax.Member, syntax.Index:
		b.truth(n, want)
	case syntax.Assign:
		b.demand(n.Kid(0), want, depth+1)
	}
}

// ended records what ends a loop: a state that is waited for. What is only counted
// or gone through ends by itself.
func (b *demands) ended(n *syntax.Node, depth int) {
	switch {
	case n == nil || depth > maxDemands:
	case n.Is(syntax.Binary) && (n.Text == "and" || n.Text == "or"):
		b.ended(n.Kid(0), depth+1)
		b.ended(n.Kid(1), depth+1)
	case n.Is(syntax.Binary) && (n.Text == "==" || n.Text == "!=" || n.Text == "in" || n.Text == "not in"), n.Is(syntax.Unary) && n.Text == "not" && plainTruth(n.Kid(0)):
		b.demand(n, -1, 0)
	}
}

// asserted follows the condition of an assertion, which may have a message.
func (b *demands) asserted(n *syntax.Node) {
	if n.Is(syntax.List) && n.Op == "tuple" {
		n = n.Kid(0)
	}
	b.demand(n, 1, 0)
}

// assertion follows assert(condition) and assert.equal(value, constant).
func (b *demands) assertion(n *syntax.Node) {
	callee := n.Kid(0)
	name := lastName(callee)
	on := callee
	if callee.Is(syntax.Member) {
		on = callee.Kid(0)
	}
	if b.python || !on.Is(syntax.Name) || on.Text != "assert" && on.Text != "invariant" && on.Text != "assert_1" {
		return
	}
	switch name {
	case "assert", "ok", "invariant", "default":
		b.expr(n.Kid(1))
		b.demand(n.Kid(1), 1, 0)
	case "equal", "strictEqual", "notEqual", "notStrictEqual":
		if len(n.Kids) > 2 {
			equal := name == "equal" || name == "strictEqual"
			b.equal(n.Kids[1], n.Kids[2], equal, 0)
		}
	}
}

func (b *demands) compared(n *syntax.Node, want, depth int) {
	left, right := n.Kid(0), n.Kid(1)
	switch n.Text {
	case "and":
		if want < 0 && !(plainTruth(left) && plainTruth(right)) {
			b.demand(right, want, depth+1) // what is before it guards it
			return
		}
		b.demand(left, want, depth+1)
		b.demand(right, want, depth+1)
	case "or":
		b.demand(left, want, depth+1)
		b.demand(right, want, depth+1)
	case "==", "!=":
		equal := (n.Text == "==") == (want > 0)
		b.equal(left, right, equal, depth)
		b.equal(right, left, equal, depth)
	case "<", ">", "<=", ">=":
		op := n.Text
		if want < 0 {
			op = map[string]string{"<": ">=", ">": "<=", "<=": ">", ">=": "<"}[op]
		}
		b.limit(left, right, op)
		b.limit(right, left, flipped(op))
	case "in", "not in":
		b.inside(left, right, (n.Text == "in") == (want > 0))
	}
}

// plainTruth reports a condition that only asks whether something is there.
func plainTruth(n *syntax.Node) bool {
	return n.Is(syntax.Member) || n.Is(syntax.Index) || n.Is(syntax.Name) || n.Is(syntax.Call) && lastName(n) == "get"
}

// truth records that a value must be there, or must not.
func (b *demands) truth(n *syntax.Node, want int) {
	v := b.expr(n)
	switch {
	case v.sized != 0 && want > 0:
		b.test(v.sized, ir.FlowTest{Op: "#>", Value: "0", Must: true})
	case v.sized != 0:
		b.test(v.sized, ir.FlowTest{Op: "#==", Value: "0", Must: true})
	case want > 0:
		b.test(v.node, ir.FlowTest{Op: "true", Must: true})
	default:
		b.unwanted(n, v)
	}
}

// unwanted records a value whose presence is an error. What Python takes by its
// name has to be there all the same.
func (b *demands) unwanted(n *syntax.Node, v val) {
	if v.node == 0 || b.out.Nodes[v.node].Uses&ir.UseRead == 0 {
		return
	}
	op := "absent"
	if b.python && n.Is(syntax.Index) {
		op = "null"
	}
	b.test(v.node, ir.FlowTest{Op: op, Must: true})
}

// equal records that a value must be a constant, or must not.
func (b *demands) equal(n, with *syntax.Node, equal bool, depth int) {
	v, other := b.expr(n), b.expr(with)
	switch {
	case isNone(with) && n.Is(syntax.Call):
		b.demand(n, map[bool]int{true: -1, false: 1}[equal], depth+1)
		return
	case isNone(with) && equal && v.node != 0 && b.out.Nodes[v.node].Uses&ir.UseRead != 0:
		b.test(v.node, ir.FlowTest{Op: map[bool]string{true: "absent", false: "null"}[with.Text == "undefined"], Must: true})
		return
	case isBoolean(with) && v.node != 0:
		b.test(v.node, ir.FlowTest{Op: "==", Value: map[bool]string{true: "true", false: "false"}[isTrue(with) == equal], Must: true})
		return
	}
	op := map[bool]string{true: "==", false: "!="}[equal]
	b.constant(v, with, other, op)
}

func isTrue(n *syntax.Node) bool {
	if n.Is(syntax.Unary) {
		return n.Kid(0).Text == "0" // !0 of a minifier
	}
	return n.Text == "true" || n.Text == "True"
}

// constant records a comparison with a constant that must hold.
func (b *demands) constant(v val, with *syntax.Node, other val, op string) {
	node := v.subject()
	if v.sized != 0 {
		node, op = v.sized, "#"+op
	}
	for _, t := range b.constants(with, other) {
		t.Op, t.Must = op, true
		b.test(node, t)
	}
}

func (b *demands) limit(n, with *syntax.Node, op string) {
	v, other := b.expr(n), b.expr(with)
	b.constant(v, with, other, op)
}

// inside records that a value must be one of a list, or that an object must have
// a member.
func (b *demands) inside(n, list *syntax.Node, in bool) {
	v, all := b.expr(n), b.expr(list)
	if n.Is(syntax.String) && all.node != 0 {
		if !in && isName(n.Text) {
			b.test(b.member(all.node, n.Text), ir.FlowTest{Op: "absent", Must: true})
		}
		return
	}
	b.oneOf(v, list, all, in)
}

// oneOf records that a value must be one of a list of constants, or must not.
func (b *demands) oneOf(v val, list *syntax.Node, all val, in bool) {
	if v.node = v.subject(); v.node == 0 {
		return
	}
	if all.words == nil {
		all.words = all.names
	}
	for _, w := range all.words {
		b.test(v.node, ir.FlowTest{Op: map[bool]string{true: "==", false: "!="}[in], Value: w, Must: true})
	}
	if all.words == nil && all.node != 0 && (list.Is(syntax.Name) || list.Is(syntax.Member)) {
		b.test(v.node, ir.FlowTest{Op: map[bool]string{true: "in", false: "not in"}[in], Node: all.node, Must: true})
	}
}
