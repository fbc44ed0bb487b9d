package schema

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/refusal"
)

// Keywords of JSON Schema for texts that hold a document.
const (
	contentType   = "contentMediaType"
	contentSchema = "contentSchema"
	jsonContent   = "application/json"
)

// maxDocument bounds a JSON document of the server's that is used as an example.
// gap: tools-failed
const maxDocument = 512

// documentsFirst returns the wishes in an order in which a text becomes JSON before
// wishes about what is in it are granted.
func documentsFirst(wishes []mcpsf.Wish) []mcpsf.Wish {
	wishes = slices.Clone(wishes)
	slices.SortStableFunc(wishes, func(a, b mcpsf.Wish) int { return cmp.Compare(order(&a), order(&b)) })
	return wishes
}

func order(w *mcpsf.Wish) int {
	if w.Kind == mcpsf.WishFormat && strings.HasPrefix(w.Type, "JSON") {
		return 0
	}
	return 1
}

// document puts a JSON document into a text, as far as words say what is in it: the
// refusal, or the description. An example of the server's comes first.
func (m *documents) document(s *spot, w *mcpsf.Wish) bool {
	if about := s.place.about; m.example(s, documentsAmong(w.Accepted), mcpsf.OriginRefusal) || m.example(s, documentsAmong(refusal.Examples(about)), mcpsf.OriginDescription) {
		return true
	}
	typ := "object"
	if strings.HasSuffix(strings.ToLower(w.Type), "array") {
		typ = "array"
	}
	if m.opened(s.path) {
		return !isType(s.value, typ) && w.Type != "JSON" && m.fill(s, &mcpsf.Wish{Kind: mcpsf.WishType, Type: typ})
	}
	value, node := any(map[string]any{}), map[string]any{"type": typ}
	if names := membersSaid(s.place.about); typ == "array" {
		value, node = []any{"example"}, ofType(typ)
	} else if len(names) > 0 {
		node["properties"], node["required"] = names, anys(sortedKeys(names))
	}
	if text, _ := s.value.(string); !m.open(s.path, text, value) {
		return false
	}
	m.list[len(m.list)-1].made = true
	if now := m.spot(s.path); len(properties(node)) > 0 {
		now.place.schema = node
		m.make(now)
	}
	m.demand(s.path, node, false)
	return true
}

// membersSaid returns schemas for the members that a description says a document has.
func membersSaid(about string) map[string]any {
	out := map[string]any{}
	for _, w := range refusal.Read(about) {
		if n := len(w.Path); w.Kind == mcpsf.WishMissing && n > 0 && memberName.MatchString(w.Path[n-1]) {
			out[w.Path[n-1]] = map[string]any{}
		}
	}
	return out
}

// documentsAmong keeps the examples that are JSON documents.
func documentsAmong(examples []string) []string {
	return slices.DeleteFunc(slices.Clone(examples), func(e string) bool { _, ok := asDocument(e); return !ok })
}

func anys(names []string) []any {
	out := make([]any, len(names))
	for i, n := range names {
		out[i] = n
	}
	return out
}

// writeDocument makes a JSON document for a text with such content. Whoever made a part of
// it made all of it.
func writeDocument(g *generator, s map[string]any, name string) (string, bool) {
	content, ok := s[contentSchema].(map[string]any)
	if !ok {
		return `{"name":"example"}`, true
	}
	value := g.value(content, name, nil)
	raw, err := encode(value)
	if err != nil || value == nil {
		return "", false
	}
	at := pointerTo(g.path)
	for _, v := range g.origins.listed() {
		if strings.HasPrefix(v.Pointer, at+"/") {
			delete(g.origins, v.Pointer)
			g.byServer(v.From)
		}
	}
	return string(raw), true
}
