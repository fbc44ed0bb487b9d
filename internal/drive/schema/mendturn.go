package schema

import (
	"cmp"
	"maps"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// maxTurns bounds the arguments that an example is tried for.
// gap: tools-failed
const maxTurns = 4

// turns tries an example for one argument after the other.
type turns struct{ *mender }

// take puts the examples of a wish whose subject is the name of no argument: into
// one argument after the other, and then the next example. Which was tried last, the
// refused input says. It changes nothing if another wish did already: the example may
// be right by now.
func (m *turns) take(w *mcpsf.Wish) bool {
	if !isExample(w) || !sameText(m.args, m.before) {
		return false
	}
	places := m.candidates(w)
	if len(places) == 0 {
		return false
	}
	next, option := 0, 0
	for i, s := range places {
		options := m.offered(s, w.Accepted)
		tried := slices.IndexFunc(options, func(o any) bool { return sameExample(o, s.value) })
		if tried >= 0 {
			if next, option = i+1, tried; next == len(places) {
				next, option = 0, tried+1
			}
			if option == len(options) {
				return false // all were tried
			}
			m.restore(s)
			break
		}
		if s.made && slices.ContainsFunc(options, func(o any) bool { return sameShape(o, s.value) }) {
			return false // what is wrong in it is said elsewhere
		}
	}
	s := m.spot(places[next].path)
	options := m.offered(s, w.Accepted)
	return option < len(options) && m.keep(s, m.putFrom(s, options[option], mcpsf.OriginRefusal))
}

// isExample reports whether a wish gives nothing but examples.
func isExample(w *mcpsf.Wish) bool {
	return w.Kind == mcpsf.WishFormat && w.Type == mcpsf.FormatExample && len(w.Accepted) > 0
}

// candidates are the arguments that an example may be for, the likeliest first: texts
// that the tool requires, that no enumeration lists, and that are not the server's.
func (m *turns) candidates(w *mcpsf.Wish) []*spot {
	var out, optional []*spot
	required := list(m.generator().flatten(m.root, 0)["required"])
	for _, name := range sortedKeys(m.args) {
		s := m.spot([]string{name})
		options := m.offered(s, w.Accepted)
		held := slices.ContainsFunc(options, func(o any) bool { return sameExample(o, s.value) || s.made && sameShape(o, s.value) })
		_, document := asDocument(w.Accepted[0])
		kind, _ := m.generator().meaning(s.place)
		if len(options) == 0 || len(list(s.place.schema["enum"])) > 0 || s.made && !held || document && kind.Guarded() {
			continue
		}
		if slices.Contains(required, any(name)) {
			out = append(out, s)
		} else {
			optional = append(optional, s)
		}
	}
	if len(out) == 0 {
		out = optional
	}
	slices.SortStableFunc(out, func(a, b *spot) int { return cmp.Compare(m.unlikely(a), m.unlikely(b)) })
	return out[:min(len(out), maxTurns)]
}

// unlikely ranks a place by how likely we have the right value for it already.
func (m *turns) unlikely(s *spot) int {
	switch kind, _ := m.generator().meaning(s.place); {
	case proved(m.maker.values, s.place.name, s.value):
		return 3
	case kind.Guarded():
		return 2
	case kind == meaning.KindNumber || kind == meaning.KindBool || kind == meaning.KindDate:
		return 1
	}
	return 0
}

// restore makes our own value again for a place that an example was tried for.
func (m *turns) restore(s *spot) {
	for _, f := range m.texts.list {
		if slices.Equal(f.path, s.path) {
			s.place.schema = maps.Clone(f.node)
		}
	}
	m.make(s)
}

// sameExample reports whether a value is an example, or the document in it.
func sameExample(example, value any) bool {
	if sameText(example, value) {
		return true
	}
	text, _ := example.(string)
	document, ok := asDocument(text)
	return ok && sameText(document, value)
}

// sameShape reports whether a document has the members of an example.
func sameShape(example, value any) bool {
	if text, ok := example.(string); ok {
		example, _ = asDocument(text)
	}
	switch want := example.(type) {
	case map[string]any:
		have, ok := value.(map[string]any)
		return ok && len(want) > 0 && !slices.ContainsFunc(sortedKeys(want), func(name string) bool { return have[name] == nil })
	case []any:
		have, ok := value.([]any)
		return ok && len(have) > 0 && len(want) > 0 && (sameShape(want[0], have[0]) || scalar(want[0]) && scalar(have[0]))
	}
	return false
}
