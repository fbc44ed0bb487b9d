package relational

import (
	"encoding/json"
	"strings"
)

func jsonFunctions() map[string]function {
	kind := Type{Kind: JSON}
	build := function{most: -1, result: kind, nulls: true, call: buildObject}
	list := function{most: -1, result: kind, nulls: true, call: func(r *run, a []Value) (Value, error) { return madeJSON(r, jsonText(a)) }}
	to := function{least: 1, most: 2, result: kind, call: func(r *run, a []Value) (Value, error) {
		if d, ok := a[0].(document); ok {
			return d, nil
		}
		return madeJSON(r, jsonText(a[0]))
	}}
	length := function{least: 1, most: 2, result: Type{Kind: Int4}, call: func(r *run, a []Value) (Value, error) {
		var list []json.RawMessage
		if json.Unmarshal([]byte(r.show(a[0])), &list) != nil {
			return nil, nil //nolint:nilerr // what is no list has no length
		}
		return int64(len(list)), r.step(len(list))
	}}
	return map[string]function{
		"json_build_object": build, "jsonb_build_object": build, "json_object": build, "json_build_array": list, "jsonb_build_array": list,
		"json_array": list, "to_json": to, "to_jsonb": to, "row_to_json": to, "json_array_length": length, "jsonb_array_length": length, "json_length": length,
		"json_extract": {least: 2, most: 2, result: kind, call: extractJSON},
		"json_unquote": {least: 1, most: 1, result: Type{Kind: Text}, call: func(r *run, a []Value) (Value, error) {
			return unwrapped(json.RawMessage(r.show(a[0])), true)
		}},
		"json_valid": {least: 1, most: 1, result: Type{Kind: Bool}, call: func(r *run, a []Value) (Value, error) {
			return json.Valid([]byte(r.show(a[0]))), nil
		}},
		"jsonb_pretty": {least: 1, most: 1, result: Type{Kind: Text}, call: func(r *run, a []Value) (Value, error) { return r.show(a[0]), nil }},
		"extractvalue": {least: 2, most: 2, result: Type{Kind: Text}, call: xpath},
		"updatexml":    {least: 3, most: 3, result: Type{Kind: Text}, call: xpath},
	}
}

func madeJSON(r *run, s string) (Value, error) {
	v, err := r.made(s)
	if err != nil {
		return nil, err
	}
	return document(v.(string)), nil
}

func buildObject(r *run, a []Value) (Value, error) {
	var names []string
	var values []Value
	for i := 0; i+1 < len(a); i += 2 {
		names, values = append(names, r.show(a[i])), append(values, a[i+1])
	}
	return madeJSON(r, jsonObject(names, values))
}

func extractJSON(r *run, a []Value) (Value, error) {
	path := r.show(a[1])
	if r.engine == MySQL && !strings.HasPrefix(path, "$") {
		return nil, &Error{State: "42000", Number: 3143, Message: "Invalid JSON path expression. The error is around character position 1."}
	}
	if !json.Valid([]byte(r.show(a[0]))) {
		return nil, &Error{State: "22032", Number: 3141, Message: `Invalid JSON text in argument 1 to function json_extract: "Invalid value." at position 0.`}
	}
	return member(r, "->", a[0], path)
}

// xpath is how error messages of MySQL come to hold data: the path is quoted.
func xpath(r *run, a []Value) (Value, error) {
	path := r.show(a[1])
	if path == "" || letter(path[0]) || path[0] == '/' {
		return "", nil
	}
	return nil, &Error{State: "HY000", Number: 1105, Message: "XPATH syntax error: '" + path[:min(len(path), 32)] + "'"}
}
