package expect

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// graph has the nodes of all files. Node 0 is none.
type graph struct {
	nodes    []node
	funcs    []function
	calls    []call
	requests []request
	imports  []imported
	// files are the exported nodes of each file.
	files   []*exports
	first   int // nodes from here on are copies
	copying map[int]int
}

// node is a value. parent leads to the node that stands for it.
type node struct {
	parent   int
	uses     ir.Uses
	owner    int
	fn       int
	accepted []string
	tests    []ir.FlowTest
	words    []string
	text     []ir.FlowPart
	// ambiguous says that it has several texts.
	ambiguous bool
	otherwise []ir.FlowPart
	name      string
	// used says that a declared form of data is part of an answer.
	used bool
	// bulk says that it is from a bundle, which is full of libraries.
	bulk  bool
	links map[string]int
}

type function struct {
	// in is the function around it, depth how many there are.
	in     int
	depth  int
	params []int
	names  []string
	result int
	calls  []int
	// requests are those that it makes, also through others.
	requests []int
	state    int
}

type call struct {
	callee, result int
	args           []int
	names          []string
	in             int
	model, done    bool
}

type request struct {
	result int
	url    []ir.FlowPart
	// call is the call that it is a request only without, counted from 1.
	call int
	// copied says that callers have their own copy.
	copied bool
	// by is the node that has the method, if the method is not known.
	method string
	by     int
}

// newGraph puts the graphs of all files into one.
func newGraph(files []*ir.File) *graph {
	g := &graph{nodes: make([]node, 1), funcs: make([]function, 1)}
	total := 0
	for _, f := range files {
		if f.Flow != nil {
			total += len(f.Flow.Nodes)
		}
	}
	g.nodes = slices.Grow(g.nodes, min(2*total, maxNodes)) // with room for copies
	for _, f := range files {
		if f.Flow != nil && len(g.nodes)+len(f.Flow.Nodes) <= maxNodes/2 {
			g.add(f)
		}
	}
	g.first = len(g.nodes)
	return g
}

func (g *graph) add(f *ir.File) {
	flow := f.Flow
	nodes, funcs, calls := len(g.nodes)-1, len(g.funcs), len(g.calls)
	at := func(i int) int {
		if i == 0 {
			return 0
		}
		return nodes + i
	}
	all := func(list []int) []int {
		out := make([]int, len(list))
		for i, n := range list {
			out[i] = at(n)
		}
		return out
	}
	parts := func(list []ir.FlowPart) []ir.FlowPart {
		out := slices.Clone(list)
		for i := range out {
			out[i].Node = at(out[i].Node)
		}
		return out
	}
	tests := func(list []ir.FlowTest) []ir.FlowTest {
		out := slices.Clone(list)
		for i := range out {
			out[i].Node = at(out[i].Node)
		}
		return out
	}
	owner := func(i int) int {
		if i == 0 {
			return 0
		}
		return funcs + i
	}
	for i := range flow.Nodes[1:] {
		n := &flow.Nodes[i+1]
		g.nodes = append(g.nodes, node{
			parent: len(g.nodes), uses: n.Uses, owner: owner(n.Owner), fn: owner(n.Func), accepted: n.Accepted,
			tests: tests(n.Tests), words: n.Words, text: parts(n.Text), otherwise: parts(n.Else), name: n.Name, bulk: f.Shape.Bytes > maxPlain,
		})
	}
	for _, fn := range flow.Funcs {
		in := owner(fn.In)
		g.funcs = append(g.funcs, function{in: in, depth: g.funcs[in].depth + 1, params: all(fn.Params), names: fn.Names, result: at(fn.Result)})
	}
	for i, c := range flow.Calls {
		in := funcs + c.In
		g.funcs[in].calls = append(g.funcs[in].calls, calls+i)
		g.calls = append(g.calls, call{callee: at(c.Callee), result: at(c.Result), args: all(c.Args), names: c.Names, in: in, model: c.Model})
	}
	for _, r := range flow.Requests {
		in, of := funcs+r.In, r.Call
		if of != 0 {
			of += calls
		}
		g.funcs[in].requests = append(g.funcs[in].requests, len(g.requests))
		g.requests = append(g.requests, request{result: at(r.Result), url: parts(r.URL), call: of, method: r.Method, by: at(r.By)})
	}
	for _, l := range flow.Links {
		g.link(at(l.From), l.Name, at(l.To))
	}
	for _, s := range flow.Same {
		g.unify(at(s[0]), at(s[1]))
	}
	g.addNames(f, at)
}

// addNames adds what a file exports and imports. at returns the node that one of the
// file has here.
func (g *graph) addNames(f *ir.File, at func(int) int) {
	e := &exports{path: f.Path, python: f.Language == ir.Python, names: map[string]int{}}
	for name, n := range f.Flow.Exports {
		e.names[name] = at(n)
	}
	g.files = append(g.files, e)
	for _, m := range f.Flow.Imports {
		g.imports = append(g.imports, imported{from: e, module: m.Module, name: m.Name, node: at(m.Node)})
	}
}

// find returns the node that stands for a node.
func (g *graph) find(n int) int {
	for g.nodes[n].parent != n {
		g.nodes[n].parent = g.nodes[g.nodes[n].parent].parent
		n = g.nodes[n].parent
	}
	return n
}

// get returns a part of a node, 0 if it has none.
func (g *graph) get(n int, name string) int {
	if n == 0 {
		return 0
	}
	if to := g.nodes[g.find(n)].links[name]; to != 0 {
		return g.find(to)
	}
	return 0
}

func (g *graph) link(from int, name string, to int) {
	at := &g.nodes[g.find(from)]
	if at.links == nil {
		at.links = map[string]int{}
	}
	if old := at.links[name]; old != 0 {
		g.unify(old, to)
		return
	}
	at.links[name] = to
}

// member returns a part of a node, which it makes if need be.
func (g *graph) member(n int, name string) int {
	if to := g.get(n, name); to != 0 || n == 0 || len(g.nodes) >= maxNodes {
		return to
	}
	g.nodes = append(g.nodes, node{parent: len(g.nodes), owner: g.nodes[g.find(n)].owner})
	to := len(g.nodes) - 1
	g.link(n, name, to)
	return to
}
