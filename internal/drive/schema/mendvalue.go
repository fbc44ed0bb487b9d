package schema

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf"
)

// Bounds of the values that a refusal makes us send.
// gap: tools-failed
const (
	// maxOffered bounds the length of a value that stands in the text.
	maxOffered = 64
	// maxWished bounds a number that the text asks for.
	maxWished = 1 << 31
	// maxNames bounds how many other names are tried for something new.
	maxNames = 100
)

// usable returns those of the values in the text that may be used at a place: none
// that names a place, an option, or is long.
func (m *mender) usable(s *spot, accepted []string) []any {
	g := m.generator()
	var out []any
	for _, text := range accepted {
		hidden := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0
		if text == "" || len(text) > maxOffered || hidden || private(text) || !g.harmless(text, s.place) {
			continue
		}
		if value, ok := asType(text, s.place.schema["type"]); ok {
			out = append(out, value)
		}
	}
	return out
}

// asType reads a text as a value of a type.
func asType(text string, typ any) (any, bool) {
	for _, t := range types(typ) {
		switch t {
		case "integer", "number":
			if n, err := strconv.ParseFloat(text, 64); err == nil && math.Abs(n) <= maxWished {
				return format(n), true
			}
		case "boolean":
			if b, err := strconv.ParseBool(strings.ToLower(text)); err == nil {
				return b, true
			}
		case "string":
			return text, true
		case "object", "array":
			if value, ok := asDocument(text); ok && isType(value, t) {
				return value, true
			}
		}
	}
	return text, len(types(typ)) == 0
}

// choose puts one of the accepted values. Without any it takes another of those
// that the schema lists.
func (m *mender) choose(s *spot, w *mcpsf.Wish) bool {
	if w.Type != "" && m.generator().kind(s.place.schema) != w.Type {
		return false // a switch is meant
	}
	options := m.offered(s, w.Accepted)
	if s.there && slices.ContainsFunc(options, func(o any) bool { return equal(o, s.value) }) {
		return false
	}
	if len(options) > 0 {
		if !m.put(s, options[0], true) {
			return false
		}
		m.demand(s.path, map[string]any{"enum": options}, true)
		return true
	}
	for _, o := range list(s.place.schema["enum"]) {
		if scalar(o) && o != s.value && len(w.Accepted) == 0 {
			return m.keep(s, m.put(s, o, true))
		}
	}
	return false
}

// fill makes a value for a place that has none, or one of another type.
func (m *mender) fill(s *spot, w *mcpsf.Wish) bool {
	known := map[string]any{}
	if w.Type != "" && (w.Kind == mcpsf.WishType || s.place.schema["type"] == nil) {
		known = ofType(w.Type)
	} else if len(s.place.schema) == 0 {
		known = ofType("")
	}
	if w.Kind == mcpsf.WishType {
		s.place.schema = map[string]any{}
	}
	maps.Copy(s.place.schema, known)
	kind, _ := m.generator().meaning(s.place)
	if options := m.offered(s, w.Accepted); len(options) > 0 && !kind.Guarded() && s.place.schema["enum"] == nil {
		if !m.put(s, options[0], true) {
			return false
		}
		known["examples"] = options
		m.demand(s.path, known, true)
		return true
	}
	if !m.make(s) {
		return false
	}
	m.demand(s.path, known, true)
	return true
}

// make puts a generated value that fits the schema of the place. What a pattern or
// an enumeration of the schema gives is the server's.
func (m *mender) make(s *spot) bool {
	g := m.generator()
	if above := absent(m, s); above != nil {
		g, s = m.maker.generator(task{want: s.path}, 0), above
	}
	g.path = slices.Clone(s.path)
	value := g.value(s.place.schema, s.place.name, s.place.beside)
	if g.tooLarge || g.steps < 0 || value == nil {
		return false
	}
	made := g.origins.listed()
	if !m.put(s, value, false) {
		return false
	}
	m.in.Server = append(m.in.Server, made...)
	return true
}

// oneMember adds the first of several members that the schema knows.
func (m *mender) oneMember(w mcpsf.Wish) bool {
	var first []string
	for _, name := range w.Accepted {
		at, ok := m.locate(&mcpsf.Wish{Kind: mcpsf.WishMissing, Path: append(slices.Clone(w.Path), name)})
		if !ok {
			continue
		}
		if value, there := find(m.args, at); there && value != nil {
			return false // one is there, and it is not what the server means
		}
		if known := m.spot(at).place.schema; first == nil || len(known) > 0 && len(m.spot(first).place.schema) == 0 {
			first = at
		}
	}
	return first != nil && m.fill(m.spot(first), &mcpsf.Wish{Kind: mcpsf.WishMissing})
}

// resize makes a value that is long, large or small enough.
func (m *mender) resize(s *spot, w *mcpsf.Wish) bool {
	bound := w.Least
	if w.Kind == mcpsf.WishLess {
		bound = w.Most
	}
	if bound == nil || math.Abs(*bound) > maxWished || math.IsNaN(*bound) {
		return false
	}
	typ := typeOf(s.value)
	if !s.there || s.value == nil {
		typ = m.typeAt(s, w.Type)
	}
	limits := map[string][2]string{
		"string": {"minLength", "maxLength"}, "array": {"minItems", "maxItems"}, "number": {"minimum", "maximum"},
	}
	words, ok := limits[typ]
	if !ok {
		return false
	}
	word := words[0]
	if w.Kind == mcpsf.WishLess {
		word = words[1]
	}
	n := *bound
	if typ != "number" {
		n = max(0, math.Round(n))
	}
	known := map[string]any{word: format(n)}
	s.place.schema[word] = known[word]
	if s.place.schema["type"] == nil {
		s.place.schema["type"], known["type"] = typ, typ
	}
	delete(s.place.schema, "default")
	delete(s.place.schema, "examples")
	if !m.make(s) {
		return false
	}
	m.demand(s.path, known, false)
	return true
}

// typeAt returns the type of a place that has no value yet.
func (m *mender) typeAt(s *spot, typ string) string {
	if len(s.place.schema) > 0 {
		typ = m.generator().kind(s.place.schema)
	}
	switch typ {
	case "":
		return "string"
	case "integer":
		return "number"
	}
	return typ
}
