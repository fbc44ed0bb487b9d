package resolve

import (
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// compares records the texts that an unknown value is compared with.
func (w *walker) compares(n *syntax.Node, sc *scope) {
	a, b := w.values.eval(n.Kid(0), sc, 0), w.values.eval(n.Kid(1), sc, 0)
	if a.kind != text && b.kind != unknown {
		w.compared(b, n, sc)
	}
	if b.kind != text && b.kind != list && a.kind == text {
		w.compared(a, n, sc)
	}
}

func (w *walker) compared(v value, n *syntax.Node, sc *scope) {
	if v.kind == list && len(v.list) <= 64 {
		for _, e := range v.list {
			w.compared(e, n, sc)
		}
		return
	}
	if v.whole() && v.text != "" && len(v.text) <= 200 {
		w.out.addText(ir.Text{Text: v.text, Line: n.Line, Func: sc.fn, Compared: true, Made: v.made})
	}
}

// made records a computed text, once for the whole.
func (w *walker) made(n *syntax.Node, sc *scope) {
	v := w.values.eval(n, sc, 0)
	if v.kind == text && v.made && len(v.text) >= 3 {
		w.text(n, v.text, sc, true)
	}
}

func (w *walker) text(n *syntax.Node, s string, sc *scope, made bool) {
	if len(s) < 2 {
		return
	}
	t := ir.Text{Text: s, Line: n.Line, Func: sc.fn, Made: made, Into: w.into, Name: w.name, Bytes: n.Op == "b"}
	w.out.addText(t)
}
