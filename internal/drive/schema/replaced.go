package schema

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// shapeOf returns a document of the server's, or the text of one, with our own places
// in it. It is false for what is no document.
func shapeOf(g *generator, value any) (any, bool) {
	text, written := value.(string)
	if written {
		inner, ok := asDocument(text)
		if !ok || len(text) > maxDocument {
			return nil, false
		}
		value = inner
	}
	if scalar(value) {
		return nil, false
	}
	value, ok := replaced(g, value, "")
	if raw, err := encode(value); ok && written {
		return string(raw), err == nil
	}
	return value, ok
}

// replaced returns a document of the server's in which every text that names a place
// that it may not name is one of ours: its shape is what an example is for. It is false
// if the names of members cannot be used.
func replaced(g *generator, value any, name string) (any, bool) {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for member, inner := range v {
			next, ok := replaced(g, inner, member)
			if !ok || !memberName.MatchString(member) {
				return nil, false
			}
			out[member] = next
		}
		return out, true
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			next, ok := replaced(g, inner, name)
			if !ok {
				return nil, false
			}
			out[i] = next
		}
		return out, true
	case string:
		if v == "" || len(v) <= maxOffered && exemplaryText(g, v, place{name: name}) {
			return v, true
		}
		return instead(g, v, name), true
	}
	return value, true
}

// machine is the name of a host, and localFile a path.
var (
	machine   = lazyregexp.New(`^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:/|$)`)
	localFile = lazyregexp.New(`^[~.]?[/\\]|^\.|^[A-Za-z]:\\|[/\\]`)
)

// instead returns our own value in place of a text of the server's.
func instead(g *generator, text, name string) string {
	kind, own := g.meaning(place{name: name})
	if kind.Guarded() {
		return own
	}
	v := g.values
	switch {
	case strings.Contains(text, "://"):
		return v.URL
	case strings.Contains(text, "@"):
		return v.Email
	case machine.MatchString(text) && !private(text):
		return v.Host
	case localFile.MatchString(text):
		return v.File
	}
	return own
}
