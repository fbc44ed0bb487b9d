package schema

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// folded is a text of the input that holds a JSON document. While wishes are granted,
// the document stands in its place.
type folded struct {
	path []string
	text string
	// node is the schema of the text, nil if there is none.
	node map[string]any
	// made is set if the text was none before.
	made bool
}

// documents are the texts of an input whose documents are open.
type documents struct {
	*mender

	list []folded
}

// unfold opens the texts of the input that hold a JSON document, or one in YAML: what reads
// YAML reads JSON, too.
func (m *documents) unfold() {
	for _, l := range leaves(m.args) {
		text, _ := l.value.(string)
		value, ok := documentIn(text)
		if s := m.spot(l.path); ok && m.holdsText(s) {
			m.open(l.path, text, value)
		}
	}
}

// holdsText reports whether a place holds a text, and not a value of any type.
func (m *documents) holdsText(s *spot) bool {
	typ := slices.DeleteFunc(slices.Clone(types(s.place.schema["type"])), func(t any) bool { return t == "null" })
	return slices.Equal(typ, []any{"string"}) || s.place.schema[contentType] == jsonContent
}

// open puts a document in the place of the text that holds it, in the input and in the
// schema.
func (m *documents) open(path []string, text string, value any) bool {
	if slices.ContainsFunc(path, func(part string) bool { _, err := index(part, maxElements); return err == nil }) {
		return false
	}
	raw, err := Put(m.in.JSON, pointerTo(path), value)
	if err != nil {
		return false
	}
	node := map[string]any{}
	s := m.spot(path)
	if content, ok := s.place.schema[contentSchema].(map[string]any); ok {
		node = maps.Clone(content)
	}
	if s.place.about != "" {
		node["description"] = s.place.about
	}
	if node["type"] == nil {
		node["type"] = typeOf(value)
	}
	old, ok := m.swap(path, node)
	if !ok {
		return false
	}
	m.list = append(m.list, folded{path: path, text: text, node: old})
	m.in.JSON = raw
	m.read()
	return true
}

// opened returns the document that is open at a path.
func (m *documents) opened(path []string) bool {
	return slices.ContainsFunc(m.list, func(f folded) bool { return slices.Equal(f.path, path) })
}

// inText reports whether a place is in an open document. What a program failed to read
// there, it may have failed to read elsewhere.
func (m *documents) inText(path []string) bool {
	return slices.ContainsFunc(m.list, func(f folded) bool { return len(path) > len(f.path) && slices.Equal(f.path, path[:len(f.path)]) })
}

// swap replaces the schema of a place and returns the one before; nil removes it. It
// returns false if the place is not among the properties of the schema.
func (m *documents) swap(path []string, with map[string]any) (old map[string]any, ok bool) {
	node := m.root
	for i, part := range path {
		inner := maps.Clone(properties(node))
		old, _ = inner[part].(map[string]any)
		switch {
		case i+1 < len(path) && old == nil:
			return nil, false
		case i+1 < len(path):
			inner[part] = maps.Clone(old)
		case with == nil:
			delete(inner, part)
		default:
			inner[part] = with
		}
		node["properties"] = inner
		node, _ = inner[part].(map[string]any)
	}
	return old, len(path) > 0
}

// fold writes the open documents as texts again. A text belongs to whoever made any
// part of it.
func (m *documents) fold() {
	for _, f := range slices.Backward(m.list) {
		value, there := find(m.args, f.path)
		if !there {
			continue // it was taken out
		}
		node, ok := m.swap(f.path, f.node)
		if !ok {
			continue
		}
		if _, is := value.(string); is {
			continue // the document was replaced by a text
		}
		if members, is := value.(map[string]any); is && len(members) == 0 && f.made {
			value = map[string]any{"name": "example"} // nothing says what is in it
		}
		raw, err := encode(value)
		if before, _ := documentIn(f.text); err != nil || sameText(before, value) {
			raw = nil
		}
		text := f.text
		if raw != nil {
			text = string(raw)
			m.close(f, node)
		}
		pointer := pointerTo(f.path)
		if out, err := Put(m.in.JSON, pointer, text); err == nil {
			m.in = Input{out, whole(m.in.Server, pointer)}
			m.read()
		}
		m.fixed = collapsed(m.fixed, pointer)
	}
}

// close remembers in the schema of a text what is known of its document.
func (m *documents) close(f folded, content map[string]any) {
	node := maps.Clone(f.node)
	if node == nil {
		node = map[string]any{}
	}
	content = maps.Clone(content)
	delete(content, "description")
	node["type"], node[contentType], node[contentSchema] = "string", jsonContent, content
	for _, word := range []string{"format", "default", "examples", "example", "pattern", "maxLength"} {
		delete(node, word)
	}
	m.swap(f.path, node)
	m.grown = true
}

// whole says of all values inside a text that they are the text's.
func whole(values mcpsf.ServerValues, pointer string) mcpsf.ServerValues {
	if inside := values.Inside(pointer); len(inside) > 0 {
		return append(values.Without(pointer), mcpsf.ServerValue{Pointer: pointer, From: inside[0].From})
	}
	return values
}

// collapsed returns pointers in which those inside a text are the text's.
func collapsed(pointers []string, text string) []string {
	var out []string
	for _, p := range pointers {
		if strings.HasPrefix(p, text+"/") {
			p = text
		}
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// within finds the member that a wish is about in the only open document: one that is
// there or that its schema names, or one that is missing and nowhere else.
func (m *documents) within(w *mcpsf.Wish) ([]string, bool) {
	if len(m.list) != 1 || !memberName.MatchString(w.Path[0]) {
		return nil, false
	}
	at := append(m.first(), w.Path...)
	_, there := find(m.args, at)
	known := properties(m.generator().flatten(m.spot(m.list[0].path).place.schema, 0))[w.Path[0]] != nil
	switch {
	case w.Kind == mcpsf.WishMissing:
		_, named := alike(sortedKeys(m.args), w.Path[0])
		return at, !there && (known || !named || m.has(w))
	case w.Loose:
		return nil, false
	case there || known:
		return at, true
	}
	document, _ := find(m.args, m.list[0].path)
	if deeper, ok := memberAt(document, w.Path[0], 0); ok {
		return slices.Concat(m.list[0].path, deeper, w.Path[1:]), true
	}
	_, object := document.(map[string]any)
	return at, object && isExample(w) && len(m.args) == 1 && len(w.Path) == 1 // nothing else can be meant
}

// first returns the path of the only open document, of a list of objects that of its first
// one.
func (m *documents) first() []string {
	at := slices.Clone(m.list[0].path)
	document, _ := find(m.args, at)
	if list, ok := document.([]any); ok && len(list) > 0 {
		if _, object := list[0].(map[string]any); object {
			return append(at, "0")
		}
	}
	return at
}

// maxMember is how deep a member is looked for in a document.
// no gap: it is then mended by another wish, or not at all
const maxMember = 4

// memberAt finds a member by its name below the top of a document. Of a list only the
// first element counts.
func memberAt(node any, name string, depth int) ([]string, bool) {
	if depth > maxMember {
		return nil, false
	}
	switch v := node.(type) {
	case []any:
		if len(v) > 0 {
			at, ok := memberAt(v[0], name, depth+1)
			return append([]string{"0"}, at...), ok
		}
	case map[string]any:
		if _, there := v[name]; there && depth > 0 {
			return []string{name}, true
		}
		for _, inner := range sortedKeys(v) {
			if at, ok := memberAt(v[inner], name, depth+1); ok {
				return append([]string{inner}, at...), true
			}
		}
	}
	return nil, false
}
