package llm

import (
	"encoding/json"
	"regexp"
	"slices"

	"github.com/mcpsf/mcpsf/internal/document"
)

// No schema of an honest tool is larger or deeper.
const maxSchema, maxSchemaDepth = 64 << 10, 32

// anything is the schema of whatever an object can be.
const anything = `{"type":"object","properties":{}}`

// safeProperty is what all providers take as the name of an argument.
var safeProperty = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

// wireSchema is a tool's schema as providers take it: an object at the top,
// without alternatives there. One bad schema would have them refuse all tools,
// which a hostile server would like. changed tells whether it lost something.
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

// plainSchema keeps the names of arguments, their types and descriptions.
func plainSchema(top map[string]json.RawMessage) json.RawMessage {
	type property struct {
		Type        string          `json:"type,omitempty"`
		Description string          `json:"description,omitempty"`
		Items       json.RawMessage `json:"items,omitempty"`
	}
	var given map[string]struct{ Type, Description json.RawMessage }
	_ = json.Unmarshal(top["properties"], &given) // what does not fit is left out
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

// marshal is for values that cannot fail.
func marshal(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage(anything)
	}
	return data
}
