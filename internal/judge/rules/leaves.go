package rules

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
)

// stringsIn yields every string of a JSON value, keys included, in a fixed
// order. What is too large or too deep yields nothing more.
func stringsIn(raw json.RawMessage) iter.Seq[string] {
	return func(yield func(string) bool) {
		walked(raw, func(s string, _ bool) bool { return yield(s) })
	}
}

// walked is stringsIn that tells keys apart.
func walked(raw json.RawMessage, yield func(s string, key bool) bool) {
	var v any
	if len(raw) == 0 || len(raw) > maxParams || json.Unmarshal(raw, &v) != nil {
		return
	}
	walkStrings(v, maxDepth, yield)
}

func walkStrings(v any, depth int, yield func(s string, key bool) bool) bool {
	if depth == 0 {
		return true
	}
	switch v := v.(type) {
	case string:
		return yield(v, false)
	case []any:
		for _, e := range v {
			if !walkStrings(e, depth-1, yield) {
				return false
			}
		}
	case map[string]any:
		for _, k := range sortedKeys(v) {
			if !yield(k, true) || !walkStrings(v[k], depth-1, yield) {
				return false
			}
		}
	}
	return true
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
