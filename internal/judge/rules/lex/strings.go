package lex

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strconv"

	"github.com/mcpsf/mcpsf"
)

// Strings yields every string of a JSON value, keys included, in a fixed order.
// It stops at parts that are too large or too deep.
func Strings(raw json.RawMessage) iter.Seq[string] {
	return func(yield func(string) bool) {
		Walk(raw, func(s string, _ bool) bool { return yield(s) })
	}
}

// Walk is like [Strings] and tells keys from values.
func Walk(raw json.RawMessage, yield func(s string, key bool) bool) {
	var v any
	if len(raw) == 0 || len(raw) > MaxParams || json.Unmarshal(raw, &v) != nil {
		return
	}
	WalkValue(v, MaxDepth, yield)
}

// WalkValue is [Walk] for a decoded value. It stops when yield returns false,
// and reports whether it reached the end.
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

// Place is a string in a JSON value: its JSON pointer, and whether it is the
// name of a member.
type Place struct {
	Pointer, Value string
	Key            bool
}

// Places yields every string of a JSON value with its place, below a pointer.
// Its order and bounds are those of [Walk].
func Places(raw json.RawMessage, pointer string) iter.Seq[Place] {
	return func(yield func(Place) bool) {
		var v any
		if len(raw) > 0 && len(raw) <= MaxParams && json.Unmarshal(raw, &v) == nil {
			places(v, pointer, MaxDepth, yield)
		}
	}
}

func places(v any, pointer string, depth int, yield func(Place) bool) bool {
	if depth == 0 {
		return true
	}
	switch v := v.(type) {
	case string:
		return yield(Place{Pointer: pointer, Value: v})
	case []any:
		for i, e := range v {
			if !places(e, pointer+"/"+strconv.Itoa(i), depth-1, yield) {
				return false
			}
		}
	case map[string]any:
		for _, k := range SortedKeys(v) {
			at := pointer + "/" + mcpsf.PointerPart(k)
			if !yield(Place{Pointer: at, Value: k, Key: true}) || !places(v[k], at, depth-1, yield) {
				return false
			}
		}
	}
	return true
}

// SortedKeys returns the keys of a map in order.
func SortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
