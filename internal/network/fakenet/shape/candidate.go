package shape

import "slices"

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
	if e.learnHolders(w) {
		return true
	}
	changed := false
	for i := range e.asked {
		x := &e.asked[i]
		id := w.id(x.key)
		again := e.tried[id] > 0
		e.try(id)
		for _, start := range x.starts(w.path) {
			path := append(slices.Clone(start), w.path...)
			if (x.isUsual(start) || again) && !w.isMet(valueAt(x.value, path)) {
				changed = e.place(x.key, path, w) || changed
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
		if !e.place(x.key, path, &lesson{kind: part.kind}) {
			continue
		}
		left := maxNodes
		e.root(x.key).at(path).merge(part, len(path), &left)
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

// learnArray makes something an array: what the source uses as one; else one
// member after another.
func (e *Expectations) learnArray(w *lesson) bool {
	changed := false
	for s := range e.sourced {
		e.sourced[s].node.walk(nil, func(path []string, n *node) {
			if n.kind == array && len(path) < maxPath && (len(path) > 0 || !w.missing) { // an answer is never missing as a whole
				changed = e.graft(path, n) || changed
			}
		})
	}
	return changed || e.guessArray(w)
}

// starts are the places where a path may begin: the top, data, other objects, and
// the elements of lists. A list has no members, so a name is looked for in its
// elements, and what begins with an index in the lists of an object.
func (x *exchange) starts(to []string) [][]string {
	all := [][]string{nil}
	_, list := x.value.([]any)
	switch {
	case len(to) == 0:
	case isIndex(to[0]) && !list:
		if lists := x.lists(); len(lists) > 0 {
			return lists
		}
	case !isIndex(to[0]) && list:
		all = nil
	}
	var rest [][]string
	visit(x.value, func(path []string, v any) {
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
	all = append(all, rest[:min(len(rest), maxStarts-2)]...)
	if len(to) > 0 && !isIndex(to[0]) && list {
		all = append(all, nil) // at last an object in the place of the list
	}
	return all
}

// learnTop makes an answer that is a list into an object with a member, if the text says
// that the answer has to have it.
func (e *Expectations) learnTop(w *lesson) bool {
	changed := false
	for i := range e.asked {
		if x := &e.asked[i]; fits(array, x.value) && !isIndex(w.path[0]) {
			changed = e.place(x.key, w.path, w) || changed
		}
	}
	return changed
}

// lists are the places of the lists, the least deep ones first.
func (x *exchange) lists() [][]string {
	var all [][]string
	visit(x.value, func(path []string, v any) {
		if _, list := v.([]any); list {
			all = append(all, path)
		}
	})
	slices.SortStableFunc(all, func(a, b []string) int { return len(a) - len(b) })
	return all[:min(len(all), maxStarts)]
}

// isUsual says whether what is told of a member is mostly told of a place: the top, data,
// an element of a list, or a list.
func (x *exchange) isUsual(start []string) bool {
	if len(start) == 0 {
		return !fits(array, x.value)
	}
	return len(start) == 1 && start[0] == "data" || isIndex(start[len(start)-1])
}
