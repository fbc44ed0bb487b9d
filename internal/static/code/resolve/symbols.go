package resolve

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// symbols are the names of a file and their meanings. They are complete before
// anything is evaluated.
type symbols struct {
	out    *output
	python bool
	depth  int
	// funcs are the functions by their index in the output, scopes the names
	// declared in each.
	funcs  map[*syntax.Node]int
	scopes map[*syntax.Node]*scope
	// methods and members are those of all classes, by name.
	methods map[string][]*syntax.Node
	members map[string]*binding
	// exported are names given to functions for other files.
	exported map[string]*syntax.Node
}

func newSymbols(out *output, python bool) *symbols {
	return &symbols{
		out: out, python: python, funcs: map[*syntax.Node]int{}, scopes: map[*syntax.Node]*scope{},
		methods: map[string][]*syntax.Node{}, members: map[string]*binding{}, exported: map[string]*syntax.Node{},
	}
}

// export records the functions that other files may import.
func (s *symbols) export() {
	s.out.f.Exports = map[string]int{}
	for name, node := range s.exported {
		if i, ok := s.funcs[node]; ok {
			s.out.f.Exports[name] = i
		}
	}
}

// declare collects the names of a function and of nested ones. given is the
// call that the function is passed to.
func (s *symbols) declare(n *syntax.Node, sc *scope, given *syntax.Node) {
	if n == nil || s.depth > maxWalk {
		return
	}
	s.depth++
	defer func() { s.depth-- }()
	switch n.Kind {
	case syntax.Func:
		s.declareFunc(n, sc, given)
		return
	case syntax.Class:
		s.declareClass(n, sc)
		return
	case syntax.Import:
		for _, p := range n.Kids {
			sc.own(p.Kid(0).Text).path = importPath(n.Text, p.Text, s.python)
		}
		return
	case syntax.Export:
		s.declareExport(n)
	case syntax.Assign:
		if n.Op == "let" {
			owns(n.Kid(0), sc)
		}
		s.assign(n.Kid(0), n.Kid(1), sc, n.Text)
	case syntax.Unary:
		if n.Text == "++" {
			s.counts(n.Kid(0), sc)
		}
	case syntax.Call:
		s.declare(n.Kid(0), sc, nil)
		for _, a := range n.Kids[min(1, len(n.Kids)):] {
			s.declare(a, sc, n)
		}
		return
	}
	for _, k := range n.Kids {
		s.declare(k, sc, nil)
	}
}

func (s *symbols) declareFunc(n *syntax.Node, sc *scope, given *syntax.Node) {
	if len(s.out.f.Funcs) >= maxFuncs {
		s.out.f.Cut = true
		return
	}
	id := len(s.out.f.Funcs)
	s.out.f.Funcs = append(s.out.f.Funcs, ir.Func{Name: short(n.Text), Line: n.Line, In: sc.fn, Handler: -1})
	s.funcs[n] = id
	inner := &scope{up: sc, fn: id, names: map[string]*binding{}}
	s.scopes[n] = inner
	if n.Text != "" {
		if b := sc.own(n.Text); b.fn == nil {
			b.fn = n
		}
		if _, ok := s.exported[n.Text]; !ok && sc.up == nil {
			s.exported[n.Text] = n
		}
	}
	for _, p := range n.Kid(0).Kids {
		s.declareParam(p, inner, given)
	}
	s.declare(n.Kid(1), inner, nil)
	s.declare(n.Kid(2), sc, nil)
}

// declareParam declares a parameter. The value of a callback's parameter is
// derived from the call that the callback is passed to.
func (s *symbols) declareParam(p *syntax.Node, inner *scope, given *syntax.Node) {
	var value *syntax.Node
	if given != nil {
		value = &syntax.Node{Kind: syntax.Unary, Text: "given", Line: given.Line, Kids: []*syntax.Node{given}}
	}
	s.declare(p.Kid(0), inner, nil)
	if p.Text == "" {
		owns(p.Kid(2), inner)
		s.assign(p.Kid(2), value, inner, "")
		markParams(p.Kid(2), inner)
		return
	}
	b := inner.own(p.Text)
	b.param = true
	b.add(value, inner.up)
	b.add(p.Kid(0), inner)
}

// owns declares the names of a pattern in a scope, whatever they mean outside.
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

func (s *symbols) declareClass(n *syntax.Node, sc *scope) {
	if n.Text != "" {
		sc.own(n.Text).add(n, sc)
	}
	for _, m := range n.Kid(0).Kids {
		if m.Is(syntax.Func) && len(s.methods[m.Text]) < maxValues {
			s.methods[m.Text] = append(s.methods[m.Text], m)
			if _, ok := s.exported[m.Text]; !ok {
				s.exported[m.Text] = m
			}
		}
	}
	// Names in a class body are not visible outside; resolving them anyway does
	// no harm.
	s.declare(n.Kid(0), &scope{up: sc, fn: sc.fn, names: map[string]*binding{}}, nil)
	for _, k := range n.Kids[1:] {
		s.declare(k, sc, nil)
	}
}

func (s *symbols) declareExport(n *syntax.Node) {
	for _, p := range n.Kids {
		if !p.Is(syntax.Pair) {
			continue
		}
		if f := p.Kid(0); f.Is(syntax.Func) {
			s.exported[p.Text] = f
		}
	}
}

// importPath returns the path of an imported name.
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
