package expect

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/flow"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// inputName matches the names of schemas that describe no answers.
var inputName = lazyregexp.New(`(?i)(input|args?|arguments|params?|parameters|options?|config(uration)?|settings|env(ironment)?|request|query|filters?|body|props|state|tool\w*|error)(schema|model|type|shape)?$|^(tool|mcp|server)`)

// unknown writes the shapes of answers whose request is not known: JSON that
// comes from somewhere, data that is described, results of libraries.
func (w *writer) unknown() []*mcpsf.Shape {
	w.inputs()
	var out []*mcpsf.Shape
	add := func(s *mcpsf.Shape) {
		if s != nil && len(out) < maxUnknown {
			out = append(out, s)
		}
	}
	for n := 1; n < w.graph.first; n++ {
		for _, part := range []string{flow.JSON, flow.Parsed} {
			if to := w.graph.get(n, part); to != 0 && !w.seen[to] && w.graph.nodes[to].uses&(ir.UseFile|ir.UseInput) == 0 {
				add(w.top(to))
			}
		}
	}
	for _, to := range w.models() {
		add(w.top(to))
	}
	for n := 1; n < w.graph.first; n++ {
		at := w.graph.find(n)
		if w.graph.nodes[n].uses&ir.UseResult == 0 || w.graph.nodes[n].bulk || w.seen[at] || w.graph.nodes[at].uses&ir.UseInput != 0 {
			continue
		}
		if data := w.graph.get(at, "data"); data != 0 {
			add(nested(w.top(data)))
		} else {
			add(nested(w.top(at)))
		}
		w.visit(at)
	}
	return out
}

// nested returns a shape that is more than an object with plain members: any
// object of a library has such.
func nested(s *mcpsf.Shape) *mcpsf.Shape {
	if s == nil {
		return nil
	}
	if s.Element != nil && len(s.Element.Members) > 0 {
		return s
	}
	for _, m := range s.Members {
		if len(m.Members) > 0 || m.Element != nil || m.Type == "array" {
			return s
		}
	}
	return nil
}

// models returns the described data that is neither in an answer already nor in
// other described data.
func (w *writer) models() []int {
	g := w.graph
	within := map[int]bool{}
	var list []int
	for n := 1; n < g.first; n++ {
		at := g.find(n)
		if g.nodes[n].uses&ir.UseModel == 0 || within[at] || g.nodes[n].bulk {
			continue
		}
		for _, k := range g.nodes[at].links {
			w.reach(k, within)
		}
		if !g.nodes[at].used && g.nodes[at].uses&ir.UseInput == 0 && !inputName.MatchString(g.nodes[at].name) {
			list = append(list, at)
		}
	}
	var out []int
	for _, n := range list {
		if !within[n] && !w.seen[n] {
			out = append(out, n)
			w.seen[n] = true
		}
	}
	return out
}

func (w *writer) reach(n int, into map[int]bool) {
	for pending := []int{n}; len(pending) > 0; {
		n = w.graph.find(pending[len(pending)-1])
		pending = pending[:len(pending)-1]
		if into[n] {
			continue
		}
		into[n] = true
		for _, k := range w.graph.nodes[n].links {
			pending = append(pending, k)
		}
	}
}

// inputs marks everything that is part of what tools are called with.
func (w *writer) inputs() {
	within := map[int]bool{}
	for n := 1; n < len(w.graph.nodes); n++ {
		at := &w.graph.nodes[n]
		if at.parent != n || at.uses&ir.UseInput == 0 {
			continue
		}
		w.reach(n, within)
		for _, p := range w.graph.funcs[at.fn].params {
			w.reach(p, within)
		}
	}
	for n := range within {
		w.graph.nodes[n].uses |= ir.UseInput
	}
}
