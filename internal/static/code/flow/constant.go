package flow

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// no gap: what is not found out about answers is only answered as usual
const (
	// maxTests bounds the comparisons of one node, maxWords the elements of a list
	// of constants, maxPattern the length of a regular expression.
	maxTests   = 16
	maxWords   = 16
	maxPattern = 200
)

// wordsOf returns the values of a list, if all of them are constants.
func wordsOf(vals []val) []string {
	var out []string
	for _, v := range vals {
		switch {
		case v.number != "":
			out = append(out, v.number)
		case len(v.text) == 1 && v.text[0].Node == 0 && v.text[0].Text != "" && len(v.text[0].Text) <= maxWord:
			out = append(out, v.text[0].Text)
		default:
			return nil
		}
		if len(out) >= maxWords {
			break
		}
	}
	return out
}

// constants returns the constant that an expression is, or the nodes that can
// have one: those of other files, and of objects of constants. A member of an
// enumeration in Python has its constant in .value.
func (b *walker) constants(n *syntax.Node, v val) []ir.FlowTest {
	switch {
	case v.number != "":
		return []ir.FlowTest{{Value: v.number}}
	case len(v.text) == 1 && v.text[0].Node == 0 && v.text[0].Text != "" && len(v.text[0].Text) <= maxWord:
		return []ir.FlowTest{{Value: v.text[0].Text}}
	case v.node == 0 || !n.Is(syntax.Name) && !n.Is(syntax.Member):
		return nil
	}
	out := []ir.FlowTest{{Node: v.node}}
	if n.Is(syntax.Member) && n.Text == "value" {
		if on := b.expr(n.Kid(0)); on.node != 0 {
			out = append(out, ir.FlowTest{Node: on.node})
		}
	}
	return out
}

// subject is the node of a value, also of one whose case or spaces were changed.
func (v val) subject() int {
	if v.node == 0 && len(v.text) == 1 {
		return v.text[0].Node
	}
	return v.node
}

// test records a comparison.
func (b *graph) test(n int, t ir.FlowTest) {
	if n == 0 || len(t.Value) > maxPattern {
		return
	}
	node := &b.out.Nodes[n]
	if len(node.Tests) < maxTests && !slices.Contains(node.Tests, t) {
		node.Tests = append(node.Tests, t)
	}
}
