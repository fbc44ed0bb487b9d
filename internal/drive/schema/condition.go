package schema

import (
	"encoding/json"
	"reflect"
)

// conditions is the key under which flatten keeps conditional subschemas. A
// server's schema cannot contain a keyword of that name.
const conditions = "\x00conditions"

// conditional collects the conditional parts of a schema: if/then/else and the
// dependencies of properties.
func conditional(s map[string]any) []any {
	var out []any
	if _, ok := s["if"]; ok {
		out = append(out, map[string]any{"if": s["if"], "then": s["then"], "else": s["else"]})
	}
	for _, keyword := range []string{"dependentSchemas", "dependencies"} {
		rules, _ := s[keyword].(map[string]any)
		for _, name := range sortedKeys(rules) {
			if then, ok := rules[name].(map[string]any); ok {
				needs := map[string]any{"required": []any{name}}
				out = append(out, map[string]any{"if": needs, "then": then})
			}
		}
	}
	return out
}

// holds reports whether a value meets a condition. It knows the usual keywords
// and treats a condition with any other as met: the whole input is validated
// afterwards.
func (g *generator) holds(node, value any, hops int) bool {
	s, ok := node.(map[string]any)
	if g.steps--; !ok || hops > maxHops || g.steps < 0 {
		return node != false
	}
	for _, key := range sortedKeys(s) {
		if !g.meets(key, s[key], value, hops+1) {
			return false
		}
	}
	return true
}

func (g *generator) meets(key string, rule, value any, hops int) bool {
	switch key {
	case "$ref":
		target, ok := lookup(g.root, rule)
		return !ok || g.holds(target, value, hops)
	case "const":
		return reflect.DeepEqual(rule, value)
	case "enum":
		return g.any(list(rule), func(e any) bool { return reflect.DeepEqual(e, value) })
	case "type":
		return g.any(types(rule), func(t any) bool { return isType(value, t) })
	case "not":
		return !g.holds(rule, value, hops)
	case "allOf":
		return !g.any(list(rule), func(s any) bool { return !g.holds(s, value, hops) })
	case "anyOf", "oneOf":
		return g.any(list(rule), func(s any) bool { return g.holds(s, value, hops) })
	}
	object, ok := value.(map[string]any)
	switch {
	case !ok:
	case key == "required":
		return !g.any(list(rule), func(name any) bool {
			key, _ := name.(string)
			_, there := object[key]
			return !there
		})
	case key == "properties":
		rules, _ := rule.(map[string]any)
		for _, name := range sortedKeys(rules) {
			if part, there := object[name]; there && !g.holds(rules[name], part, hops) {
				return false
			}
		}
	}
	return true
}

// any reports whether one of the elements passes. It stops when the work budget
// is used up.
func (g *generator) any(elements []any, passes func(any) bool) bool {
	for _, e := range elements {
		if g.steps--; g.steps < 0 {
			return false
		}
		if passes(e) {
			return true
		}
	}
	return false
}

// isType reports whether a decoded value is of a JSON type.
func isType(value, t any) bool {
	switch v := value.(type) {
	case nil:
		return t == "null"
	case bool:
		return t == "boolean"
	case string:
		return t == "string"
	case json.Number:
		f, err := v.Float64()
		return t == "number" || t == "integer" && err == nil && f == float64(int64(f))
	case []any:
		return t == "array"
	case map[string]any:
		return t == "object"
	}
	return false
}
