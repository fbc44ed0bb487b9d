package resolve

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

const (
	maxCondParts = 12
	// maxCondDepth is how much of a condition is looked at.
	maxCondDepth = 40
)

// cond writes a condition down and returns its number, -1 if there is no room.
func (r *reader) cond(n *syntax.Node, sc *scope, not bool) int {
	if n == nil || len(r.f.Conds) >= maxConds {
		return -1
	}
	c := ir.Cond{Line: n.Line, Text: r.line(n.Line), Marks: r.marks(n, sc, 0), Not: not}
	r.condParts(n, sc, &c, 0)
	r.f.Conds = append(r.f.Conds, c)
	return len(r.f.Conds) - 1
}

// condParts collects what a condition looks at.
func (r *reader) condParts(n *syntax.Node, sc *scope, c *ir.Cond, depth int) {
	if n == nil || depth > maxCondDepth || !r.spend() {
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
		v := r.eval(n, sc, 0)
		switch {
		case v.kind == path:
			addPart(&c.Names, v.text)
		case v.whole() && v.text != "":
			addPart(&c.Values, v.text)
		case n.Kind == syntax.Name:
			r.nameParts(n, sc, c, depth)
		}
		if n.Kind == syntax.Call {
			r.condCall(n, sc, c)
		}
	}
	for _, k := range n.Kids {
		r.condParts(k, sc, c, depth+1)
	}
}

// nameParts looks at what a variable was made from.
func (r *reader) nameParts(n *syntax.Node, sc *scope, c *ir.Cond, depth int) {
	addPart(&c.Names, "$"+n.Text)
	b := sc.find(n.Text)
	if b == nil || b.busy || depth > 6 {
		return
	}
	b.busy = true
	for _, at := range b.values[:min(len(b.values), 3)] {
		if !at.node.Is(syntax.Func) {
			r.condParts(at.node, at.sc, c, depth+3)
		}
	}
	b.busy = false
}

func (r *reader) condCall(n *syntax.Node, sc *scope, c *ir.Cond) {
	if v := r.eval(n.Kid(0), sc, 0); v.kind == function {
		if i, ok := r.funcs[v.node]; ok && len(c.Calls) < maxCondParts && !slices.Contains(c.Calls, i) {
			c.Calls = append(c.Calls, i)
		}
	}
}

func addPart(to *[]string, s string) {
	if len(*to) < maxCondParts && s != "" && !slices.Contains(*to, s) {
		*to = append(*to, s[:min(len(s), 200)])
	}
}

// read notes that a name is used which concerns others.
func (r *reader) read(n *syntax.Node, sc *scope) {
	v := r.eval(n, sc, 0)
	if v.kind != path || !interesting(v.text) || len(r.f.Reads) >= maxReads {
		return
	}
	// The parts of a longer name come after it, on the same line.
	if k := len(r.f.Reads) - 1; k >= 0 {
		last := r.f.Reads[k]
		if last.Func == sc.fn && last.Line == n.Line && len(last.Name) > len(v.text) && last.Name[:len(v.text)] == v.text {
			return
		}
	}
	r.f.Reads = append(r.f.Reads, ir.Read{Name: short(v.text), Line: n.Line, Func: sc.fn, Conds: slices.Clone(r.conds), Hidden: v.made || r.hidden(n, sc)})
}
