package toolkit

import "encoding/json"

// Arguments are the arguments of a call.
type Arguments map[string]json.RawMessage

// Set puts a text into a parameter.
func (a Arguments) Set(p *Param, s string) {
	if p != nil {
		a[p.Name] = p.value(s)
	}
}

// DecodeArguments reads the arguments of a call; a value that is no object has
// none.
func DecodeArguments(raw json.RawMessage) Arguments {
	a := Arguments{}
	if json.Unmarshal(raw, &a) != nil || a == nil {
		return Arguments{}
	}
	return a
}

// Encode is a value as JSON.
func Encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return b
}
