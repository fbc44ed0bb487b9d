package document

import (
	"slices"
	"strconv"
	"strings"
)

// maxPath is how many parts the path of a member has.
// no gap: what a client sends is evidence whether it is stored or not
const maxPath = 32

func parts(path string) []string {
	list := strings.Split(path, ".")
	return list[:min(len(list), maxPath)]
}

// at finds the values at a path: more than one where arrays lie on it.
func at(v any, path []string) []any {
	if len(path) == 0 {
		return []any{v}
	}
	switch from := v.(type) {
	case Doc:
		if inner, found := from.Get(path[0]); found {
			return at(inner, path[1:])
		}
	case List:
		if n, err := strconv.Atoi(path[0]); err == nil && n >= 0 && n < len(from) {
			return at(from[n], path[1:])
		}
		var out []any
		for _, one := range from {
			if inner, isDoc := one.(Doc); isDoc {
				out = append(out, at(inner, path)...)
			}
		}
		return out
	}
	return nil
}

// one is the value at a path for expressions: an array of several.
func one(v any, path string) any {
	list := at(v, parts(path))
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return List(list)
}

// put returns a value with another at a path.
func put(v any, path []string, to any) any {
	if len(path) == 0 {
		return to
	}
	switch from := v.(type) {
	case List:
		n, err := strconv.Atoi(path[0])
		if err != nil || n < 0 || n > len(from) {
			return v
		}
		out := slices.Clone(from)
		if n == len(from) {
			out = append(out, nil)
		}
		out[n] = put(out[n], path[1:], to)
		return out
	case Doc:
		inner, _ := from.Get(path[0])
		return from.set(path[0], put(inner, path[1:], to))
	}
	return Doc{{path[0], put(nil, path[1:], to)}}
}

// cut returns a value without what is at a path.
func cut(v any, path []string) any {
	from, isDoc := v.(Doc)
	if !isDoc {
		if list, isList := v.(List); isList {
			out := slices.Clone(list)
			for i := range out {
				out[i] = cut(out[i], path)
			}
			return out
		}
		return v
	}
	if len(path) == 1 {
		return from.without(path[0])
	}
	if inner, found := from.Get(path[0]); found {
		return from.set(path[0], cut(inner, path[1:]))
	}
	return v
}
