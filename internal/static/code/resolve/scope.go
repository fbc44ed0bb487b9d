package resolve

import (
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// maxValues is how many assignments to one name are looked at.
const maxValues = 24

// scope is a function with the names that are declared in it.
type scope struct {
	up    *scope
	fn    int
	names map[string]*binding
}

// binding is what a name stands for.
type binding struct {
	values []bound
	// parts are what is put into it, under whatever name.
	parts []bound
	// path is set for imports.
	path string
	fn   *syntax.Node
	// param is set for parameters, input for those of a tool's handler.
	param, input bool
	// counted is set if it goes up by one somewhere.
	counted bool
	// busy while it is being found out.
	busy, known, summed bool
	value               value
	marks               ir.Mark
}

type bound struct {
	node *syntax.Node
	sc   *scope
}

func (s *scope) find(name string) *binding {
	for ; s != nil; s = s.up {
		if b := s.names[name]; b != nil {
			return b
		}
	}
	return nil
}

func (s *scope) own(name string) *binding {
	b := s.names[name]
	if b == nil {
		b = &binding{}
		s.names[name] = b
	}
	return b
}

func (b *binding) add(n *syntax.Node, sc *scope) {
	if n != nil && len(b.values) < maxValues {
		b.values = append(b.values, bound{n, sc})
	}
}

// hold notes that a value is put into what a name stands for. Fields with a name
// of their own are not followed: the settings of half a program stand there.
func (r *reader) hold(on, value *syntax.Node, sc *scope) {
	if !on.Is(syntax.Name) || value == nil {
		return
	}
	if b := sc.find(on.Text); b != nil && len(b.parts) < maxValues {
		b.parts = append(b.parts, bound{value, sc})
	}
}

// declare finds the names of a function and of those inside. given is the call
// that the function is handed to.
func (r *reader) declare(n *syntax.Node, sc *scope, given *syntax.Node) {
	if n == nil || r.depth > maxWalk {
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	switch n.Kind {
	case syntax.Func:
		r.declareFunc(n, sc, given)
		return
	case syntax.Class:
		r.declareClass(n, sc)
		return
	case syntax.Import:
		for _, p := range n.Kids {
			sc.own(p.Kid(0).Text).path = importPath(n.Text, p.Text, r.python)
		}
		return
	case syntax.Export:
		r.declareExport(n)
	case syntax.Assign:
		if n.Op == "let" {
			owns(n.Kid(0), sc)
		}
		r.assign(n.Kid(0), n.Kid(1), sc, n.Text)
	case syntax.Unary:
		if n.Text == "++" {
			r.counts(n.Kid(0), sc)
		}
	case syntax.Call:
		r.declare(n.Kid(0), sc, nil)
		for _, a := range n.Kids[min(1, len(n.Kids)):] {
			r.declare(a, sc, n)
		}
		return
	}
	for _, k := range n.Kids {
		r.declare(k, sc, nil)
	}
}

func (r *reader) declareFunc(n *syntax.Node, sc *scope, given *syntax.Node) {
	if len(r.f.Funcs) >= maxFuncs {
		r.f.Cut = true
		return
	}
	id := len(r.f.Funcs)
	r.f.Funcs = append(r.f.Funcs, ir.Func{Name: short(n.Text), Line: n.Line, In: sc.fn, Handler: -1})
	r.funcs[n] = id
	inner := &scope{up: sc, fn: id, names: map[string]*binding{}}
	r.scopes[n] = inner
	if n.Text != "" {
		if b := sc.own(n.Text); b.fn == nil {
			b.fn = n
		}
		if _, ok := r.exported[n.Text]; !ok && sc.up == nil {
			r.exported[n.Text] = n
		}
	}
	for _, p := range n.Kid(0).Kids {
		r.declareParam(p, inner, given)
	}
	r.declare(n.Kid(1), inner, nil)
	r.declare(n.Kid(2), sc, nil)
}

// declareParam declares a parameter. What a function is handed to decides what
// it is given.
func (r *reader) declareParam(p *syntax.Node, inner *scope, given *syntax.Node) {
	var value *syntax.Node
	if given != nil {
		value = &syntax.Node{Kind: syntax.Unary, Text: "given", Line: given.Line, Kids: []*syntax.Node{given}}
	}
	r.declare(p.Kid(0), inner, nil)
	if p.Text == "" {
		owns(p.Kid(2), inner)
		r.assign(p.Kid(2), value, inner, "")
		markParams(p.Kid(2), inner)
		return
	}
	b := inner.own(p.Text)
	b.param = true
	b.add(value, inner.up)
	b.add(p.Kid(0), inner)
}

// owns makes the names of a pattern those of a scope, whatever they are outside
// of it.
func owns(target *syntax.Node, sc *scope) {
	if target == nil {
		return
	}
	switch target.Kind {
	case syntax.Name:
		sc.own(target.Text)
	case syntax.Object, syntax.List:
		for _, k := range target.Kids {
			owns(k, sc)
		}
	case syntax.Pair, syntax.Assign, syntax.Spread:
		owns(target.Kid(0), sc)
	}
}

func markParams(n *syntax.Node, sc *scope) {
	if n == nil {
		return
	}
	if n.Kind == syntax.Name {
		sc.own(n.Text).param = true
	}
	for _, k := range n.Kids {
		markParams(k, sc)
	}
}

func (r *reader) declareClass(n *syntax.Node, sc *scope) {
	if n.Text != "" {
		sc.own(n.Text).add(n, sc)
	}
	for _, m := range n.Kid(0).Kids {
		if m.Is(syntax.Func) && len(r.methods[m.Text]) < maxValues {
			r.methods[m.Text] = append(r.methods[m.Text], m)
			if _, ok := r.exported[m.Text]; !ok {
				r.exported[m.Text] = m
			}
		}
	}
	// Names in a class body are its own, but nobody minds if they are found.
	r.declare(n.Kid(0), &scope{up: sc, fn: sc.fn, names: map[string]*binding{}}, nil)
	for _, k := range n.Kids[1:] {
		r.declare(k, sc, nil)
	}
}

func (r *reader) declareExport(n *syntax.Node) {
	for _, p := range n.Kids {
		if !p.Is(syntax.Pair) {
			continue
		}
		if f := p.Kid(0); f.Is(syntax.Func) {
			r.exported[p.Text] = f
		}
	}
}

// assign notes that a value goes to a name or into a pattern.
func (r *reader) assign(target, value *syntax.Node, sc *scope, op string) {
	if target == nil || r.depth > maxWalk {
		return
	}
	switch target.Kind {
	case syntax.Name:
		b := sc.find(target.Text)
		if b == nil || r.python && sc.names[target.Text] == nil && sc.up != nil {
			b = sc.own(target.Text)
		}
		b.add(value, sc)
		if op == "+=" && value.Is(syntax.Number) && sc.up != nil {
			// Outside this function: it outlives a call.
			if outer := sc.up.find(target.Text); outer != nil {
				outer.counted, b.counted = true, true
			}
		}
		if value.Is(syntax.Func) && sc.up == nil {
			r.exported[target.Text] = value
		}
	case syntax.Member:
		r.assignMember(target, value, sc, op)
	case syntax.Index:
		r.hold(target.Kid(0), value, sc)
		if op == "+=" && value.Is(syntax.Number) {
			r.counts(target.Kid(0), sc)
		}
	case syntax.Object:
		for _, p := range target.Kids {
			r.assignPart(p, value, sc)
		}
	case syntax.List:
		for i, p := range target.Kids {
			r.assign(p, part(syntax.Index, value, &syntax.Node{Kind: syntax.Number, Text: strconv.Itoa(i)}), sc, "")
		}
	case syntax.Assign:
		r.assign(target.Kid(0), value, sc, "")
		r.assign(target.Kid(0), target.Kid(1), sc, "")
	case syntax.Spread:
		r.assign(target.Kid(0), value, sc, "")
	}
}

func (r *reader) assignPart(p, value *syntax.Node, sc *scope) {
	switch {
	case p.Is(syntax.Spread):
		r.assign(p.Kid(0), value, sc, "")
	case p.Is(syntax.Pair) && p.Kid(1) != nil:
		r.assign(p.Kid(0), part(syntax.Index, value, p.Kid(1)), sc, "")
	case p.Is(syntax.Pair):
		n := part(syntax.Member, value)
		if n != nil {
			n.Text = p.Text
		}
		r.assign(p.Kid(0), n, sc, "")
	}
}

func part(k syntax.Kind, value *syntax.Node, more ...*syntax.Node) *syntax.Node {
	if value == nil {
		return nil
	}
	return &syntax.Node{Kind: k, Line: value.Line, Kids: append([]*syntax.Node{value}, more...)}
}

// assignMember notes this.x = y and exports.x = y.
func (r *reader) assignMember(target, value *syntax.Node, sc *scope, op string) {
	on := target.Kid(0)
	own := on.Is(syntax.Name) && (on.Text == "this" || on.Text == "self")
	if own {
		b := r.members[target.Text]
		if b == nil {
			b = &binding{}
			r.members[target.Text] = b
		}
		b.add(value, sc)
		if op == "+=" && value.Is(syntax.Number) {
			b.counted = true
		}
		if value.Is(syntax.Func) {
			r.methods[target.Text] = append(r.methods[target.Text], value)
		}
	}
	out := on.Is(syntax.Name) && on.Text == "exports" || on.Is(syntax.Member) && on.Text == "exports"
	if out && value.Is(syntax.Func) {
		r.exported[target.Text] = value
	}
	if target.Text == "exports" && value.Is(syntax.Object) {
		for _, p := range value.Kids {
			if p.Is(syntax.Pair) && p.Kid(0).Is(syntax.Func) {
				r.exported[p.Text] = p.Kid(0)
			}
		}
	}
}

func (r *reader) counts(n *syntax.Node, sc *scope) {
	switch {
	case n.Is(syntax.Name):
		if b := sc.find(n.Text); b != nil && sc.names[n.Text] == nil {
			b.counted = true // outside this function: it outlives a call
		}
	case n.Is(syntax.Member):
		if b := r.members[n.Text]; b != nil {
			b.counted = true
		}
	}
}

// importPath is what an imported name stands for.
func importPath(module, imported string, python bool) string {
	module = strings.TrimPrefix(module, "node:")
	switch {
	case imported == "*" || imported == "default" && !python:
		return clean(module)
	case python && strings.HasSuffix(module, "."):
		return module + imported
	}
	return clean(module + "." + imported)
}

func short(s string) string { return s[:min(len(s), 120)] }
