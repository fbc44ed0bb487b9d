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
		for _, start := range x.starts() {
			usual := len(start) == 0 || len(start) == 1 && start[0] == "data" || isIndex(start[len(start)-1])
			path := append(slices.Clone(start), w.path...)
			if (usual || again) && !w.isMet(valueAt(x.value, path)) {
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

// learnArray makes something an array: what the source uses as one; else one
// member after another.
func (e *Expectations) learnArray(w *lesson) bool {
	changed := false
	for s := range e.sourced {
		e.sourced[s].node.walk(nil, func(path []string, n *node) {
			if n.kind == array && len(path) < maxPath {
				changed = e.graft(path, n) || changed
			}
		})
	}
	return changed || e.guessArray(w)
}

// guess is what is tried as an array in one answer.
type guess struct {
	tries [][][]string // places that are tried together
	next  int
	// made is set while a place is tried, and before is what was known until then.
	made   bool
	before *node
}

// guessArray takes back the last guess about these answers and makes the next.
func (e *Expectations) guessArray(w *lesson) bool {
	undone := false
	for i := range e.asked {
		x := &e.asked[i]
		g := e.guess(x, w)
		if g == nil {
			continue
		}
		if g.made {
			e.known[x.key], g.made, undone = g.before, false, true
		}
		if g.next < len(g.tries) {
			g.before, g.made = e.known[x.key].clone(), true
			g.next++
			for _, path := range g.tries[g.next-1] {
				undone = e.place(x.key, path, &lesson{kind: array}) || undone
			}
			return undone
		}
	}
	return undone
}

// guess returns the guesses about an answer; nil if there are too many.
func (e *Expectations) guess(x *exchange, w *lesson) *guess {
	if g := e.guesses[x.key]; g != nil || len(e.guesses) >= maxLessons {
		return g
	}
	if e.guesses == nil {
		e.guesses = map[key]*guess{}
	}
	g := &guess{}
	if names := x.listNames(); w.missing && len(names) > 0 {
		g.tries = append(g.tries, names)
	}
	for _, place := range x.scalarsAndObjects() {
		g.tries = append(g.tries, [][]string{place})
	}
	e.guesses[x.key] = g
	return g
}

// listNames are the places at the top of an answer where most services have a list,
// as far as nothing is there.
func (x *exchange) listNames() [][]string {
	top, ok := x.value.(map[string]any)
	var out [][]string
	for _, name := range []string{"results", "items", "data", "records", "values", "entries"} {
		if _, there := top[name]; ok && !there {
			out = append(out, []string{name})
		}
	}
	return out
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
	all = append(all, rest...)
	return all[:min(len(all), maxStarts)]
}

// scalarsAndObjects are the places of what could be an array: the top, then
// objects, then texts.
func (x *exchange) scalarsAndObjects() [][]string {
	var objects, texts [][]string
	visit(x.value, func(path []string, v any) {
		switch v.(type) {
		case map[string]any:
			objects = append(objects, path)
		case string:
			texts = append(texts, path)
		}
	})
	all := slices.Concat(objects, texts)
	return all[:min(len(all), maxStarts)]
}
