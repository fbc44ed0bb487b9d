package expect

import (
	"maps"
	"slices"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// unify makes one node of two, and of their parts with the same name.
func (g *graph) unify(a, b int) {
	for pending := [][2]int{{a, b}}; len(pending) > 0; {
		a, b = g.find(pending[len(pending)-1][0]), g.find(pending[len(pending)-1][1])
		pending = pending[:len(pending)-1]
		if a == b || a == 0 || b == 0 {
			continue
		}
		if len(g.nodes[a].links) < len(g.nodes[b].links) || len(g.nodes[a].links) == len(g.nodes[b].links) && b < a {
			a, b = b, a
		}
		owner := g.outer(g.nodes[a].owner, g.nodes[b].owner)
		g.lower(a, owner)
		g.lower(b, owner)
		into, from := &g.nodes[a], &g.nodes[b]
		from.parent = a
		into.merge(from)
		for _, name := range slices.Sorted(maps.Keys(from.links)) {
			to := from.links[name]
			if old := into.links[name]; old != 0 {
				pending = append(pending, [2]int{old, to})
				continue
			}
			if into.links == nil {
				into.links = map[string]int{}
			}
			into.links[name] = to
		}
		from.links = nil
	}
}

// merge adds what is known of another node.
func (n *node) merge(o *node) {
	n.uses |= o.uses
	n.used = n.used || o.used
	if n.fn == 0 {
		n.fn = o.fn
	}
	if n.name == "" {
		n.name = o.name
	}
	for _, w := range o.accepted {
		if len(n.accepted) < maxAccepted && !slices.Contains(n.accepted, w) {
			n.accepted = append(slices.Clip(n.accepted), w)
		}
	}
	for _, t := range o.tests {
		if len(n.tests) < maxTests && !slices.Contains(n.tests, t) {
			n.tests = append(slices.Clip(n.tests), t)
		}
	}
	if n.words == nil {
		n.words = o.words
	}
	switch {
	case len(n.text) == 0:
		n.text = o.text
	case len(o.text) > 0 && !slices.Equal(n.text, o.text):
		n.ambiguous = true
	}
	n.ambiguous = n.ambiguous || o.ambiguous
	if len(n.otherwise) == 0 {
		n.otherwise = o.otherwise
	}
}

// outer returns the innermost function around both, 0 if there is none.
func (g *graph) outer(a, b int) int {
	for a != b {
		if g.funcs[a].depth < g.funcs[b].depth {
			a, b = b, a
		}
		a = g.funcs[a].in
	}
	return a
}

// lower gives a node to a function further out, with all of its parts.
func (g *graph) lower(n, owner int) {
	for pending := []int{n}; len(pending) > 0; {
		n = g.find(pending[len(pending)-1])
		pending = pending[:len(pending)-1]
		to := g.outer(g.nodes[n].owner, owner)
		if to == g.nodes[n].owner {
			continue
		}
		g.nodes[n].owner = to
		for _, k := range g.nodes[n].links {
			pending = append(pending, k)
		}
	}
}

// copyOf copies a node and its parts, as far as they belong to a function. A
// declared form of data is copied for each use.
func (g *graph) copyOf(n, owner, to, depth int) int {
	n = g.find(n)
	if n == 0 || g.nodes[n].owner != owner || depth > maxCopied || g.nodes[n].fn != 0 && owner == 0 {
		return n
	}
	if done, ok := g.copying[n]; ok {
		return done
	}
	if len(g.nodes) >= maxNodes {
		return n
	}
	id := len(g.nodes)
	g.copying[n] = id
	old := g.nodes[n]
	g.nodes = append(g.nodes, node{
		parent: id, uses: old.uses &^ ir.UseModel, owner: to, fn: old.fn, accepted: old.accepted, words: old.words, text: old.text,
		otherwise: old.otherwise, ambiguous: old.ambiguous, name: old.name,
	})
	g.nodes[id].text = g.copyText(old.text, owner, to, depth+1)
	g.nodes[id].otherwise = g.copyText(old.otherwise, owner, to, depth+1)
	tests := slices.Clone(old.tests)
	for i := range tests {
		tests[i].Node = g.copyOf(tests[i].Node, owner, to, depth+1)
	}
	g.nodes[id].tests = tests
	if len(old.links) > 0 {
		links := make(map[string]int, len(old.links))
		for _, name := range slices.Sorted(maps.Keys(old.links)) {
			links[name] = g.copyOf(old.links[name], owner, to, depth+1)
		}
		g.nodes[id].links = links
	}
	return id
}

func (g *graph) copyText(text []ir.FlowPart, owner, to, depth int) []ir.FlowPart {
	out := slices.Clone(text)
	for i := range out {
		if out[i].Node != 0 {
			out[i].Node = g.copyOf(out[i].Node, owner, to, depth)
		}
	}
	return out
}
