package schema

import (
	"encoding/json"
	"path"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// proved reports whether a tool worked with a value of a parameter of that name.
func proved(values meaning.Values, name string, value any) bool {
	return slices.ContainsFunc(values.Proven(), func(p meaning.Proof) bool { return p.Parameter == name && sameText(p.Value, value) })
}

// proven puts the next value with which another tool worked for a parameter of the same
// name. It stays whose it was, and one of the server's is used only where an example of
// it would be.
func (m *documents) proven(s *spot) bool {
	list := provenFor(m.mender, s)
	refused, _ := find(m.before, s.path)
	next := 1 + slices.IndexFunc(list, func(p meaning.Proof) bool { return sameText(p.Value, refused) })
	return next < len(list) && m.keep(s, m.putFrom(s, list[next].Value, list[next].From))
}

// provenFor lists the values with which other tools worked that may be used at a place.
func provenFor(m *mender, s *spot) []meaning.Proof {
	g := m.generator()
	var list []meaning.Proof
	for _, p := range m.maker.values.Proven() {
		fits := p.Parameter == s.place.name && typeOf(p.Value) == typeOf(s.value)
		if fits && (p.From == "" || exemplary(g, p.Value, s.place)) && !slices.ContainsFunc(list, func(q meaning.Proof) bool { return sameText(p.Value, q.Value) }) {
			list = append(list, p)
		}
	}
	return list
}

// About returns the names of the arguments that wishes are about, each once.
func About(raw json.RawMessage, in Input, wishes []mcpsf.Wish, values meaning.Values, seed uint64) []string {
	m, ok := newMender(raw, in, values, seed)
	if !ok {
		return nil
	}
	var out []string
	for i := range wishes {
		at, ok := m.locate(&wishes[i])
		if ok && len(at) > 0 && !slices.Contains(out, at[0]) {
			out = append(out, at[0])
		}
	}
	return out
}

// Teach gives an input the value that another tool turned out to want for an argument of
// the same name. It must be for the same kind of thing, and one of the server's is used
// only where an example of it would be. A file that is to be written keeps its own name,
// and takes over the ending.
func Teach(raw json.RawMessage, in Input, lesson meaning.Proof, kind meaning.Kind, values meaning.Values, seed uint64) (Input, bool) {
	m, ok := newMender(raw, in, values, seed)
	if !ok {
		return in, false
	}
	s := m.spot([]string{lesson.Parameter})
	value := lesson.Value
	if !s.there || s.made || typeOf(s.value) != typeOf(value) || len(list(s.place.schema["enum"])) > 0 {
		return in, false
	}
	if here := kindAt(m, s); here != kind && (here.Guarded() || kind.Guarded()) {
		return in, false
	}
	own, isText := s.value.(string)
	if isText && kind == meaning.KindPath && path.Ext(own) == path.Ext(textOf(value)) {
		return in, false // it is such a file
	}
	if ending := path.Ext(textOf(value)); isText && kind == meaning.KindPath && trimmed(own) == trimmed(m.maker.values.NewFile) && extension.MatchString(ending) {
		value = trimmed(own) + ending
	}
	if lesson.From != "" && !exemplary(m.generator(), value, s.place) || !m.putFrom(s, value, lesson.From) || !Accepts(raw, m.in.JSON) {
		return in, false
	}
	return m.in, true
}

// ScalarAt returns the text, number or truth value at a pointer.
func ScalarAt(raw json.RawMessage, pointer string) (any, bool) {
	found, ok := Get(raw, pointer)
	if !ok {
		return nil, false
	}
	value, err := decode(found)
	if err != nil || !scalar(value) {
		return nil, false // lists and objects cannot be compared
	}
	return value, value != nil
}

// KindOf returns what an argument of a tool is for.
func KindOf(raw json.RawMessage, in Input, name string, values meaning.Values) meaning.Kind {
	m, ok := newMender(raw, in, values, 0)
	if !ok {
		return meaning.KindUnknown
	}
	return kindAt(m, m.spot([]string{name}))
}

// kindAt returns what a place is for. A folder is no file, but what must be one of a kind
// is taken for either before a tool says so.
func kindAt(m *mender, s *spot) meaning.Kind {
	kind, _ := m.generator().meaning(s.place)
	if text, ok := s.value.(string); kind == meaning.KindDir && ok && extension.MatchString(path.Ext(text)) {
		return meaning.KindPath
	}
	return kind
}
