package resolve

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

var regexpWord = regexp.MustCompile(`[A-Za-z]{3,}`)

// walkCall writes down a call and goes on into its parts.
func (r *reader) walkCall(n *syntax.Node, sc *scope) {
	callee := r.eval(n.Kid(0), sc, 0)
	c := ir.Call{Line: n.Line, Func: sc.fn, To: -1, Name: r.calleeName(n, callee), Conds: r.conds}
	switch callee.kind {
	case function:
		if i, ok := r.funcs[callee.node]; ok {
			c.To = i
		}
	case path:
		c.Hidden = callee.made || r.hidden(n.Kid(0), sc)
		r.imported(n, callee, sc)
	case unknown:
		if m := n.Kid(0); m.Is(syntax.Member) && len(r.methods[m.Text]) == 1 {
			c.To = r.funcs[r.methods[m.Text][0]]
		}
	}
	if m := n.Kid(0); m.Is(syntax.Member) || m.Is(syntax.Index) {
		c.On = r.marks(m.Kid(0), sc, 0)
		r.comparing(n, m, sc)
	}
	if m := n.Kid(0); m.Is(syntax.Member) && callee.kind == unknown {
		if on := r.eval(m.Kid(0), sc, 0); on.kind == text {
			c.Args = append(c.Args, ir.Arg{Key: "this", Text: on.text[:min(len(on.text), maxArgText)], Func: -1})
		}
	}
	for _, a := range n.Kids[1:] {
		if len(c.Args) < maxArgs {
			c.Args = append(c.Args, r.args(a, sc)...)
		}
	}
	r.addCall(c)
	r.made(n, sc)
	outer, name := r.into, r.name
	r.walkCallee(n.Kid(0), sc)
	r.into = c.Name
	for _, a := range n.Kids[1:] {
		r.walk(a, sc)
	}
	r.into, r.name = outer, name
}

// walkCallee goes on into what is called without noting it as read.
func (r *reader) walkCallee(n *syntax.Node, sc *scope) {
	switch n.Kind {
	case syntax.Member:
		if v := r.eval(n.Kid(0), sc, 0); v.kind == path && !strings.Contains(v.text, "(") {
			r.read(n.Kid(0), sc)
			return
		}
		r.walk(n.Kid(0), sc)
	case syntax.Name:
	default:
		r.walk(n, sc)
	}
}

// calleeName is the resolved name of what is called; "?" for what is not known.
func (r *reader) calleeName(n *syntax.Node, callee value) string {
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

// hidden tells whether the name of what is called was computed.
func (r *reader) hidden(n *syntax.Node, sc *scope) bool {
	for range 20 {
		switch n.Kind {
		case syntax.Member:
			n = n.Kid(0)
		case syntax.Index:
			if !n.Kid(1).Is(syntax.String) && r.eval(n.Kid(1), sc, 0).whole() {
				return true
			}
			n = n.Kid(0)
		case syntax.Call:
			v := r.eval(n, sc, 0)
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

// imported notes a module that is loaded by a call.
func (r *reader) imported(n *syntax.Node, callee value, sc *scope) {
	switch callee.text {
	case "require", "import", "__import__", "importlib.import_module", "module.require", "process.mainModule.require":
	default:
		return
	}
	i := ir.Import{Line: n.Line, Dynamic: true}
	v := r.eval(n.Kid(1), sc, 0)
	if v.kind == text {
		i.Module = v.text
	}
	i.Unknown = !v.whole()
	r.addImport(i)
}

// comparing notes what a text is searched for.
func (r *reader) comparing(n, m *syntax.Node, sc *scope) {
	if m.Kind != syntax.Member || len(n.Kids) < 2 {
		return
	}
	switch m.Text {
	case "includes", "indexOf", "startsWith", "endsWith", "startswith", "endswith", "find", "index", "localeCompare", "has", "equals":
		on := r.eval(m.Kid(0), sc, 0)
		if on.kind == list {
			r.compared(on, n, sc)
		}
		if on.kind != text {
			r.compared(r.eval(n.Kid(1), sc, 0), n, sc)
		}
	case "test", "exec", "match", "search", "fullmatch", "matchAll":
		for _, p := range []*syntax.Node{m.Kid(0), n.Kid(1)} {
			s := ""
			if p.Is(syntax.Regexp) {
				s = p.Text
			} else if p.Is(syntax.String) && r.python {
				s = p.Text
			}
			for _, w := range regexpWord.FindAllString(s[:min(len(s), 200)], 6) {
				r.addText(ir.Text{Text: w, Line: n.Line, Func: sc.fn, Compared: true})
			}
		}
	}
}

func (r *reader) addCall(c ir.Call) {
	if len(r.f.Calls) >= maxCalls {
		r.f.Cut = true
		return
	}
	c.Name = short(c.Name)
	c.Conds = slices.Clone(c.Conds)
	r.f.Calls = append(r.f.Calls, c)
}

// args is an argument, and the members of one that is an object.
func (r *reader) args(n *syntax.Node, sc *scope) []ir.Arg {
	if n.Is(syntax.Keyword) {
		a := r.arg(n.Kid(0), sc)
		a.Key = short(n.Text)
		return []ir.Arg{a}
	}
	out := []ir.Arg{r.arg(n, sc)}
	v := r.eval(n, sc, 0)
	if v.kind != object {
		return out
	}
	for _, p := range v.node.Kids {
		if p.Is(syntax.Pair) && p.Text != "" && len(out) < maxArgs {
			a := r.arg(p.Kid(0), v.sc)
			a.Key = short(p.Text)
			out = append(out, a)
		}
	}
	return out
}

func (r *reader) arg(n *syntax.Node, sc *scope) ir.Arg {
	a := ir.Arg{Func: -1}
	if n == nil {
		return a
	}
	v := r.eval(n, sc, 0)
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
		if i, ok := r.funcs[v.node]; ok {
			a.Func = i
		}
	}
	if n.Is(syntax.Binary) && n.Text == "+" || n.Is(syntax.Join) {
		a.Joined = !v.whole()
	}
	a.Marks = r.marks(n, sc, 0)
	return a
}

// callSites gives the parameters of this file's functions the arguments they
// are called with.
func (r *reader) callSites(n *syntax.Node, sc *scope) {
	if n == nil || r.depth > maxWalk {
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	if n.Kind == syntax.Func {
		if inner := r.scopes[n]; inner != nil {
			r.callSites(n.Kid(1), inner)
		}
		r.callSites(n.Kid(2), sc)
		return
	}
	if n.Kind == syntax.Call {
		r.callSite(n, sc)
	}
	for _, k := range n.Kids {
		r.callSites(k, sc)
	}
}

func (r *reader) callSite(n *syntax.Node, sc *scope) {
	var fn *syntax.Node
	callee := n.Kid(0)
	switch {
	case callee.Is(syntax.Name):
		if b := sc.find(callee.Text); b != nil {
			fn = b.fn
			if fn == nil && len(b.values) == 1 && b.values[0].node.Is(syntax.Func) {
				fn = b.values[0].node
			}
		}
	case callee.Is(syntax.Member) && len(r.methods[callee.Text]) == 1:
		fn = r.methods[callee.Text][0]
	}
	inner := r.scopes[fn]
	if fn == nil || inner == nil {
		return
	}
	params := fn.Kid(0).Kids
	if len(params) > 0 && (params[0].Text == "self" || params[0].Text == "cls") {
		params = params[1:]
	}
	for i, a := range n.Kids[1:] {
		switch {
		case a.Is(syntax.Keyword):
			if b := inner.names[a.Text]; b != nil {
				b.add(a.Kid(0), sc)
			}
		case i < len(params) && params[i].Text != "":
			inner.own(params[i].Text).add(a, sc)
		case i < len(params):
			r.assign(params[i].Kid(2), a, inner, "")
		}
	}
}
