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
	return walked(raw, true)
}

// valuesIn is stringsIn without the keys.
func valuesIn(raw json.RawMessage) iter.Seq[string] {
	return walked(raw, false)
}

func walked(raw json.RawMessage, keys bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		var v any
		if len(raw) == 0 || len(raw) > maxParams || json.Unmarshal(raw, &v) != nil {
			return
		}
		walkStrings(v, maxDepth, keys, yield)
	}
}

func walkStrings(v any, depth int, keys bool, yield func(string) bool) bool {
	if depth == 0 {
		return true
	}
	switch v := v.(type) {
	case string:
		return yield(v)
	case []any:
		for _, e := range v {
			if !walkStrings(e, depth-1, keys, yield) {
				return false
			}
		}
	case map[string]any:
		for _, k := range sortedKeys(v) {
			if keys && !yield(k) || !walkStrings(v[k], depth-1, keys, yield) {
				return false
			}
		}
	}
	return true
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
