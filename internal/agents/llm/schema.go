package llm

import (
	"encoding/json"
	"slices"

	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// No schema of an honest tool is larger or deeper.
// no gap: bounds the conversation with a model; a failed ask is reported
const maxSchema, maxSchemaDepth = 64 << 10, 32

// anything is a schema that accepts any object.
const anything = `{"type":"object","properties":{}}`

// safeProperty is an argument name that all providers accept.
var safeProperty = lazyregexp.New(`^[a-zA-Z0-9_.-]{1,64}$`)

// wireSchema is a tool's schema in a form that providers accept: an object at
// the top, without alternatives there. One invalid schema would make them
// reject all tools, which a hostile server would like. changed says whether
// something was lost.
func wireSchema(raw json.RawMessage, plain bool) (schema json.RawMessage, changed bool) {
	var top map[string]json.RawMessage
	if len(raw) == 0 {
		return json.RawMessage(anything), false
	}
	if document.Depth(raw) > defaultLimits().depth || json.Unmarshal(raw, &top) != nil || top == nil {
		return json.RawMessage(anything), true
	}
	if plain || len(raw) > maxSchema || document.Depth(raw) > maxSchemaDepth {
		return plainSchema(top), true
	}
	fixed := false
	if text(top["type"]) != "object" {
		changed = len(top["type"]) > 0
		top["type"], fixed = json.RawMessage(`"object"`), true
	}
	var properties map[string]json.RawMessage
	if json.Unmarshal(top["properties"], &properties) != nil || properties == nil {
		changed = changed || len(top["properties"]) > 0
		top["properties"], fixed = json.RawMessage(`{}`), true
	}
	for _, word := range []string{"oneOf", "anyOf", "allOf", "not", "enum"} {
		if _, ok := top[word]; ok {
			delete(top, word)
			changed = true
		}
	}
	if !fixed && !changed {
		return raw, false
	}
	return marshal(top), changed
}

// plainSchema keeps only the names, types and descriptions of arguments.
func plainSchema(top map[string]json.RawMessage) json.RawMessage {
	type property struct {
		Type        string          `json:"type,omitempty"`
		Description string          `json:"description,omitempty"`
		Items       json.RawMessage `json:"items,omitempty"`
	}
	var given map[string]struct{ Type, Description json.RawMessage }
	_ = json.Unmarshal(top["properties"], &given) // invalid properties are left out
	kept := make(map[string]property)
	for name, p := range given {
		if !safeProperty.MatchString(name) {
			continue
		}
		var q property
		_ = json.Unmarshal(p.Description, &q.Description)
		if t := text(p.Type); slices.Contains([]string{"string", "number", "integer", "boolean", "object", "array"}, t) {
			q.Type = t
		}
		if q.Type == "array" {
			q.Items = json.RawMessage(`{}`)
		}
		kept[name] = q
	}
	var required []string
	_ = json.Unmarshal(top["required"], &required)
	required = slices.DeleteFunc(required, func(name string) bool { _, ok := kept[name]; return !ok })
	return marshal(struct {
		Type       string              `json:"type"`
		Properties map[string]property `json:"properties"`
		Required   []string            `json:"required,omitempty"`
	}{"object", kept, required})
}

// marshal encodes values that cannot fail.
func marshal(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage(anything)
	}
	return data
}
