package schema

import (
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// maxHops bounds how many references and alternatives are followed from one
// schema.
// gap: tools-failed
const maxHops = 32

// flatten turns a schema with references, allOf and alternatives into one
// plain set of keywords. Which alternative is taken depends on the attempt.
func (g *generator) flatten(node any, hops int) map[string]any {
	out := map[string]any{}
	s, ok := node.(map[string]any)
	properties, _ := s["properties"].(map[string]any)
	if g.steps -= 1 + (len(s)+len(properties))/8; !ok || hops > maxHops || g.steps < 0 {
		return out
	}
	for key, value := range s {
		switch key {
		case "$ref", "allOf", "anyOf", "oneOf", "if", "then", "else", "not", "$defs", "definitions", conditions:
		default:
			out[key] = value
		}
	}
	if rules := conditional(s); rules != nil {
		out[conditions] = rules
	}
	if target, ok := lookup(g.root, s["$ref"]); ok {
		merge(out, g.flatten(target, hops+1))
	}
	for _, sub := range list(s["allOf"]) {
		merge(out, g.flatten(sub, hops+1))
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if options := list(s[key]); len(options) > 0 {
			merge(out, g.flatten(g.choose(options), hops+1))
		}
	}
	return out
}

// choose takes an alternative that is not just null.
func (g *generator) choose(options []any) any {
	useful := slices.DeleteFunc(slices.Clone(options), func(o any) bool {
		m, ok := o.(map[string]any)
		return ok && m["type"] == "null"
	})
	if len(useful) == 0 {
		useful = options
	}
	return useful[g.pick(len(useful))]
}

// merge adds the keywords of b to a, so that a requires both.
func merge(a, b map[string]any) {
	for _, key := range sortedKeys(b) {
		old, both := a[key]
		if !both {
			a[key] = b[key]
			continue
		}
		a[key] = combine(key, old, b[key])
	}
}

func combine(key string, a, b any) any {
	switch key {
	case "properties":
		return union(a, b)
	case "required", conditions:
		return append(slices.Clone(list(a)), list(b)...)
	case "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties":
		return larger(a, b)
	case "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties":
		return larger(b, a)
	case "enum":
		return common(list(a), list(b))
	case "type":
		if both, _ := common(types(a), types(b)).([]any); len(both) > 0 {
			return both
		}
	}
	return a
}

// union joins two maps of properties; a property of both must satisfy both.
func union(a, b any) any {
	left, _ := a.(map[string]any)
	right, _ := b.(map[string]any)
	out := map[string]any{}
	maps.Copy(out, left)
	for name, s := range right {
		if other, both := out[name]; both {
			s = map[string]any{"allOf": []any{other, s}}
		}
		out[name] = s
	}
	return out
}

func larger(a, b any) any {
	x, okX := number(a)
	y, okY := number(b)
	if okX && (!okY || x >= y) {
		return a
	}
	return b
}

// common keeps the scalars that are in both lists. Lists that share none cannot
// be satisfied anyway.
func common(a, b []any) any {
	const tooMany = 1 << 20
	if len(a)*len(b) > tooMany {
		return a
	}
	out := []any{}
	for _, x := range a {
		if scalar(x) && slices.ContainsFunc(b, func(y any) bool { return equal(x, y) }) {
			out = append(out, x)
		}
	}
	return out
}

// equal reports whether two values are the same scalar. Go cannot compare lists and
// objects: it panics.
func equal(a, b any) bool { return scalar(a) && scalar(b) && a == b }

func scalar(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// types returns the types as a list, for one type or several.
func types(v any) []any {
	if l := list(v); l != nil {
		return l
	}
	if v == nil {
		return nil
	}
	return []any{v}
}

// unescape undoes the escapes of a JSON pointer in a URI fragment.
func unescape(part string) string {
	if plain, err := url.PathUnescape(part); err == nil {
		part = plain
	}
	return strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
}

func index(part string, length int) (int, error) {
	i, err := strconv.Atoi(part)
	if err != nil || i < 0 || i >= length {
		return 0, errors.New("no such element")
	}
	return i, nil
}
