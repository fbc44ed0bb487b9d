package relational

import (
	"encoding/json"
	"strings"
)

func toJSON(r *run, v Value, kind Kind) (Value, error) {
	s, ok := v.(string)
	if !ok {
		if d, is := v.(document); is {
			return d, nil
		}
		return document(jsonText(v)), nil
	}
	if err := r.step(len(s) / 16); err != nil {
		return nil, err
	}
	if !json.Valid([]byte(s)) {
		return nil, r.engine.problem("22P02", 3140, "invalid input syntax for type "+kind.info().postgres, "Invalid JSON text")
	}
	return document(s), nil
}

// toArray reads {a,"b c",NULL}.
func toArray(r *run, v Value, kind Kind) (Value, error) {
	if list, ok := v.([]Value); ok {
		if kind != IntArray {
			return list, nil
		}
		out := make([]Value, len(list))
		for i := range list {
			n, err := r.cast(list[i], Type{Kind: Int4}, "")
			if err != nil {
				return nil, err
			}
			out[i] = n
		}
		return out, r.keep(len(out))
	}
	s := strings.TrimSpace(r.engine.Format(v, Type{}))
	if len(s) < 2 || s[0] != '{' || s[len(s)-1] != '}' {
		return nil, &Error{State: "22P02", Number: 3140, Message: `malformed array literal: "` + clip(s) + `"`}
	}
	list := []Value{}
	for s = s[1 : len(s)-1]; s != ""; {
		var one string
		quoted := s[0] == '"'
		one, s = element(s)
		var v Value = one
		if !quoted && strings.EqualFold(one, "null") {
			v = nil
		}
		if kind == IntArray {
			n, err := r.cast(v, Type{Kind: Int4}, "")
			if err != nil {
				return nil, err
			}
			v = n
		}
		list = append(list, v)
	}
	return list, r.keep(len(list))
}

// element reads the first element of an array.
func element(s string) (one, rest string) {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case c == ',' && !quoted:
			return b.String(), s[i+1:]
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}
