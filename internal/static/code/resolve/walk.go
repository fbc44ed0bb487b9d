package resolve

import (
	"fmt"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// walk writes down what happens in a piece of the program.
func (r *reader) walk(n *syntax.Node, sc *scope) {
	if n == nil {
		return
	}
	if r.depth > maxWalk {
		r.f.Cut = true
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	switch n.Kind {
	case syntax.Func:
		r.walkFunc(n, sc)
	case syntax.Class:
		r.walkKids(n, sc)
	case syntax.Block:
		r.walkBlock(n, sc)
	case syntax.If:
		r.walkIf(n, sc)
	case syntax.Binary:
		r.walkBinary(n, sc)
	case syntax.Call:
		r.walkCall(n, sc)
	case syntax.String:
		r.text(n, n.Text, sc, false)
	case syntax.Join, syntax.Index:
		r.made(n, sc)
		if n.Kind == syntax.Index {
			r.read(n, sc)
		}
		r.walkKids(n, sc)
	case syntax.Member, syntax.Name:
		r.read(n, sc)
		r.walkKids(n, sc)
	case syntax.Assign, syntax.Pair, syntax.Keyword:
		r.walkNamed(n, sc)
	case syntax.Import:
		r.addImport(ir.Import{Module: n.Text, Line: n.Line})
	case syntax.Export:
		if n.Text != "" {
			r.addImport(ir.Import{Module: n.Text, Line: n.Line})
		}
		r.walkKids(n, sc)
	default:
		r.walkKids(n, sc)
	}
}

func (r *reader) walkKids(n *syntax.Node, sc *scope) {
	for _, k := range n.Kids {
		r.walk(k, sc)
	}
}

func (r *reader) walkFunc(n *syntax.Node, sc *scope) {
	inner := r.scopes[n]
	if inner == nil {
		return
	}
	into, name := r.into, r.name
	r.into, r.name = "", ""
	for _, p := range n.Kid(0).Kids {
		r.walk(p.Kid(0), inner)
	}
	r.walk(n.Kid(1), inner)
	r.walk(n.Kid(2), sc)
	r.into, r.name = into, name
}

// walkBlock goes through statements. One that leaves early is a condition for
// all that follow.
func (r *reader) walkBlock(n *syntax.Node, sc *scope) {
	pushed := 0
	for _, k := range n.Kids {
		if k.Is(syntax.String) { // said to whoever reads the code
			r.into = "docstring"
			r.walk(k, sc)
			r.into = ""
			continue
		}
		r.walk(k, sc)
		if k.Is(syntax.If) && k.Op != "case" && k.Kid(2) == nil && leaves(k.Kid(1)) && len(r.conds) < maxStack {
			if i := r.cond(k.Kid(0), sc, true); i >= 0 {
				r.conds = append(r.conds, i)
				pushed++
			}
		}
	}
	r.conds = r.conds[:len(r.conds)-pushed]
}

// leaves tells whether a branch does not come back.
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

func (r *reader) walkIf(n *syntax.Node, sc *scope) {
	r.walk(n.Kid(0), sc)
	r.guarded(n.Kid(0), n.Kid(1), sc, false)
	if n.Kid(2) != nil {
		r.guarded(n.Kid(0), n.Kid(2), sc, true)
	}
}

// guarded walks what happens under a condition.
func (r *reader) guarded(cond, body *syntax.Node, sc *scope, not bool) {
	if i := r.cond(cond, sc, not); i >= 0 {
		outer := r.conds
		if len(outer) >= maxStack {
			outer = outer[1:]
		}
		kept := r.conds
		r.conds = append(append([]int{}, outer...), i)
		r.walk(body, sc)
		r.conds = kept
		return
	}
	r.walk(body, sc)
}

func (r *reader) walkBinary(n *syntax.Node, sc *scope) {
	switch n.Text {
	case "and", "or":
		r.walk(n.Kid(0), sc)
		r.guarded(n.Kid(0), n.Kid(1), sc, n.Text == "or")
		return
	case "==", "!=", "in", "not in", "<", ">", "<=", ">=":
		r.compares(n, sc)
	case "+", "/", "%":
		r.made(n, sc)
	}
	r.walkKids(n, sc)
}

// compares notes the texts that something unknown is compared with.
func (r *reader) compares(n *syntax.Node, sc *scope) {
	a, b := r.eval(n.Kid(0), sc, 0), r.eval(n.Kid(1), sc, 0)
	if a.kind != text && b.kind != unknown {
		r.compared(b, n, sc)
	}
	if b.kind != text && b.kind != list && a.kind == text {
		r.compared(a, n, sc)
	}
}

func (r *reader) compared(v value, n *syntax.Node, sc *scope) {
	if v.kind == list && len(v.list) <= 64 {
		for _, e := range v.list {
			r.compared(e, n, sc)
		}
		return
	}
	if v.whole() && v.text != "" && len(v.text) <= 200 {
		r.addText(ir.Text{Text: v.text, Line: n.Line, Func: sc.fn, Compared: true, Made: v.made})
	}
}

// walkNamed gives the texts inside the name they are the value of.
func (r *reader) walkNamed(n *syntax.Node, sc *scope) {
	outer := r.name
	switch n.Kind {
	case syntax.Assign:
		if t := n.Kid(0); t.Is(syntax.Name) || t.Is(syntax.Member) {
			r.name = t.Text
		}
		if t := n.Kid(0); t.Is(syntax.Member) || t.Is(syntax.Index) {
			r.written(n, sc)
		}
	default:
		if n.Text != "" {
			r.name = n.Text
		}
	}
	r.walkKids(n, sc)
	r.name = outer
}

// written notes an assignment to something with a name, such as an element of
// the environment, as a call of that name.
func (r *reader) written(n *syntax.Node, sc *scope) {
	v := r.eval(n.Kid(0), sc, 0)
	if v.kind != path || !interesting(v.text) {
		return
	}
	r.addCall(ir.Call{Name: v.text + "=", Line: n.Line, Func: sc.fn, To: -1, Args: []ir.Arg{r.arg(n.Kid(1), sc)}, Conds: r.conds})
}

// made writes down a text that the code puts together, once for the whole.
func (r *reader) made(n *syntax.Node, sc *scope) {
	v := r.eval(n, sc, 0)
	if v.kind == text && v.made && len(v.text) >= 3 {
		r.text(n, v.text, sc, true)
	}
}

func (r *reader) text(n *syntax.Node, s string, sc *scope, made bool) {
	if len(s) < 2 {
		return
	}
	t := ir.Text{Text: s, Line: n.Line, Func: sc.fn, Made: made, Into: r.into, Name: r.name, Bytes: n.Op == "b"}
	r.addText(t)
}

func (r *reader) addText(t ir.Text) {
	if len(t.Text) > maxText {
		t.Text, t.Cut = t.Text[:maxText], true
	}
	if len(r.f.Texts) >= maxTexts || r.allText+len(t.Text) > maxAllText {
		r.f.Cut = true
		return
	}
	key := fmt.Sprint(t.Line, t.Made, t.Compared, t.Text)
	if r.seen[key] {
		return
	}
	r.seen[key] = true
	r.allText += len(t.Text)
	t.Name, t.Into = short(t.Name), short(t.Into)
	r.f.Texts = append(r.f.Texts, t)
}

func (r *reader) addImport(i ir.Import) {
	if len(r.f.Imports) < maxCalls {
		i.Module = short(i.Module)
		r.f.Imports = append(r.f.Imports, i)
	}
}
