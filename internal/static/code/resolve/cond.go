package resolve

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// gap: source-not-read
const (
	maxCondParts = 12
	// maxCondDepth bounds how deep a condition is read.
	maxCondDepth = 40
)

// conditions records conditions with everything they depend on.
type conditions struct {
	out     *output
	symbols *symbols
	values  *evaluator
	taint   *taint
	budget  *budget
}

// add records a condition and returns its index, -1 if the list is full.
func (cs *conditions) add(n *syntax.Node, sc *scope, not bool) int {
	if n == nil || len(cs.out.f.Conds) >= maxConds {
		return -1
	}
	c := ir.Cond{Line: n.Line, Text: cs.out.line(n.Line), Marks: cs.taint.marks(n, sc, 0), Not: not}
	cs.parts(n, sc, &c, 0)
	cs.out.f.Conds = append(cs.out.f.Conds, c)
	return len(cs.out.f.Conds) - 1
}

// parts collects what a condition depends on.
func (cs *conditions) parts(n *syntax.Node, sc *scope, c *ir.Cond, depth int) {
	if n == nil || depth > maxCondDepth || !cs.budget.spend() {
		return
	}
	switch n.Kind {
	case syntax.Func:
		return
	case syntax.String:
		addPart(&c.Values, n.Text)
		return
	case syntax.Number:
		addPart(&c.Values, n.Text)
		return
	case syntax.Regexp:
		addPart(&c.Values, n.Text)
		return
	case syntax.Name, syntax.Member, syntax.Index, syntax.Call:
		v := cs.values.eval(n, sc, 0)
		switch {
		case v.kind == path:
			addPart(&c.Names, v.text)
		case v.whole() && v.text != "":
			addPart(&c.Values, v.text)
		case n.Kind == syntax.Name:
			cs.nameParts(n, sc, c, depth)
		}
		if n.Kind == syntax.Call {
			cs.condCall(n, sc, c)
		}
	}
	for _, k := range n.Kids {
		cs.parts(k, sc, c, depth+1)
	}
}

// nameParts collects what a variable was computed from.
func (cs *conditions) nameParts(n *syntax.Node, sc *scope, c *ir.Cond, depth int) {
	addPart(&c.Names, "$"+n.Text)
	b := sc.find(n.Text)
	if b == nil || b.busy || depth > 6 {
		return
	}
	b.busy = true
	for _, at := range b.values[:min(len(b.values), 3)] {
		if !at.node.Is(syntax.Func) {
			cs.parts(at.node, at.sc, c, depth+3)
		}
	}
	b.busy = false
}

func (cs *conditions) condCall(n *syntax.Node, sc *scope, c *ir.Cond) {
	if v := cs.values.eval(n.Kid(0), sc, 0); v.kind == function {
		if i, ok := cs.symbols.funcs[v.node]; ok && len(c.Calls) < maxCondParts && !slices.Contains(c.Calls, i) {
			c.Calls = append(c.Calls, i)
		}
	}
}

func addPart(to *[]string, s string) {
	if len(*to) < maxCondParts && s != "" && !slices.Contains(*to, s) {
		*to = append(*to, s[:min(len(s), 200)])
	}
}
