package expect

import (
	"maps"
	"slices"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// copyRequest gives a caller its own copy of a request whose address or answer
// depends on the call.
func (g *graph) copyRequest(i, to, in int) {
	r := g.requests[i]
	if len(g.requests) >= maxRequests {
		return
	}
	left := maxSteps
	open := g.nodes[g.find(r.result)].owner == to && g.touches(r.result, &left)
	open = open || r.by != 0 && r.method == "" && g.dependsOn(r.by, to, &left)
	for _, p := range r.url {
		open = open || p.Node != 0 && g.dependsOn(p.Node, to, &left)
	}
	if !open {
		return
	}
	g.requests[i].copied = true
	owner := g.owner(in)
	r.by = g.copyOf(r.by, to, owner, 0)
	r.result, r.url, r.copied = g.copyOf(r.result, to, owner, 0), g.copyText(r.url, to, owner, 0), false
	g.requests = append(g.requests, r)
	if f := &g.funcs[in]; len(f.requests) < maxRequests/8 {
		f.requests = append(f.requests, len(g.requests)-1)
	}
}

// touches reports whether a part of an answer is copied with the call: the
// result of the function, or a parameter.
func (g *graph) touches(n int, left *int) bool {
	n = g.find(n)
	if *left--; *left < 0 {
		return false
	}
	if _, ok := g.copying[n]; ok {
		return true
	}
	for _, name := range slices.Sorted(maps.Keys(g.nodes[n].links)) {
		if g.touches(g.nodes[n].links[name], left) {
			return true
		}
	}
	return false
}

// dependsOn reports whether a text has a part that belongs to a function.
func (g *graph) dependsOn(n, fn int, left *int) bool {
	at := &g.nodes[g.find(n)]
	if *left--; *left < 0 {
		return false
	}
	if at.owner == fn && len(at.text) == 0 {
		return true
	}
	for _, p := range at.text {
		if p.Node != 0 && g.dependsOn(p.Node, fn, left) {
			return true
		}
	}
	return false
}

// text returns the text of a node with holes for what is not known.
func (g *graph) text(parts []ir.FlowPart, depth int) string {
	if depth > maxDepth {
		return ir.Hole
	}
	out := ""
	for _, p := range parts {
		if len(out) > 600 {
			break
		}
		if p.Node == 0 {
			if p.Text == "" {
				out += ir.Hole
			}
			out += p.Text
			continue
		}
		switch n := &g.nodes[g.find(p.Node)]; {
		case len(n.text) > 0 && !n.ambiguous:
			out += g.text(n.text, depth+1)
		case len(n.text) == 0 && len(n.otherwise) > 0:
			out += g.text(n.otherwise, depth+1)
		default:
			out += ir.Hole
		}
	}
	return out
}
