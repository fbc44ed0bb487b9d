package resolve

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

var regexpWord = lazyregexp.New(`[A-Za-z]{3,}`)

// walkCall records a call and walks its parts.
func (w *walker) walkCall(n *syntax.Node, sc *scope) {
	callee := w.values.eval(n.Kid(0), sc, 0)
	c := ir.Call{Line: n.Line, Func: sc.fn, To: -1, Name: w.calleeName(n, callee), Conds: w.conds}
	switch callee.kind {
	case function:
		if i, ok := w.symbols.funcs[callee.node]; ok {
			c.To = i
		}
	case path:
		c.Hidden = callee.made || w.values.hidden(n.Kid(0), sc)
		w.imported(n, callee, sc)
	case unknown:
		if m := n.Kid(0); m.Is(syntax.Member) && len(w.symbols.methods[m.Text]) == 1 {
			c.To = w.symbols.funcs[w.symbols.methods[m.Text][0]]
		}
	}
	if m := n.Kid(0); m.Is(syntax.Member) || m.Is(syntax.Index) {
		c.On = w.taint.marks(m.Kid(0), sc, 0)
		w.comparing(n, m, sc)
	}
	if m := n.Kid(0); m.Is(syntax.Member) && callee.kind == unknown {
		if on := w.values.eval(m.Kid(0), sc, 0); on.kind == text {
			c.Args = append(c.Args, ir.Arg{Key: "this", Text: on.text[:min(len(on.text), maxArgText)], Func: -1})
		}
	}
	for _, a := range n.Kids[1:] {
		if len(c.Args) < maxArgs {
			c.Args = append(c.Args, w.args(a, sc)...)
		}
	}
	w.out.addCall(c)
	w.made(n, sc)
	outer, name := w.into, w.name
	w.walkCallee(n.Kid(0), sc)
	w.into = c.Name
	for _, a := range n.Kids[1:] {
		w.walk(a, sc)
	}
	w.into, w.name = outer, name
}

// walkCallee walks the callee without recording it as a read.
func (w *walker) walkCallee(n *syntax.Node, sc *scope) {
	switch n.Kind {
	case syntax.Member:
		if v := w.values.eval(n.Kid(0), sc, 0); v.kind == path && !strings.Contains(v.text, "(") {
			w.read(n.Kid(0), sc)
			return
		}
		w.walk(n.Kid(0), sc)
	case syntax.Name:
	default:
		w.walk(n, sc)
	}
}

// calleeName returns the resolved name of the callee; "?" if it is unknown.
func (w *walker) calleeName(n *syntax.Node, callee value) string {
	m := n.Kid(0)
	switch callee.kind {
	case path:
		return callee.text
	case function:
		return short(callee.node.Text)
	case class:
		return short(callee.node.Text)
	}
	switch m.Kind {
	case syntax.Member:
		return "?." + short(m.Text)
	case syntax.Index:
		if m.Kid(1).Is(syntax.String) {
			return "?." + short(m.Kid(1).Text)
		}
	case syntax.Name:
		return "?" + short(m.Text)
	}
	return "?"
}

// hidden reports whether the name of the callee was computed.
func (e *evaluator) hidden(n *syntax.Node, sc *scope) bool {
	for range 20 {
		switch n.Kind {
		case syntax.Member:
			n = n.Kid(0)
		case syntax.Index:
			if !n.Kid(1).Is(syntax.String) && e.eval(n.Kid(1), sc, 0).whole() {
				return true
			}
			n = n.Kid(0)
		case syntax.Call:
			v := e.eval(n, sc, 0)
			return v.kind == path && v.made
		case syntax.Name:
			b := sc.find(n.Text)
			return b != nil && b.known && b.value.made && b.value.kind == path
		default:
			return false
		}
	}
	return false
}

// imported records a module that is loaded by a call.
func (w *walker) imported(n *syntax.Node, callee value, sc *scope) {
	switch callee.text {
	case "require", "import", "__import__", "importlib.import_module", "module.require", "process.mainModule.require":
	default:
		return
	}
	i := ir.Import{Line: n.Line, Dynamic: true}
	v := w.values.eval(n.Kid(1), sc, 0)
	if v.kind == text {
		i.Module = v.text
	}
	i.Unknown = !v.whole()
	w.out.addImport(i)
}

// comparing records the strings that another string is searched for.
func (w *walker) comparing(n, m *syntax.Node, sc *scope) {
	if m.Kind != syntax.Member || len(n.Kids) < 2 {
		return
	}
	switch m.Text {
	case "includes", "indexOf", "startsWith", "endsWith", "startswith", "endswith", "find", "index", "localeCompare", "has", "equals":
		on := w.values.eval(m.Kid(0), sc, 0)
		if on.kind == list {
			w.compared(on, n, sc)
		}
		if on.kind != text {
			w.compared(w.values.eval(n.Kid(1), sc, 0), n, sc)
		}
	case "test", "exec", "match", "search", "fullmatch", "matchAll":
		for _, p := range []*syntax.Node{m.Kid(0), n.Kid(1)} {
			s := ""
			if p.Is(syntax.Regexp) {
				s = p.Text
			} else if p.Is(syntax.String) && w.symbols.python {
				s = p.Text
			}
			for _, word := range regexpWord.FindAllString(s[:min(len(s), 200)], 6) {
				w.out.addText(ir.Text{Text: word, Line: n.Line, Func: sc.fn, Compared: true})
			}
		}
	}
}

// args returns an argument, and the members of an argument that is an object.
func (w *walker) args(n *syntax.Node, sc *scope) []ir.Arg {
	if n.Is(syntax.Keyword) {
		a := w.arg(n.Kid(0), sc)
		a.Key = short(n.Text)
		return []ir.Arg{a}
	}
	out := []ir.Arg{w.arg(n, sc)}
	v := w.values.eval(n, sc, 0)
	if v.kind != object {
		return out
	}
	for _, p := range v.node.Kids {
		if p.Is(syntax.Pair) && p.Text != "" && len(out) < maxArgs {
			a := w.arg(p.Kid(0), v.sc)
			a.Key = short(p.Text)
			out = append(out, a)
		}
	}
	return out
}

func (w *walker) arg(n *syntax.Node, sc *scope) ir.Arg {
	a := ir.Arg{Func: -1}
	if n == nil {
		return a
	}
	v := w.values.eval(n, sc, 0)
	switch v.kind {
	case text:
		a.Text = v.text
		if len(a.Text) > maxArgText {
			a.Text = a.Text[:maxArgText]
		}
		a.Joined = v.made && !v.whole()
	case number:
		a.Text = v.partial()
	case path:
		a.Name = v.text
	case list:
		a.List = true
		parts := make([]string, 0, len(v.list))
		for _, e := range v.list[:min(len(v.list), 30)] {
			parts = append(parts, e.partial())
		}
		a.Text = strings.Join(parts, " ")
		a.Text = a.Text[:min(len(a.Text), maxArgText)]
	case function:
		if i, ok := w.symbols.funcs[v.node]; ok {
			a.Func = i
		}
	}
	if n.Is(syntax.Binary) && n.Text == "+" || n.Is(syntax.Join) {
		a.Joined = !v.whole()
	}
	a.Marks = w.taint.marks(n, sc, 0)
	return a
}
