package shape

import (
	"slices"
	"strings"
)

// The bounds of what is tried.
// no gap: bounds our own made-up answers
const (
	maxStarts   = 60
	maxLookInto = 3 // levels
)

// learnName puts a member of which only the name is known where the source has it:
// with all of the object that has it. If the source does not have it, it is put at
// the top, into data, and into the elements of lists, and then everywhere.
func (e *Expectations) learnName(w *lesson) bool {
	id := w.id()
	at := e.tried[id]
	e.try(id)
	if at == 0 && e.learnHolders(w) {
		return true
	}
	changed := false
	for i := range e.asked {
		x := &e.asked[i]
		for _, start := range x.starts() {
			usual := len(start) == 0 || len(start) == 1 && start[0] == "data" || isIndex(start[len(start)-1])
			path := append(slices.Clone(start), w.path...)
			if (usual || at > 0) && !w.isMet(valueAt(x.value, path)) {
				e.place(x.key, path, w)
				changed = true
			}
		}
	}
	return changed
}

// learnHolders looks for objects with that member in the shapes of the source.
func (e *Expectations) learnHolders(w *lesson) bool {
	changed := false
	for s := range e.sourced {
		e.sourced[s].node.walk(nil, func(path []string, n *node) {
			if n.members[w.path[0]] != nil {
				changed = e.graft(path, n) || changed
			}
		})
	}
	if changed {
		e.teach(w.path...)
	}
	return changed
}

// graft adds a part of the source's shapes to the answers that lack it.
func (e *Expectations) graft(path []string, part *node) bool {
	changed := false
	for i := range e.asked {
		x := &e.asked[i]
		v, there := valueAt(x.value, path)
		if there && has(part, v) {
			continue
		}
		e.place(x.key, path, &lesson{kind: part.kind})
		left := maxNodes
		e.known[x.key].at(path).merge(part, len(path), &left)
		changed = true
	}
	return changed
}

// has says whether a value is of the kind that a node has, with all its members.
func has(n *node, value any) bool {
	if n.kind != "" && !fits(n.kind, value) {
		return false
	}
	m, _ := value.(map[string]any)
	for name := range n.members {
		if _, there := m[name]; !there {
			return false
		}
	}
	return true
}

// guess is an array that was tried.
type guess struct {
	made   bool
	key    key
	path   []string
	before *node // what was known of that answer
	tried  map[string]bool
}

// learnArray makes something an array: what the source uses as one; else one
// member after another.
func (e *Expectations) learnArray() bool {
	if e.tried["array"] == 0 {
		e.try("array")
		changed := false
		for s := range e.sourced {
			e.sourced[s].node.walk(nil, func(path []string, n *node) {
				if n.kind == array {
					changed = e.graft(path, n) || changed
				}
			})
		}
		if changed {
			return true
		}
	}
	return e.guessArray()
}

// guessArray takes back the last guess and makes the next.
func (e *Expectations) guessArray() bool {
	g := &e.guess
	if g.tried == nil {
		g.tried = map[string]bool{}
	}
	undone := g.made
	if g.made {
		e.known[g.key], g.made = g.before, false
	}
	for i := range e.asked {
		x := &e.asked[i]
		for _, path := range x.scalarsAndObjects() {
			id := strings.Join(append([]string{x.key.method, x.key.host, x.key.path}, path...), "\x00")
			if g.tried[id] || len(g.tried) >= maxLessons {
				continue
			}
			g.tried[id] = true
			g.made, g.key, g.path, g.before = true, x.key, path, e.known[x.key].clone()
			e.place(x.key, path, &lesson{kind: array})
			return true
		}
	}
	return undone
}

func (n *node) clone() *node {
	if n == nil {
		return nil
	}
	c, left := &node{}, maxNodes
	c.merge(n, 0, &left)
	return c
}

// starts are the places where a path may begin: the top, data, other objects, and
// the elements of lists.
func (x *exchange) starts() [][]string {
	all := [][]string{nil}
	var rest [][]string
	visit(x.value, nil, func(path []string, v any) {
		if _, ok := v.(map[string]any); !ok || len(path) == 0 {
			return
		}
		if len(path) == 1 && path[0] == "data" {
			all = append(all, path)
			return
		}
		rest = append(rest, path)
	})
	slices.SortStableFunc(rest, func(a, b []string) int { return len(a) - len(b) })
	all = append(all, rest...)
	return all[:min(len(all), maxStarts)]
}

// scalarsAndObjects are the places of what could be an array: the top, then
// objects, then texts.
func (x *exchange) scalarsAndObjects() [][]string {
	var objects, texts [][]string
	visit(x.value, nil, func(path []string, v any) {
		switch v.(type) {
		case map[string]any:
			objects = append(objects, path)
		case string:
			texts = append(texts, path)
		}
	})
	all := append(objects, texts...)
	return all[:min(len(all), maxStarts)]
}
