package flows

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Bounds for reading a schema. A larger schema is taken to allow anything.
// no gap: what is larger is taken to allow anything
const (
	maxSchema      = 1 << 20
	maxSchemaDepth = 6
	maxSchemaParts = 2000
)

// textArgument is an argument of a tool that accepts any text, and so anything
// that an agent knows.
type textArgument struct {
	// any says that there is one; name is its name, "" if unknown.
	any  bool
	name string
}

// with returns a phrase about the argument, to append to a reason.
func (t textArgument) with() string {
	if !t.any || t.name == "" {
		return ""
	}
	return fmt.Sprintf(", and its argument %q takes any text", t.name)
}

// takesText looks for such an argument. A schema that cannot be read restricts
// nothing, so it counts as one.
func takesText(schema json.RawMessage) textArgument {
	if len(schema) == 0 {
		return textArgument{any: true}
	}
	var top map[string]json.RawMessage
	if len(schema) > maxSchema || json.Unmarshal(schema, &top) != nil {
		return textArgument{any: true}
	}
	w := &schemaWalk{left: maxSchemaParts}
	var properties map[string]json.RawMessage
	if raw, ok := top["properties"]; ok && json.Unmarshal(raw, &properties) != nil {
		return textArgument{any: true}
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if w.free(properties[name], 1) {
			return textArgument{any: true, name: name}
		}
	}
	delete(top, "properties")
	delete(top, "type")
	return textArgument{any: w.parts(top, 1)}
}

// schemaWalk counts how many parts may still be read.
type schemaWalk struct{ left int }

// free tells whether a part of a schema allows arbitrary text.
func (w *schemaWalk) free(raw json.RawMessage, depth int) bool {
	if w.left--; w.left < 0 || depth > maxSchemaDepth {
		return true
	}
	var s map[string]json.RawMessage
	if json.Unmarshal(raw, &s) != nil {
		return string(raw) != "false" // true, or no schema at all
	}
	if hasAny(s, "enum", "const") {
		return false
	}
	types := typesOf(s["type"])
	if slices.Contains(types, "string") {
		return true
	}
	if w.parts(s, depth) {
		return true
	}
	var properties map[string]json.RawMessage
	if raw, ok := s["properties"]; ok && json.Unmarshal(raw, &properties) != nil {
		return true
	}
	for _, raw := range properties {
		if w.free(raw, depth+1) {
			return true
		}
	}
	if len(types) > 0 { // unrestricted lists and objects can hold anything
		return slices.Contains(types, "array") && !hasAny(s, "items", "prefixItems") ||
			slices.Contains(types, "object") && !hasAny(s, "properties", "additionalProperties")
	}
	return !hasAny(s, "anyOf", "oneOf", "allOf", "properties", "items", "minimum", "maximum", "multipleOf")
}

// parts checks the keywords other than properties.
func (w *schemaWalk) parts(s map[string]json.RawMessage, depth int) bool {
	if _, ok := s["$ref"]; ok {
		return true
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf", "prefixItems"} {
		var list []json.RawMessage
		if raw, ok := s[key]; ok && json.Unmarshal(raw, &list) == nil {
			for _, one := range list {
				if w.free(one, depth+1) {
					return true
				}
			}
		}
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if raw, ok := s[key]; ok && w.free(raw, depth+1) {
			return true
		}
	}
	return false
}

func hasAny(s map[string]json.RawMessage, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { _, ok := s[key]; return ok })
}

func typesOf(raw json.RawMessage) []string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return list
	}
	return nil
}
