package lex

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
)

// Strings yields every string of a JSON value, keys included, in a fixed
// order. What is too large or too deep yields nothing more.
func Strings(raw json.RawMessage) iter.Seq[string] {
	return func(yield func(string) bool) {
		Walk(raw, func(s string, _ bool) bool { return yield(s) })
	}
}

// Walk is stringsIn that tells keys apart.
func Walk(raw json.RawMessage, yield func(s string, key bool) bool) {
	var v any
	if len(raw) == 0 || len(raw) > MaxParams || json.Unmarshal(raw, &v) != nil {
		return
	}
	WalkValue(v, MaxDepth, yield)
}

// WalkValue is [Walk] for a decoded value. It ends when yield says so, and
// reports whether it did not.
func WalkValue(v any, depth int, yield func(s string, key bool) bool) bool {
	if depth == 0 {
		return true
	}
	switch v := v.(type) {
	case string:
		return yield(v, false)
	case []any:
		for _, e := range v {
			if !WalkValue(e, depth-1, yield) {
				return false
			}
		}
	case map[string]any:
		for _, k := range SortedKeys(v) {
			if !yield(k, true) || !WalkValue(v[k], depth-1, yield) {
				return false
			}
		}
	}
	return true
}

// SortedKeys are the keys of a map in order.
func SortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
