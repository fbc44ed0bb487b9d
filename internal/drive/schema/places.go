package schema

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// Place is a leaf of a tool's input, where a value of our choice can be put.
type Place struct {
	// Pointer is its JSON pointer in the arguments: "/path", "/items/0/url", and
	// "/filter#/author" inside the JSON text that is the argument filter.
	Pointer           string
	Name, Description string
	// Type is the schema's type: "string", "number", "integer", "boolean", or
	// "array" and "object" where any value will do.
	Type            string
	Format, Pattern string
	Enum            []json.RawMessage
	// MaxLength is 0 if the schema sets none.
	MaxLength int
	Kind      meaning.Kind
}

// Bounds of what is listed.
// no gap: bounds the places of attacks, which show weaknesses
const (
	maxPlaces      = 256
	maxDescription = 1 << 10
	maxMembers     = 64
	placeRounds    = 4
)

// Places lists every leaf of the input, including optional properties and the
// first element of arrays. Of alternatives it lists the leaves of the first
// few.
func Places(raw json.RawMessage, values meaning.Values, seed uint64) []Place {
	m := newMaker(raw, values, seed)
	w := &walker{seen: map[string]bool{}}
	for round := range placeRounds {
		w.generator = m.generator(task{}, round)
		s := w.flatten(m.root, 0)
		if s["type"] == nil {
			s["type"] = "object"
		}
		w.visit(s, "", "", nil)
	}
	return w.out
}

// walker goes through a schema and collects its leaves.
type walker struct {
	*generator

	seen map[string]bool
	out  []Place
}

func (w *walker) visit(node any, name, pointer string, beside map[string]any) {
	if w.steps--; w.steps < 0 || w.level > maxLevels || node == false || len(w.out) >= maxPlaces {
		return
	}
	w.level++
	defer func() { w.level-- }()
	s := w.flatten(node, 0)
	p := newPlace(s, name, beside)
	switch kind := w.kind(s); kind {
	case "object":
		w.object(p, pointer)
	case "array":
		w.array(p, pointer)
	default:
		if _, fixed := s["const"]; !fixed {
			w.add(p, pointer, kind)
		}
	}
}

func (w *walker) object(p place, pointer string) {
	properties, _ := p.schema["properties"].(map[string]any)
	for _, name := range sortedKeys(properties) {
		w.visit(properties[name], name, join(pointer, name), properties)
	}
	if len(properties) > 0 || p.schema["additionalProperties"] == false || pointer == "" {
		return
	}
	if free, ok := p.schema["additionalProperties"].(map[string]any); ok && len(free) > 0 {
		w.visit(withAbout(free, p), p.name, join(pointer, w.spare(p.schema, nil, 0)), nil)
		return
	}
	w.add(p, pointer, "object")
}

func (w *walker) array(p place, pointer string) {
	fixed := list(p.schema["prefixItems"])
	rest := p.schema["items"]
	if tuple := list(rest); tuple != nil {
		fixed, rest = tuple, nil
	}
	for i, node := range fixed[:min(len(fixed), maxElements)] {
		w.visit(node, p.name, join(pointer, strconv.Itoa(i)), p.beside)
	}
	switch {
	case len(fixed) > 0 || count(p.schema["maxItems"], 1) == 0:
	case rest == nil || rest == true:
		w.add(p, pointer, "array")
	default:
		w.visit(withAbout(rest, p), p.name, join(pointer, "0"), p.beside)
	}
}

// add lists a place once.
func (w *walker) add(p place, pointer, typ string) {
	if w.seen[pointer] || pointer == "" {
		return
	}
	w.seen[pointer] = true
	format, _ := p.schema["format"].(string)
	pattern, _ := p.schema["pattern"].(string)
	out := Place{
		Pointer: pointer, Name: p.name, Description: shorten(p.about), Type: typ, Format: format, Pattern: pattern,
		MaxLength: count(p.schema["maxLength"], 0), Kind: w.placeKind(p, typ, format),
	}
	for _, member := range list(p.schema["enum"]) {
		if raw, err := encode(member); err == nil && len(out.Enum) < maxMembers {
			out.Enum = append(out.Enum, raw)
		}
	}
	w.out = append(w.out, out)
}

// placeKind returns the kind by type and format, then by name and description.
func (w *walker) placeKind(p place, typ, format string) meaning.Kind {
	switch typ {
	case "integer", "number":
		return meaning.KindNumber
	case "boolean":
		return meaning.KindBool
	case "object", "array":
		return meaning.KindJSON
	}
	switch strings.ToLower(format) {
	case "date", "date-time", "datetime", "time", "duration":
		return meaning.KindDate
	case "email", "idn-email":
		return meaning.KindEmail
	case "hostname", "idn-hostname", "ipv4", "ipv6":
		return meaning.KindHost
	case "uri", "url", "iri", "uri-reference", "iri-reference", "uri-template":
		return meaning.KindURL
	case "uuid":
		return meaning.KindID
	case "regex":
		return meaning.KindRegexp
	case "byte", "base64", "binary":
		return meaning.KindData
	case "json", "json-string":
		return meaning.KindJSON
	}
	if p.schema["contentEncoding"] == "base64" {
		return meaning.KindData
	}
	kind, _ := w.meaning(p)
	return kind
}

func shorten(s string) string {
	if len(s) > maxDescription {
		s = strings.ToValidUTF8(s[:maxDescription], "")
	}
	return s
}
