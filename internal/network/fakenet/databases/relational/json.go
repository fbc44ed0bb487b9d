package relational

import (
	"encoding/json"
	"strconv"
	"strings"
)

// member takes a member out of JSON.
func member(r *run, name string, a, b Value) (Value, error) {
	s := r.engine.Format(a, Type{})
	if d, ok := a.(document); ok {
		s = string(d)
	}
	keys := []Value{b}
	switch path := b.(type) {
	case []Value:
		keys = path
	case string:
		if name[0] == '#' {
			list, err := r.cast(path, Type{Kind: TextArray}, "")
			if err != nil {
				return nil, err
			}
			keys = list.([]Value)
		} else if r.engine == MySQL {
			keys = jsonPath(path)
		}
	}
	if err := r.step(len(s) / 16); err != nil {
		return nil, err
	}
	raw := json.RawMessage(s)
	for _, k := range keys {
		if raw = within(raw, k); raw == nil {
			return nil, nil
		}
	}
	return unwrapped(raw, strings.HasSuffix(name, ">>"))
}

// within is a member of a JSON value; nil if there is none.
func within(raw json.RawMessage, key Value) json.RawMessage {
	if n, ok := key.(int64); ok {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil || n >= int64(len(list)) || n < -int64(len(list)) {
			return nil
		}
		if n < 0 {
			n += int64(len(list))
		}
		return list[n]
	}
	name, _ := key.(string)
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		if n, err := strconv.ParseInt(name, 10, 32); err == nil {
			return within(raw, n)
		}
		return nil
	}
	return object[name]
}

// unwrapped is JSON as a value: as it is, or as text without quotes.
func unwrapped(raw json.RawMessage, plainText bool) (Value, error) {
	if !plainText {
		return document(raw), nil
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		if string(raw) == "null" {
			return nil, nil
		}
		return s, nil
	}
	return string(raw), nil
}

// jsonPath reads MySQL's "$.a.b[0]".
func jsonPath(path string) []Value {
	var keys []Value
	for part := range strings.FieldsFuncSeq(strings.TrimPrefix(path, "$"), func(c rune) bool { return c == '.' || c == '[' || c == ']' }) {
		if n, err := strconv.ParseInt(part, 10, 32); err == nil {
			keys = append(keys, n)
			continue
		}
		keys = append(keys, strings.Trim(part, `"`))
	}
	return keys
}
