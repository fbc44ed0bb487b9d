package schema

import "encoding/json"

// Described returns a schema for arguments that worked, for a tool without one.
func Described(arguments json.RawMessage) json.RawMessage {
	value, err := decode(arguments)
	members, ok := value.(map[string]any)
	if err != nil || !ok {
		return nil
	}
	properties := map[string]any{}
	for name, member := range members {
		properties[name] = ofType(typeOf(member))
	}
	out, err := encode(map[string]any{"type": "object", "properties": properties, "required": sortedKeys(properties)})
	if err != nil {
		return nil
	}
	return out
}

// ofType returns a schema for a type, a string if it is unknown.
func ofType(name string) map[string]any {
	if name == "array" {
		return map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "minItems": json.Number("1")}
	}
	if typ, ok := repairType(name); ok {
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
