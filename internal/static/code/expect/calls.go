package expect

import (
	"slices"
	"strconv"

	"github.com/mcpsf/mcpsf/internal/static/code/flow"
)

// The states of a function.
const (
	untouched = iota
	busy
	done
)

// follow joins the calls with the functions that they call. What is called can
// be known only after other calls were joined, so it is done twice.
func (g *graph) follow() {
	for range 2 {
		for f := range g.funcs {
			g.funcs[f].state = untouched
		}
		for f := range g.funcs {
			g.complete(f, 0)
		}
	}
	for i := range g.calls {
		if c := &g.calls[i]; !c.done {
			g.open(c, false)
		}
	}
	g.passed()
}

// passed joins the functions that are passed to others with how they are called
// there.
func (g *graph) passed() {
	for n := 1; n < len(g.nodes) && n < maxNodes-1; n++ {
		at := &g.nodes[n]
		if at.parent != n || at.fn == 0 || at.links[flow.Result] == 0 {
			continue
		}
		c := &call{callee: n, result: at.links[flow.Result]}
		for i := range 4 {
			c.args = append(c.args, at.links[flow.Param+strconv.Itoa(i)])
		}
		g.instantiate(c, at.fn, 0)
	}
}

// complete joins the calls in a function, after those in the functions that it
// calls.
func (g *graph) complete(f, depth int) {
	if g.funcs[f].state != untouched || depth > maxCalls {
		return
	}
	g.funcs[f].state = busy
	for _, i := range g.funcs[f].calls {
		c := &g.calls[i]
		if c.done {
			continue
		}
		callee := c.callee
		if c.model {
			g.validate(c, f)
			continue
		}
		if instance := g.get(callee, flow.Instance); instance != 0 && g.nodes[g.find(callee)].fn == 0 {
			g.unify(c.result, instance)
			c.done = true
			if callee = g.get(instance, "constructor"); callee == 0 {
				callee = g.get(instance, "__init__")
			}
			c = &call{callee: callee, args: c.args, names: c.names}
		}
		to := g.nodes[g.find(callee)].fn
		if to == 0 {
			if callee != 0 && g.nodes[g.find(callee)].owner == f {
				g.open(c, true) // a parameter: each caller passes another function
			}
			continue
		}
		g.complete(to, depth+1)
		c.done = true
		g.instantiate(c, to, f)
	}
	g.funcs[f].state = done
}

// validate gives data the form that is declared for it.
func (g *graph) validate(c *call, f int) {
	model := g.get(c.callee, flow.Schema)
	if model == 0 {
		return
	}
	if g.nodes[model].owner == 0 {
		g.nodes[model].used = true
		g.copying = map[int]int{}
		model = g.copyOf(model, 0, g.owner(f), 0)
	}
	g.unify(model, c.args[0])
	g.unify(c.result, model)
	c.done = true
}

// instantiate joins a call with its own copy of the called function.
func (g *graph) instantiate(c *call, to, in int) {
	owner := g.owner(in)
	fn := &g.funcs[to]
	if fn.state == busy { // it calls itself
		g.bind(c, fn, func(n int) int { return n })
		return
	}
	if g.inert(fn) {
		return
	}
	g.copying = map[int]int{}
	result := g.copyOf(fn.result, to, owner, 0)
	for _, p := range fn.params {
		g.copyOf(p, to, owner, 0)
	}
	for _, i := range slices.Clone(fn.requests) {
		g.copyRequest(i, to, in)
	}
	copied := g.copying
	g.unify(c.result, result)
	g.bind(c, fn, func(n int) int {
		if id, ok := copied[g.find(n)]; ok {
			return id
		}
		return n
	})
}

// inert reports whether a function says nothing about what it gets and returns.
func (g *graph) inert(fn *function) bool {
	if len(fn.requests) > 0 {
		return false
	}
	result := g.find(fn.result)
	if !g.nodes[result].empty() {
		return false
	}
	for _, p := range fn.params {
		if p = g.find(p); p == result && p != 0 || !g.nodes[p].empty() {
			return false
		}
	}
	return true
}

func (n *node) empty() bool {
	return n.uses == 0 && n.fn == 0 && n.owner != 0 && len(n.links) == 0 && len(n.accepted) == 0 && len(n.tests) == 0 && len(n.words) == 0 && len(n.text) == 0 && len(n.otherwise) == 0
}

// owner is what nodes of a function belong to; those of a file to nothing.
func (g *graph) owner(f int) int {
	if g.funcs[f].result == 0 && len(g.funcs[f].params) == 0 {
		return 0
	}
	return f
}

// bind passes the arguments.
func (g *graph) bind(c *call, fn *function, copied func(int) int) {
	params, names := fn.params, fn.names
	plain := len(c.args) - len(c.names)
	for i, a := range c.args {
		at := i
		if i >= plain {
			at = slices.Index(names, c.names[i-plain])
		}
		if at >= 0 && at < len(params) && a != 0 {
			g.unify(copied(params[at]), a)
		}
	}
}

// open joins a call of a value that is no function of the package, but perhaps
// a callback.
func (g *graph) open(c *call, create bool) {
	part := g.get
	if create {
		part = g.member
	}
	result := part(c.callee, flow.Result)
	if result == 0 {
		return
	}
	g.unify(c.result, result)
	for i, a := range c.args[:min(len(c.args), 4)] {
		if p := part(c.callee, flow.Param+strconv.Itoa(i)); p != 0 {
			g.unify(p, a)
		}
	}
}
