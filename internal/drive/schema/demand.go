package schema

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Bounds of how much of an error message is read.
// gap: tools-failed
const (
	maxRefusal = 16 << 10
	maxDemands = 16
)

// Demanded adds to a schema the arguments that a server asked for when it
// refused a call: a tool's schema is often empty or less strict than the
// server's own check. It returns false if the error names nothing that the
// schema does not already require.
func Demanded(raw json.RawMessage, refusal string) (json.RawMessage, bool) {
	root := map[string]any{}
	if node, err := parse(bytes.TrimSpace(raw)); err == nil {
		if s, ok := node.(map[string]any); ok {
			root = s
		}
	}
	properties, _ := root["properties"].(map[string]any)
	if properties == nil {
		properties = map[string]any{}
	}
	required := slices.Clone(list(root["required"]))
	grown := false
	for _, d := range demands(refusal[:min(len(refusal), maxRefusal)]) {
		if slices.Contains(required, any(d.name)) {
			continue
		}
		if properties[d.name] == nil {
			properties[d.name] = d.schema()
		}
		required, grown = append(required, d.name), true
	}
	if !grown {
		return raw, false
	}
	root["properties"], root["required"] = properties, required
	if root["type"] == nil {
		root["type"] = "object"
	}
	out, err := encode(root)
	return out, err == nil
}

// Described returns a schema for arguments that worked, for a tool without one.
func Described(arguments json.RawMessage) json.RawMessage {
	value, err := decode(arguments)
	members, ok := value.(map[string]any)
	if err != nil || !ok {
		return nil
	}
	properties := map[string]any{}
	for name, member := range members {
		properties[name] = demand{name: name, typ: typeOf(member)}.schema()
	}
	out, err := encode(map[string]any{"type": "object", "properties": properties, "required": sortedKeys(properties)})
	if err != nil {
		return nil
	}
	return out
}

// demand is one argument that the server reported as missing.
type demand struct{ name, typ string }

func (d demand) schema() any {
	if d.typ == "array" {
		return map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "minItems": json.Number("1")}
	}
	if typ, ok := repairType(d.typ); ok {
		return map[string]any{"type": types(typ)[0]}
	}
	return map[string]any{"type": "string"}
}

func typeOf(value any) string {
	switch value.(type) {
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "string"
}

// Messages of the usual validation libraries for a missing argument.
var (
	fieldRequired = regexp.MustCompile(`(?m)^([A-Za-z_][\w-]{0,63})\r?\n\s+(?:Field required|Missing required)`)
	isRequired    = regexp.MustCompile(`(?i)["'\x60]([A-Za-z_][\w-]{0,63})["'\x60] (?:parameter |argument |property |field )?is (?:a )?required`)
	missing       = regexp.MustCompile(`(?i)(?:missing|requires?)(?: a)?(?: required| mandatory)?(?: positional)? (?:parameter|argument|property|properties|field)s?[: ]\s*["'\x60]?([A-Za-z_][\w-]{0,63})`)
	mustHave      = regexp.MustCompile(`(?i)must have required property ["'\x60]([A-Za-z_][\w-]{0,63})`)
)

// demands lists the arguments that an error names: in a JSON list of issues, or
// in prose.
func demands(refusal string) []demand {
	if found := issues(refusal); len(found) > 0 {
		return found
	}
	var found []demand
	for _, way := range []*regexp.Regexp{fieldRequired, isRequired, mustHave, missing} {
		for _, m := range way.FindAllStringSubmatch(refusal, maxDemands) {
			found = append(found, demand{name: m[1]})
		}
		if len(found) > 0 {
			break
		}
	}
	return found
}

// issues reads a JSON list of objects with a path and an expected type. It
// reads as far as the text goes: error messages are cut.
func issues(refusal string) []demand {
	at := strings.IndexByte(refusal, '[')
	if at < 0 {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(refusal[at:]))
	if _, err := d.Token(); err != nil {
		return nil
	}
	var found []demand
	for len(found) < maxDemands && d.More() {
		var i struct {
			Code     string `json:"code"`
			Expected string `json:"expected"`
			Path     []any  `json:"path"`
		}
		if d.Decode(&i) != nil {
			break
		}
		if len(i.Path) != 1 || i.Code != "invalid_type" {
			continue
		}
		if name, ok := i.Path[0].(string); ok && name != "" && len(name) <= 64 {
			found = append(found, demand{name: name, typ: i.Expected})
		}
	}
	return found
}
