package schema

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// maxInner is how deep below an argument a member is looked for that a text only names.
// gap: tools-failed
const maxInner = 3

// inner finds the one member with a name below the arguments: servers call it without
// the path. The least deep ones count.
func (m *mender) inner(known, path []string) ([]string, bool) {
	var found [][]string
	for _, name := range known {
		found = append(found, membersBelow(m, properties(m.root)[name], m.args[name], []string{name}, path, 1)...)
	}
	slices.SortStableFunc(found, func(a, b []string) int { return cmp.Compare(len(a), len(b)) })
	if len(found) == 0 || len(found) > 1 && len(found[0]) == len(found[1]) {
		return nil, false
	}
	return found[0], true
}

// membersBelow lists the members with a name below a value, which may not be there yet.
func membersBelow(m *mender, node, value any, at, path []string, level int) [][]string {
	flat := flatFor(m, node, value)
	if elements, ok := value.([]any); ok && len(elements) > 0 {
		value, flat, at = elements[0], flatFor(m, flat["items"], elements[0]), append(slices.Clone(at), "0")
	}
	object, _ := value.(map[string]any)
	if value != nil && object == nil {
		return nil
	}
	if _, there := object[path[0]]; there || properties(flat)[path[0]] != nil {
		return [][]string{slices.Concat(at, path)}
	}
	var found [][]string
	if names := sortedKeys(properties(flat)); level < maxInner {
		for _, name := range names[:min(len(names), maxElements)] {
			found = append(found, membersBelow(m, properties(flat)[name], object[name], append(slices.Clone(at), name), path, level+1)...)
		}
	}
	return found
}

// flatFor is the schema of a value: of several alternatives that of which the value has the
// constant members.
func flatFor(m *mender, node, value any) map[string]any {
	g := m.generator()
	s, _ := node.(map[string]any)
	members, _ := value.(map[string]any)
	for _, key := range []string{"anyOf", "oneOf"} {
		for _, option := range list(s[key]) {
			if tagged(properties(g.flatten(option, 0)), members) {
				s = maps.Clone(s)
				s[key] = []any{option}
				return g.flatten(s, 0)
			}
		}
	}
	return g.flatten(node, 0)
}

// tagged reports whether an object has the constant members of a schema, and it has any.
func tagged(properties, members map[string]any) bool {
	found := false
	for name, p := range properties {
		s, _ := p.(map[string]any)
		want, fixed := s["const"]
		if only := list(s["enum"]); len(only) == 1 {
			want, fixed = only[0], true
		}
		if !fixed {
			continue
		}
		if have, there := members[name]; !there || textOf(have) != textOf(want) {
			return false
		}
		found = true
	}
	return found
}

// absent returns the object above a place that is not there yet, nil if it is. With it
// come its other required members.
func absent(m *mender, s *spot) *spot {
	for n := 1; n < len(s.path); n++ {
		if value, there := find(m.args, s.path[:n]); !there || value == nil {
			return m.spot(s.path[:n])
		}
	}
	return nil
}

// isEmpty reports whether a value is an object or a list with nothing in it.
func isEmpty(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

// putFirst puts a member into an object that a server takes for none because it is empty.
func putFirst(m *mender, s *spot, w *mcpsf.Wish) bool {
	if w.Kind != mcpsf.WishMissing || !isEmpty(s.value) {
		return false
	}
	kind, name := m.generator().meaning(place{name: "name"})
	if kind.Guarded() || kind == meaning.KindUnknown {
		return false
	}
	if _, list := s.value.([]any); list {
		return m.keep(s, m.put(s, []any{name}, false))
	}
	return isOpen(s.place.schema) && m.keep(s, m.put(s, map[string]any{"name": name}, false))
}

// Strange reports whether wishes are about nothing that the tool has: neither its schema
// nor the input names what they miss or want otherwise. Calls may want it all the same,
// where a schema says little.
func Strange(raw json.RawMessage, in Input, wishes []mcpsf.Wish) bool {
	known, given := namesIn(raw), namesIn(in.JSON)
	for i := range wishes {
		w := &wishes[i]
		if w.Kind != mcpsf.WishMissing && w.Kind != mcpsf.WishType && w.Kind != mcpsf.WishOneOf || len(w.Path) == 0 {
			return false
		}
		for _, name := range w.Path {
			has := given[name] || known[name]
			if w.Kind == mcpsf.WishMissing {
				has = known[name] && !given[name] // it cannot miss what was sent
			}
			if _, err := index(name, maxElements); err != nil && has {
				return false
			}
		}
	}
	m := newMaker(raw, meaning.Values{}, 0)
	return len(wishes) > 0 && len(properties(m.generator(task{}, 0).flatten(m.root, 0))) > 0
}

// namesIn returns the names of all members of a document.
func namesIn(raw json.RawMessage) map[string]bool {
	known := map[string]bool{}
	if value, err := decode(raw); err == nil {
		names(value, known)
	}
	return known
}

// names collects the names of all members.
func names(value any, into map[string]bool) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			into[name] = true
			names(inner, into)
		}
	case []any:
		for _, inner := range v {
			names(inner, into)
		}
	}
}
