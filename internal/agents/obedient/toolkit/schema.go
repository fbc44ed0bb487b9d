package toolkit

import (
	"encoding/json"
	"slices"
)

// Param is one parameter of a tool.
type Param struct {
	Name     string
	kind     string // string, number, integer, boolean, array, object
	Required bool
	words    []string
	// example is a value from the schema: a default, an example, the first
	// choice.
	example json.RawMessage
}

// gap: agent-bounds
const (
	// MaxTools is how many tools are indexed by name.
	MaxTools = 2000
	// maxParams is how many parameters of a tool are read.
	maxParams = 100
	// maxExample is the size of an example that is used as an argument.
	maxExample = 8 << 10
)

// paramsOf reads a schema. An invalid schema has no parameters.
func paramsOf(schema json.RawMessage) []Param {
	var root struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	if json.Unmarshal(schema, &root) != nil {
		return nil
	}
	var out []Param
	for _, name := range inOrder(root.Properties, root.Required) {
		out = append(out, paramOf(name, root.Properties[name], slices.Contains(root.Required, name)))
	}
	return out
}

// inOrder lists required parameters in the schema's order, then the others by
// name.
func inOrder(properties map[string]json.RawMessage, required []string) []string {
	var out, rest []string
	seen := map[string]bool{}
	for _, r := range required {
		if _, ok := properties[r]; ok && !seen[r] && len(out) < maxParams {
			seen[r] = true
			out = append(out, r)
		}
	}
	for name := range properties {
		if !seen[name] {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	return append(out, rest[:min(len(rest), maxParams-len(out))]...)
}

func paramOf(name string, raw json.RawMessage, required bool) Param {
	var s struct {
		Type     json.RawMessage   `json:"type"`
		Default  json.RawMessage   `json:"default"`
		Example  json.RawMessage   `json:"example"`
		Examples []json.RawMessage `json:"examples"`
		Enum     []json.RawMessage `json:"enum"`
	}
	p := Param{Name: name, Required: required, words: SplitWords(name, 8), kind: "string"}
	if json.Unmarshal(raw, &s) != nil {
		return p
	}
	var kinds []string
	if json.Unmarshal(s.Type, &p.kind) != nil && json.Unmarshal(s.Type, &kinds) == nil && len(kinds) > 0 {
		p.kind = kinds[0]
	}
	for _, e := range append([]json.RawMessage{s.Default, s.Example}, append(s.Examples, s.Enum...)...) {
		if len(e) > 0 && string(e) != "null" && len(e) < maxExample {
			p.example = e
			break
		}
	}
	return p
}

// value converts a text to the parameter's type.
func (p *Param) value(s string) json.RawMessage {
	switch p.kind {
	case "array":
		return Encode([]string{s})
	case "boolean":
		return json.RawMessage(map[bool]string{true: "true", false: "false"}[tables().truth.Has(s)])
	case "number", "integer":
		if n := json.Number(s); json.Valid([]byte(s)) && n.String() != "" {
			return json.RawMessage(s)
		}
	case "object":
		if json.Valid([]byte(s)) && len(s) > 0 && s[0] == '{' {
			return json.RawMessage(s)
		}
		return Encode(map[string]string{"value": s})
	}
	return Encode(s)
}

// filler is a value for a required parameter of which nothing is known.
func (p *Param) filler() json.RawMessage {
	if p.example != nil {
		return p.example
	}
	switch p.kind {
	case "array":
		return json.RawMessage("[]")
	case "boolean":
		return json.RawMessage("false")
	case "number", "integer":
		return json.RawMessage("1")
	case "object":
		return json.RawMessage("{}")
	case "null":
		return json.RawMessage("null")
	}
	return json.RawMessage(`"example"`)
}
