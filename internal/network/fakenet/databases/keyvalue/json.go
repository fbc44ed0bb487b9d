package keyvalue

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// jsonKind is what TYPE says of a JSON document.
const jsonKind = "ReJSON-RL"

// maxJSON is how deep a document may be, and how long a path.
// no gap: what a client sends is evidence whether it is stored or not
const maxJSON = 64

func jsonCommands() map[string]command {
	remove := command{1, 2, func(c *Session, a []string) any {
		if c.get(a[0]) == nil {
			return int64(0)
		}
		if len(a) == 1 || len(path(a[1])) == 0 {
			c.remove(a[0])
			return int64(1)
		}
		return c.change(a[0], jsonKind, func(e *entry) any {
			v, removed := without(decoded(e.text), path(a[1]))
			e.text = encoded(v)
			return flag(removed)
		})
	}}
	return map[string]command{
		"JSON.SET": {3, 4, func(c *Session, a []string) any {
			if !json.Valid([]byte(a[2])) || deep(a[2]) {
				return Fault("ERR expected value at line 1 column 1")
			}
			keys := path(a[1])
			if len(keys) > 0 && c.get(a[0]) == nil {
				return Fault("ERR new objects must be created at the root")
			}
			return c.change(a[0], jsonKind, func(e *entry) any {
				if len(keys) == 0 {
					e.text = a[2]
					return ok
				}
				e.text = encoded(with(decoded(e.text), keys, json.RawMessage(a[2])))
				return ok
			})
		}},
		"JSON.GET": {1, -1, getJSON}, "JSON.DEL": remove, "JSON.FORGET": remove,
		"JSON.TYPE": reading(jsonKind, 1, 2, nil, func(e *entry, a []string) any {
			v, found := inside(decoded(e.text), path(strings.Join(a, "")))
			if !found {
				return nil
			}
			return kindOf(v)
		}),
		"JSON.MGET": {2, -1, func(c *Session, a []string) any {
			list, size := List{}, 0
			for _, key := range a[:len(a)-1] {
				v := getJSON(c, []string{key, a[len(a)-1]})
				s, isText := v.(string)
				if size += len(s); size > maxReply {
					return noRoom
				}
				if !isText {
					v = nil
				}
				list = append(list, v)
			}
			return list
		}},
	}
}

func kindOf(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		if strings.ContainsAny(string(v), ".eE") {
			return "number"
		}
		return "integer"
	}
	return "null"
}

// getJSON answers the document, or what is at a path: as a list for a path that begins
// with a dollar sign.
func getJSON(c *Session, a []string) any {
	e, fits := c.typed(a[0], jsonKind)
	switch {
	case !fits:
		return wrongType
	case e == nil:
		return nil
	}
	paths := slices.DeleteFunc(slices.Clone(a[1:]), func(s string) bool {
		return strings.EqualFold(s, "INDENT") || strings.EqualFold(s, "NEWLINE") || strings.EqualFold(s, "SPACE") || strings.TrimSpace(s) == ""
	})
	if len(paths) == 0 {
		return e.text
	}
	v, found := inside(decoded(e.text), path(paths[0]))
	if strings.HasPrefix(paths[0], "$") {
		list := []any{}
		if found {
			list = append(list, v)
		}
		return encoded(list)
	}
	if !found {
		return Fault("ERR Path '" + clip(paths[0]) + "' does not exist")
	}
	return encoded(v)
}

// deep says that a document is too deep to be changed.
func deep(s string) bool {
	depth := 0
	for _, c := range s {
		switch c {
		case '[', '{':
			if depth++; depth > maxJSON {
				return true
			}
		case ']', '}':
			depth--
		}
	}
	return false
}

func decoded(s string) any {
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

func encoded(v any) string {
	p, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(p)
}

// path reads "$.a.b[0]" and ".a.b".
func path(s string) []string {
	keys := strings.FieldsFunc(strings.TrimPrefix(s, "$"), func(c rune) bool { return strings.ContainsRune(`.[]"'`, c) })
	return keys[:min(len(keys), maxJSON)]
}

func inside(v any, keys []string) (any, bool) {
	for _, k := range keys {
		switch from := v.(type) {
		case map[string]any:
			inner, found := from[k]
			if !found {
				return nil, false
			}
			v = inner
		case []any:
			n, err := strconv.Atoi(k)
			if err != nil || n < 0 || n >= len(from) {
				return nil, false
			}
			v = from[n]
		default:
			return nil, false
		}
	}
	return v, true
}

// with sets a value inside another.
func with(v any, keys []string, to any) any {
	if len(keys) == 0 {
		return to
	}
	switch from := v.(type) {
	case map[string]any:
		from[keys[0]] = with(from[keys[0]], keys[1:], to)
	case []any:
		if n, err := strconv.Atoi(keys[0]); err == nil && n >= 0 && n < len(from) {
			from[n] = with(from[n], keys[1:], to)
		}
	}
	return v
}

// without removes a value inside another.
func without(v any, keys []string) (any, bool) {
	outer, found := inside(v, keys[:len(keys)-1])
	if object, isObject := outer.(map[string]any); found && isObject {
		_, found = object[keys[len(keys)-1]]
		delete(object, keys[len(keys)-1])
		return v, found
	}
	return v, false
}

// search answers the commands of the search module: indexes can be made and have
// nothing in them.
func (c *Session) search(name string, args []string) any {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	if name == "FT._LIST" {
		return texts(c.store.indexes)
	}
	if len(args) == 0 {
		return Fault("ERR wrong number of arguments for '" + clip(name) + "' command")
	}
	known := slices.Contains(c.store.indexes, args[0])
	switch {
	case name == "FT.CREATE" && known:
		return Fault("Index already exists")
	case name == "FT.CREATE" && len(c.store.indexes) < maxIndexes:
		c.store.indexes = append(c.store.indexes, clip(args[0]))
		return ok
	case !known:
		return Fault("Unknown index name")
	case name == "FT.SEARCH" || name == "FT.AGGREGATE":
		return List{int64(0)}
	case name == "FT.INFO":
		return Map{"index_name", args[0], "num_docs", "0"}
	case name == "FT.DROPINDEX":
		c.store.indexes = slices.DeleteFunc(c.store.indexes, func(s string) bool { return s == args[0] })
	}
	return ok
}
