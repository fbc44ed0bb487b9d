package obedient

import "encoding/json"

// arguments are what a call is made with.
type arguments map[string]json.RawMessage

// set puts a text into a parameter.
func (a arguments) set(p *param, s string) {
	if p != nil {
		a[p.name] = p.value(s)
	}
}

func decodeArguments(raw json.RawMessage) arguments {
	a := arguments{}
	if json.Unmarshal(raw, &a) != nil || a == nil {
		return arguments{}
	}
	return a
}

func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return b
}
