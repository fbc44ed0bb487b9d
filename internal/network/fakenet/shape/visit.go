package shape

import (
	"encoding/json"
	"slices"
	"strconv"
)

// maxParts is how many parts of an answer are looked at.
// no gap: bounds our own made-up answers
const maxParts = 2000

// visit calls a function with the parts of a value, in a fixed order: of a list
// the first element.
func visit(v any, part func(path []string, v any)) {
	left := maxParts
	visitBelow(v, nil, &left, part)
}

func visitBelow(v any, path []string, left *int, part func(path []string, v any)) {
	if *left--; *left < 0 {
		return
	}
	part(path, v)
	if len(path) > maxLookInto {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range sortedKeys(v) {
			if permittedName(name) {
				visitBelow(v[name], append(slices.Clone(path), name), left, part)
			}
		}
	case []any:
		if len(v) > 0 {
			visitBelow(v[0], append(slices.Clone(path), "0"), left, part)
		}
	}
}

// valueAt follows a path; false if nothing is there. Of a list it looks at the
// first element.
func valueAt(v any, path []string) (any, bool) {
	for _, name := range path {
		switch of := v.(type) {
		case map[string]any:
			next, ok := of[name]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			if !isIndex(name) || len(of) == 0 {
				return nil, false
			}
			v = of[0]
		default:
			return nil, false
		}
	}
	return v, true
}

// fits says whether a value is of a kind.
func fits(kind string, v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return kind == object
	case []any:
		return kind == array
	case string:
		return kind == text
	case bool:
		return kind == boolean
	case nil:
		return kind == null
	case float64, int, int64, json.Number:
		_ = v
		return kind == number
	}
	return false
}

// written is a scalar as text.
func written(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case int:
		return strconv.Itoa(v)
	case nil:
		return null
	}
	return ""
}
