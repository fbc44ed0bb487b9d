package resolve

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// walker records what the code does: calls, texts, reads and imports, each with
// its conditions.
type walker struct {
	out        *output
	symbols    *symbols
	values     *evaluator
	taint      *taint
	conditions *conditions
	depth      int
	// conds are the conditions of the current position.
	conds []int
	// into and name are the context of a text: the call, the variable.
	into, name string
}

// walk records what a part of the program does.
func (w *walker) walk(n *syntax.Node, sc *scope) {
	if n == nil {
		return
	}
	if w.depth > maxWalk {
		w.out.f.Cut = true
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	switch n.Kind {
	case syntax.Func:
		w.walkFunc(n, sc)
	case syntax.Class:
		w.walkKids(n, sc)
	case syntax.Block:
		w.walkBlock(n, sc)
	case syntax.If:
		w.walkIf(n, sc)
	case syntax.Binary:
		w.walkBinary(n, sc)
	case syntax.Call:
		w.walkCall(n, sc)
	case syntax.String:
		w.text(n, n.Text, sc, false)
	case syntax.Join, syntax.Index:
		w.made(n, sc)
		if n.Kind == syntax.Index {
			w.read(n, sc)
		}
		w.walkKids(n, sc)
	case syntax.Member, syntax.Name:
		w.read(n, sc)
		w.walkKids(n, sc)
	case syntax.Assign, syntax.Pair, syntax.Keyword:
		w.walkNamed(n, sc)
	case syntax.Import:
		w.out.addImport(ir.Import{Module: n.Text, Line: n.Line})
	case syntax.Export:
		if n.Text != "" {
			w.out.addImport(ir.Import{Module: n.Text, Line: n.Line})
		}
		w.walkKids(n, sc)
	default:
		w.walkKids(n, sc)
	}
}

func (w *walker) walkKids(n *syntax.Node, sc *scope) {
	for _, k := range n.Kids {
		w.walk(k, sc)
	}
}

func (w *walker) walkFunc(n *syntax.Node, sc *scope) {
	inner := w.symbols.scopes[n]
	if inner == nil {
		return
	}
	into, name := w.into, w.name
	w.into, w.name = "", ""
	for _, p := range n.Kid(0).Kids {
		w.walk(p.Kid(0), inner)
	}
	w.walk(n.Kid(1), inner)
	w.walk(n.Kid(2), sc)
	w.into, w.name = into, name
}

// walkBlock walks statements. An if that returns early is a condition for all
// that follow.
func (w *walker) walkBlock(n *syntax.Node, sc *scope) {
	pushed := 0
	for _, k := range n.Kids {
		if k.Is(syntax.String) { // a docstring
			w.into = "docstring"
			w.walk(k, sc)
			w.into = ""
			continue
		}
		w.walk(k, sc)
		if k.Is(syntax.If) && k.Op != "case" && k.Kid(2) == nil && leaves(k.Kid(1)) && len(w.conds) < maxStack {
			if i := w.conditions.add(k.Kid(0), sc, true); i >= 0 {
				w.conds = append(w.conds, i)
				pushed++
			}
		}
	}
	w.conds = w.conds[:len(w.conds)-pushed]
}

// leaves reports whether a branch returns, throws or exits.
func leaves(n *syntax.Node) bool {
	if n.Is(syntax.Block) {
		if len(n.Kids) == 0 {
			return false
		}
		n = n.Kids[len(n.Kids)-1]
	}
	if n.Is(syntax.Call) && n.Kid(0).Is(syntax.Member) {
		m := n.Kid(0)
		return (m.Text == "exit" || m.Text == "_exit") && m.Kid(0).Is(syntax.Name)
	}
	return n.Is(syntax.Return)
}

func (w *walker) walkIf(n *syntax.Node, sc *scope) {
	w.walk(n.Kid(0), sc)
	w.guarded(n.Kid(0), n.Kid(1), sc, false)
	if n.Kid(2) != nil {
		w.guarded(n.Kid(0), n.Kid(2), sc, true)
	}
}

// guarded walks the body of a condition.
func (w *walker) guarded(cond, body *syntax.Node, sc *scope, not bool) {
	if i := w.conditions.add(cond, sc, not); i >= 0 {
		outer := w.conds
		if len(outer) >= maxStack {
			outer = outer[1:]
		}
		kept := w.conds
		w.conds = append(append([]int{}, outer...), i)
		w.walk(body, sc)
		w.conds = kept
		return
	}
	w.walk(body, sc)
}

func (w *walker) walkBinary(n *syntax.Node, sc *scope) {
	switch n.Text {
	case "and", "or":
		w.walk(n.Kid(0), sc)
		w.guarded(n.Kid(0), n.Kid(1), sc, n.Text == "or")
		return
	case "==", "!=", "in", "not in", "<", ">", "<=", ">=":
		w.compares(n, sc)
	case "+", "/", "%":
		w.made(n, sc)
	}
	w.walkKids(n, sc)
}

// walkNamed gives the texts inside the name that they are assigned to.
func (w *walker) walkNamed(n *syntax.Node, sc *scope) {
	outer := w.name
	switch n.Kind {
	case syntax.Assign:
		if t := n.Kid(0); t.Is(syntax.Name) || t.Is(syntax.Member) {
			w.name = t.Text
		}
		if t := n.Kid(0); t.Is(syntax.Member) || t.Is(syntax.Index) {
			w.written(n, sc)
		}
	default:
		if n.Text != "" {
			w.name = n.Text
		}
	}
	w.walkKids(n, sc)
	w.name = outer
}

// written records an assignment to a named object, such as an element of the
// environment, as a call of that name.
func (w *walker) written(n *syntax.Node, sc *scope) {
	v := w.values.eval(n.Kid(0), sc, 0)
	if v.kind != path || !interesting(v.text) {
		return
	}
	w.out.addCall(ir.Call{Name: v.text + "=", Line: n.Line, Func: sc.fn, To: -1, Args: []ir.Arg{w.arg(n.Kid(1), sc)}, Conds: w.conds})
}

// read records the use of a sensitive name.
func (w *walker) read(n *syntax.Node, sc *scope) {
	v := w.values.eval(n, sc, 0)
	if v.kind != path || !interesting(v.text) || len(w.out.f.Reads) >= maxReads {
		return
	}
	// Parts of a longer name follow it on the same line.
	if k := len(w.out.f.Reads) - 1; k >= 0 {
		last := w.out.f.Reads[k]
		if last.Func == sc.fn && last.Line == n.Line && len(last.Name) > len(v.text) && last.Name[:len(v.text)] == v.text {
			return
		}
	}
	w.out.f.Reads = append(w.out.f.Reads, ir.Read{Name: short(v.text), Line: n.Line, Func: sc.fn, Conds: slices.Clone(w.conds), Hidden: v.made || w.values.hidden(n, sc)})
}
