package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Input is an input for a tool. Server lists the values in it that the server
// made: what is not listed was made from the type alone.
type Input struct {
	JSON   json.RawMessage
	Server mcpsf.ServerValues
}

// With returns the input with a value of ours at a pointer. A text of which any part is
// the server's stays the server's when another part is replaced.
func (in Input) With(pointer string, value any) (Input, error) {
	raw, err := Put(in.JSON, pointer, value)
	if err != nil {
		return Input{}, err
	}
	return Input{raw, in.Server.Without(pointer)}, nil
}

// WithServer returns the input with a value that the server made. A text belongs to
// whoever made any part of it.
func (in Input) WithServer(pointer string, value any, from mcpsf.ValueOrigin) (Input, error) {
	out, err := in.With(pointer, value)
	if err != nil {
		return Input{}, fmt.Errorf("using a value of the server's: %w", err)
	}
	whole, _, inText := mcpsf.PointerText(pointer)
	made := mcpsf.ServerValue{Pointer: whole, From: from}
	switch {
	case !inText:
		out.Server = append(out.Server, made)
	case slices.Contains(out.Server, made):
	case from.Repeats() && !out.Server.At(whole).Repeats():
		out.Server = slices.Insert(out.Server, 0, made) // where parts differ, that which excuses least counts
	default:
		out.Server = append(out.Server, made)
	}
	return out, nil
}

// WithCopy returns the input with the value at a place of another input. Who made it, and
// each part of it, does not change.
func (in Input) WithCopy(pointer string, from Input, source string) (Input, error) {
	value, ok := Get(from.JSON, source)
	if !ok {
		return Input{}, fmt.Errorf("copying a value: there is none at %s", source)
	}
	out, err := in.With(pointer, value)
	if err != nil {
		return Input{}, err
	}
	whole, _, inText := mcpsf.PointerText(pointer)
	for _, made := range from.Server.Inside(source) {
		if inText {
			made.Pointer = ""
		}
		out.Server = append(out.Server, mcpsf.ServerValue{Pointer: whole + made.Pointer, From: made.From})
	}
	return out, nil
}

// origins are the places of a generated value that the server made.
type origins map[string]mcpsf.ValueOrigin

// listed returns the places in order.
func (o origins) listed() mcpsf.ServerValues {
	out := mcpsf.ServerValues{}
	for _, pointer := range slices.Sorted(maps.Keys(o)) {
		out = append(out, mcpsf.ServerValue{Pointer: pointer, From: o[pointer]})
	}
	return out
}

// byServer notes that the server made the current value.
func (g *generator) byServer(from mcpsf.ValueOrigin) { g.origins[pointerTo(g.path)] = from }

// anew forgets who made the current value, because another is made for its
// place.
func (g *generator) anew() {
	if len(g.origins) == 0 {
		return
	}
	at := pointerTo(g.path)
	maps.DeleteFunc(g.origins, func(pointer string, _ mcpsf.ValueOrigin) bool {
		return pointer == at || strings.HasPrefix(pointer, at+"/")
	})
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
