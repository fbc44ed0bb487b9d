package schema

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// Mended is what becomes of a refused input.
type Mended struct {
	// Schema is the tool's schema completed by what was demanded: it is often empty
	// or less strict than the server's own check.
	Schema json.RawMessage
	// Input grants the wishes that are about the input.
	Input Input
	// Fixed are the pointers of values that the schema does not explain: another
	// input for it needs the same.
	Fixed []string
	// Changed reports whether the input is another one.
	Changed bool
	// Left are the wishes that another input does not grant: they are about the
	// world, or must not be granted. If nothing changed, these are all.
	Left []mcpsf.Wish
}

// Mend grants the wishes of a refusal that are about the input, as far as a schema
// with the same words would: a value in the text is the server's, and none that
// names a place is used. The same arguments give the same result.
func Mend(raw json.RawMessage, in Input, wishes []mcpsf.Wish, values meaning.Values, seed uint64) Mended {
	out := Mended{Schema: raw, Input: in, Left: wishes}
	mend, ok := newMender(raw, in, values, seed)
	if !ok {
		return out
	}
	for _, w := range documentsFirst(wishes) {
		if w.Type == mcpsf.TypeColumn {
			if !addColumn(mend, &w) {
				mend.left = append(mend.left, w)
			}
			continue
		}
		if at, ok := mend.locate(&w); !ok || !mend.grant(at, w) && !mend.there(at) || ofOthers(&w) || w.Loose && mend.texts.inText(at) {
			mend.left = append(mend.left, w)
		}
	}
	mend.left = slices.DeleteFunc(mend.left, func(w mcpsf.Wish) bool { return (&turns{mend}).take(&w) })
	mend.texts.fold()
	grown, err := encode(mend.root)
	if err != nil {
		return out
	}
	if !mend.grown {
		grown = raw
	}
	if out = (Mended{grown, mend.in, mend.fixed, true, mend.left}); bytes.Equal(mend.in.JSON, in.JSON) {
		out.Changed, out.Left = false, wishes // what the input has already is wanted elsewhere
	}
	return out
}

// newMender returns one for an input, which must be an object.
func newMender(raw json.RawMessage, in Input, values meaning.Values, seed uint64) (*mender, bool) {
	args, err := decode(in.JSON)
	if _, object := args.(map[string]any); err != nil || !object {
		return nil, false
	}
	m := newMaker(raw, values, seed)
	root, ok := m.root.(map[string]any)
	if !ok {
		root = map[string]any{}
	}
	m.root = root
	mend := &mender{maker: m, root: root, in: in}
	mend.read()
	mend.texts = &documents{mender: mend}
	mend.texts.unfold()
	mend.before = mend.args
	return mend, true
}

// ofOthers reports whether a wish is about the calls of other tools.
func ofOthers(w *mcpsf.Wish) bool {
	return w.Kind == mcpsf.WishFirst || w.Kind == mcpsf.WishResult
}

// mender changes one input and the schema that it is for.
type mender struct {
	maker *maker
	root  map[string]any
	in    Input
	args  map[string]any // the input, decoded
	// before is the input that was refused, texts are those of its texts whose
	// documents are open.
	before map[string]any
	texts  *documents

	grown bool
	fixed []string
	left  []mcpsf.Wish
}

// read decodes the input.
func (m *mender) read() {
	value, _ := decode(m.in.JSON)
	m.args, _ = value.(map[string]any)
}

// grant grants a wish, and reports whether that changed the input.
func (m *mender) grant(at []string, w mcpsf.Wish) bool {
	if w.Kind == mcpsf.WishOneMember {
		return m.oneMember(w)
	}
	s := m.spot(at)
	switch w.Kind {
	case mcpsf.WishUnexpected:
		return m.remove(s)
	case mcpsf.WishMissing:
		return (!s.there || s.value == nil) && m.fill(s, &w) || putFirst(m, s, &w)
	case mcpsf.WishType:
		return !isType(s.value, w.Type) && w.Type != "" && m.fill(s, &w)
	case mcpsf.WishOneOf:
		return m.choose(s, &w) || len(w.Accepted) == 0 && m.example(s, m.told(s), mcpsf.OriginDescription)
	case mcpsf.WishFormat:
		return m.reformat(s, &w)
	case mcpsf.WishProject:
		return m.project(s, &w)
	case mcpsf.WishAfter:
		return m.texts.after(s, &w)
	case mcpsf.WishMore, mcpsf.WishLess:
		return m.resize(s, &w)
	case mcpsf.WishRelative, mcpsf.WishAbsolute, mcpsf.WishExisting, mcpsf.WishNew:
		return w.Kind == mcpsf.WishExisting && m.texts.proven(s) || m.move(s, &w) || w.Kind == mcpsf.WishExisting && m.example(s, m.told(s), mcpsf.OriginDescription)
	}
	return false
}

// there reports whether the input has a value at a path.
func (m *mender) there(at []string) bool {
	_, ok := find(m.args, at)
	return ok && len(at) > 0
}

// spot is a place of the input: its path, its schema, and its value.
type spot struct {
	path  []string
	place place
	value any
	there bool
	// made is set if the server made the value, from says where.
	made bool
	from mcpsf.ValueOrigin
}

func (m *mender) spot(path []string) *spot {
	s := &spot{path: path}
	s.value, s.there = find(m.args, path)
	s.from = m.in.Server.At(pointerTo(path))
	s.made = s.from != ""
	node, beside := any(m.root), map[string]any(nil)
	name := ""
	for i, part := range path {
		above, _ := find(m.args, path[:i])
		flat := flatFor(m, node, above)
		if index, err := index(part, maxElements); err == nil && index >= 0 && flat["properties"] == nil {
			node = flat["items"]
			continue
		}
		beside, _ = flat["properties"].(map[string]any)
		node, name = beside[part], part
	}
	s.place = newPlace(maps.Clone(flatFor(m, node, s.value)), name, beside)
	return s
}

// generator returns a new generator, whose choices depend on the seed alone.
func (m *mender) generator() *generator { return m.maker.generator(task{}, 0) }

// put replaces the value at a place by one of ours, or by one of the server's.
func (m *mender) put(s *spot, value any, server bool) bool {
	if server {
		return m.putFrom(s, value, mcpsf.OriginRefusal)
	}
	return m.putFrom(s, value, "")
}

// putFrom replaces the value at a place by one that the server wrote somewhere.
func (m *mender) putFrom(s *spot, value any, from mcpsf.ValueOrigin) bool {
	pointer := pointerTo(s.path)
	var out Input
	var err error
	if from != "" {
		out, err = m.in.WithServer(pointer, value, from)
	} else {
		out, err = m.in.With(pointer, value)
	}
	if err != nil || len(out.JSON) > maxInput || bytes.Equal(out.JSON, m.in.JSON) {
		return false
	}
	m.in = out
	m.read()
	return true
}

// keep notes that the schema does not explain a value.
func (m *mender) keep(s *spot, done bool) bool {
	if done {
		m.fixed = append(m.fixed, pointerTo(s.path))
	}
	return done
}

// remove takes a member out of the input and the schema.
func (m *mender) remove(s *spot) bool {
	parent, last := s.path[:len(s.path)-1], s.path[len(s.path)-1]
	object, _ := find(m.args, parent)
	members, ok := object.(map[string]any)
	if !ok || !s.there {
		return false
	}
	members = maps.Clone(members)
	delete(members, last)
	if !m.replace(parent, members, s.path) {
		return false
	}
	if len(parent) == 0 {
		if properties, ok := m.root["properties"].(map[string]any); ok {
			properties = maps.Clone(properties)
			delete(properties, last)
			m.root["properties"] = properties
		}
		m.root["required"] = slices.DeleteFunc(slices.Clone(list(m.root["required"])), func(n any) bool { return n == last })
		m.grown = true
	}
	return true
}

// replace replaces an object of the input by one that lacks a member. Who made the
// others does not change.
func (m *mender) replace(path []string, members map[string]any, gone []string) bool {
	raw, err := Put(m.in.JSON, pointerTo(path), members)
	if err != nil {
		return false
	}
	m.in = Input{raw, m.in.Server.Without(pointerTo(gone))}
	m.read()
	return true
}

// demand adds to the schema what is known of a place.
func (m *mender) demand(path []string, known map[string]any, required bool) {
	m.grown = true
	node := m.root
	for i, part := range path {
		node["type"] = cmpType(node["type"], "object")
		inner := maps.Clone(properties(node))
		next, _ := inner[part].(map[string]any)
		next = maps.Clone(next)
		if next == nil {
			next = map[string]any{}
		}
		inner[part], node["properties"] = next, inner
		if last := i == len(path)-1; last {
			maps.Copy(next, known)
		}
		if names := list(node["required"]); required && !slices.Contains(names, any(part)) {
			node["required"] = append(slices.Clone(names), part)
		}
		node = next
		if i+1 < len(path) {
			if _, err := index(path[i+1], maxElements); err == nil {
				return // elements keep the schema that they have
			}
		}
	}
}

func properties(s map[string]any) map[string]any {
	p, _ := s["properties"].(map[string]any)
	if p == nil {
		return map[string]any{}
	}
	return p
}

// cmpType returns a type, or another if there is none.
func cmpType(typ any, other string) any {
	if typ == nil {
		return other
	}
	return typ
}
