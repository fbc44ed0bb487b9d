package expect

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/flow"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// writer writes the shapes of nodes.
type writer struct {
	graph *graph
	// seen are the nodes that were written.
	seen map[int]bool
	// members is how many more are written.
	members int
	// around are the nodes that the one that is written is part of.
	around []int
}

// bodies writes the shape of an answer: of everywhere that the body of a
// response can be.
func (w *writer) bodies(response int, sure bool) *mcpsf.Shape {
	g := w.graph
	var out *mcpsf.Shape
	found := false
	for _, way := range [][]string{
		{flow.JSON},
		{flow.Text, flow.Parsed},
		{flow.Parsed},
		{"text", flow.Parsed},
		{"content", flow.Parsed},
		{"data", flow.Parsed},
		{"body", flow.JSON},
		{"body", flow.Parsed},
		{"data"},
		{"body"},
	} {
		n := response
		for _, step := range way {
			n = g.get(n, step)
		}
		found = found || n != 0
		if n != 0 && out == nil { // a text that is parsed beside the JSON is an error
			out = w.top(n)
		}
	}
	if !found && !sure && g.get(response, "text") == 0 && g.get(response, "status_code") == 0 && g.get(response, "headers") == 0 {
		return w.top(response) // the call returns what was read, not a response
	}
	w.visit(response)
	return out
}

// top writes the shape of a body; nil if nothing is known of it.
func (w *writer) top(n int) *mcpsf.Shape {
	s := w.shape(n, "data", 0)
	if s == nil || len(s.Members) == 0 && s.Element == nil && s.Type != "array" {
		return nil
	}
	return s
}

// visit marks a node with its parts as written.
func (w *writer) visit(n int) {
	for pending := []int{n}; len(pending) > 0; {
		n = w.graph.find(pending[len(pending)-1])
		pending = pending[:len(pending)-1]
		if w.seen[n] || n == 0 {
			continue
		}
		w.seen[n] = true
		for _, k := range w.graph.nodes[n].links {
			pending = append(pending, k)
		}
	}
}

// shape writes the shape of a node; nil if it is no data.
func (w *writer) shape(n int, name string, depth int) *mcpsf.Shape {
	n = w.graph.find(n)
	at := &w.graph.nodes[n]
	if n == 0 || at.fn != 0 || at.links[flow.Result] != 0 || w.members <= 0 {
		return nil
	}
	w.seen[n] = true
	if !w.enter(n) {
		return nil
	}
	defer w.leave()
	s := &mcpsf.Shape{}
	if depth+memberCost <= maxCost {
		s.Members = w.membersOf(n, depth)
	}
	w.elements(s, n, name, depth)
	if len(s.Members) == 0 && s.Element == nil && at.uses&ir.UseObject != 0 && at.uses&ir.UseModel == 0 {
		s.Members = w.anyMembers(n, name, depth)
	}
	if s.Element != nil && (at.uses&ir.UseArray != 0 || len(s.Members) == 0) {
		s.Members = nil // what is both is a list: else it would not be gone through
	} else {
		s.Element = nil
	}
	if len(s.Members) == 0 {
		s.Members = nil
	}
	c := w.checksOf(at)
	s.Type = typeOf(at, s, name)
	if s.Type == "" || s.Type == "string" && at.uses&ir.UseString == 0 {
		s.Type = c.typeOf(s.Type)
	}
	if inside := c.inside(); s.Type == "array" && len(inside) > 0 {
		s.Element = merged(s.Element, &mcpsf.Shape{Type: "string", Accepted: inside, Required: true})
	}
	s.Accepted, s.Required = c.values(s.Type)
	if s.Type == "string" && s.Accepted == nil {
		s.Format = c.format
	}
	return s
}

// enter begins to write a node. One that is part of itself is a tree: its first
// level is written; one that is its own member is not what it seems to be.
func (w *writer) enter(n int) bool {
	times := 0
	for _, a := range w.around {
		if a == n {
			times++
		}
	}
	if times > 1 || times == 1 && w.around[len(w.around)-1] == n {
		return false
	}
	w.around = append(w.around, n)
	return true
}

func (w *writer) leave() { w.around = w.around[:len(w.around)-1] }

// membersOf writes the members that the code reads.
func (w *writer) membersOf(n, depth int) map[string]*mcpsf.Shape {
	links := w.graph.nodes[n].links
	out := map[string]*mcpsf.Shape{}
	for _, name := range slices.Sorted(maps.Keys(links)) {
		to := w.graph.find(links[name])
		if w.graph.nodes[to].uses&ir.UseRead == 0 || !member.MatchString(name) || len(name) > maxName || inherited.MatchString(name) {
			continue
		}
		unwanted := w.unwanted(to, name)
		if unwanted == nil && !wanted(name) {
			continue
		}
		if w.members--; w.members < 0 {
			break
		}
		if unwanted != nil {
			out[name] = unwanted
		} else if s := w.shape(to, name, depth+memberCost); s != nil {
			out[name] = s
		}
	}
	return out
}

// anyMembers writes members for code that goes through all there are.
func (w *writer) anyMembers(n int, name string, depth int) map[string]*mcpsf.Shape {
	at := &w.graph.nodes[n]
	value := at.links[flow.Computed]
	if at.uses&ir.UseKeys == 0 || depth+memberCost > maxCost || w.members < 2 {
		return nil
	}
	out := map[string]*mcpsf.Shape{}
	for _, key := range []string{"alpha", "beta"} {
		w.members--
		out[key] = &mcpsf.Shape{}
		if s := w.shape(value, name, depth+memberCost); s != nil {
			out[key] = s
		}
	}
	return out
}

// elements writes the shape of the elements.
func (w *writer) elements(s *mcpsf.Shape, n int, name string, depth int) {
	at := &w.graph.nodes[n]
	if depth >= maxCost {
		return
	}
	for _, part := range slices.Sorted(maps.Keys(at.links)) {
		switch {
		case part == flow.Element, strings.HasPrefix(part, flow.Place):
		case part == flow.Computed && (at.uses&ir.UseArray != 0 || at.uses&ir.UseSized != 0 && at.uses&(ir.UseString|ir.UseObject) == 0):
		default:
			continue
		}
		if e := w.shape(at.links[part], name, depth+1); e != nil {
			s.Element = merged(s.Element, e)
		}
	}
	if e := s.Element; e != nil && e.Type == "" && e.Members == nil && e.Element == nil && e.Accepted == nil {
		s.Element = nil
	}
}

// typeOf decides for a type.
func typeOf(n *node, s *mcpsf.Shape, name string) string {
	u := n.uses
	switch {
	case len(s.Members) > 0:
		return "object"
	case s.Element != nil, u&ir.UseArray != 0:
		return "array"
	case u&ir.UseString != 0:
		return "string"
	case u&ir.UseNumber != 0:
		return "number"
	case u&ir.UseBoolean != 0:
		return "boolean"
	case u&ir.UseObject != 0:
		return "object"
	case u&ir.UseSized != 0 && (strings.HasSuffix(name, "s") || name == "data" || strings.HasSuffix(strings.ToLower(name), "list")):
		return "array"
	case u&(ir.UseSized|ir.UseShown) != 0:
		return "string"
	}
	return ""
}

// accepted are the words that may be sent for a type.
func accepted(words []string, kind string) []string {
	var out []string
	for _, w := range words {
		if harmless(w) && suits(w, kind) && len(out) < maxAccepted {
			out = append(out, w)
		}
	}
	return out
}

// suits reports whether a written value is of a type. The number of an array is
// that of its elements.
func suits(word, kind string) bool {
	switch kind {
	case "string":
		return true
	case "number":
		return numeric(word)
	case "boolean":
		return word == "true" || word == "false"
	case "array":
		n, err := strconv.Atoi(word)
		return err == nil && n >= 0
	}
	return false
}
