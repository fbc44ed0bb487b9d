package shape

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// The bounds of an answer.
// no gap: bounds our own made-up answers
const (
	maxValues = 6000
	maxSize   = 256 << 10
	// maxEntries bounds a list whose length the program asks for, maxTurns one that
	// has an element of each kind.
	maxEntries = 20
	maxTurns   = 6
)

// filler makes up what an answer lacks.
type filler struct {
	r    *Request
	left int // values that may be made
	room int // bytes that they may have
}

// place is where a value is. Values depend on the record and on the names below
// it, so that a record has the same ones in a list and by itself.
type place struct {
	record string
	id     int
	path   string
	name   string
	depth  int
	// index is that of the element of the innermost list, later is set below any
	// element but the first.
	index int
	later bool
}

// complete fills in a value. An answer that would become too large stays as it is.
func complete(r *Request, n *node, value any) any {
	f := &filler{r: r, left: maxValues, room: maxSize}
	at := place{record: collection(r.Path), id: ID(r.Seed, r.Domain, r.Path, 0)}
	if id, ok := Issued(r.Seed, r.Domain, r.Path); ok {
		at.id = id
	}
	return f.fill(n, value, true, &at)
}

// fill returns a value that a node expects: the given one if it fits. there is
// false if there is none.
func (f *filler) fill(n *node, v any, there bool, at *place) any {
	if f.left--; f.left < 0 || f.room < 0 || at.depth > maxDepth {
		return f.least(n, v)
	}
	switch kind := f.kind(n, v, there, at); kind {
	case object:
		return f.object(n, v, at)
	case array:
		return f.array(n, v, at)
	case null:
		return nil
	case "":
		return v
	default:
		return f.scalar(n, kind, v, there, at)
	}
}

// kind is what a value has to be, "" if anything that is there is good.
func (f *filler) kind(n *node, v any, there bool, at *place) string {
	switch {
	case n.kind != "":
		return n.kind
	case len(n.accepted) > 0:
		for _, kind := range []string{number, boolean} {
			if there && fits(kind, v) {
				return kind
			}
		}
		return text
	case n.form != "":
		return formKind(n.form)
	case !there:
		return guessKind(at.name)
	}
	return ""
}

// least is what costs nothing.
func (f *filler) least(n *node, v any) any {
	switch {
	case v != nil:
		return v
	case n.kind == object:
		return map[string]any{}
	case n.kind == array:
		return []any{}
	}
	return nil
}

func (f *filler) object(n *node, v any, at *place) any {
	o, ok := v.(map[string]any)
	if !ok {
		o = pageOf(n, v)
	}
	if n.closed {
		maps.DeleteFunc(o, func(name string, _ any) bool { return n.members[name] == nil })
	}
	for _, name := range n.names {
		child := n.members[name]
		if child.absent {
			delete(o, name)
			continue
		}
		before, there := o[name]
		f.room -= len(name) + 4
		below := &place{record: at.record, id: at.id, path: at.path + "/" + name, name: name, depth: at.depth + 1, index: at.index, later: at.later}
		if child.kind == object && identified(n) {
			below.id = ID(f.r.Seed, f.r.Domain, below.record+below.path, 0) // another record
		}
		o[name] = f.fill(child, before, there, below)
		if other := withUnderscores(name); other != name && n.members[other] == nil {
			if _, there := o[other]; there {
				o[other] = o[name] // many clients rename the members of an answer
			}
		}
	}
	f.decodable(n, o)
	return o
}

// withUnderscores writes a name such as createdAt as created_at.
func withUnderscores(name string) string {
	var out strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// pageOf is an object for what is none: the records of a list become those of the page
// that is wanted in its place.
func pageOf(n *node, v any) map[string]any {
	o := map[string]any{}
	list, _ := v.([]any)
	for _, name := range usualLists() {
		if child := n.members[name]; child != nil && child.kind == array && len(list) > 0 {
			o[name] = slices.Clone(list)
		}
	}
	return o
}

// identified says that an object is a record, and not a wrapping around one.
func identified(n *node) bool {
	for _, name := range []string{"id", "number", "gid", "uuid", "sid", "uid", "key"} {
		if n.members[name] != nil {
			return true
		}
	}
	return false
}

// decodable makes a content that is said to be base64 into that.
func (f *filler) decodable(n *node, o map[string]any) {
	content, ok := o["content"].(string)
	if !ok || n.members["content"] == nil || o["encoding"] != "base64" || isBase64(content) {
		return
	}
	o["content"] = sample64(content)
	if n.members["size"] != nil {
		o["size"] = len(content)
	}
}

func (f *filler) array(n *node, v any, at *place) any {
	list, ok := v.([]any)
	if o, is := v.(map[string]any); is && n.element == nil && len(o) > 0 {
		return []any{o} // what is there was taken for an array
	}
	element := n.element
	if element == nil {
		element = &node{kind: elementKind(at.name)}
		if element.kind == object {
			element = usualRecord()
		}
	}
	none := f.r.Later && at.depth <= 1 || formByName(at.name) == "nothing"
	if count, exact := entries(n, at.later); exact && !f.r.Later || (!ok || len(list) == 0) && !none {
		list = append(make([]any, 0, count), list[:min(len(list), count)]...)
		for len(list) < count {
			list = append(list, nil)
		}
	}
	if !ok && list == nil {
		return []any{}
	}
	for i := range list {
		list[i] = f.fill(element, list[i], list[i] != nil, f.entry(at, i))
	}
	return list
}

// entries is how many entries a list gets, and whether it must have as many: two,
// or one for each value that the program tells apart. Lists below later elements
// are shorter, or an answer would double with each list in a list.
func entries(n *node, later bool) (count int, exact bool) {
	if len(n.accepted) == 1 {
		if count, err := strconv.Atoi(n.accepted[0]); err == nil && count >= 0 && count <= maxEntries {
			return count, true
		}
	}
	if later {
		return 1, false
	}
	count = 2
	if n.element == nil {
		return count, false
	}
	for _, name := range n.element.names {
		if m := n.element.members[name]; m.turns {
			count = max(count, min(len(m.accepted), maxTurns))
		}
	}
	return count, false
}

// entry is the place of an element. The elements of a list at the top, or just
// below it, are the records of the collection that was asked for.
func (f *filler) entry(at *place, i int) *place {
	of := at.record
	if at.depth > 1 {
		of += at.path
	}
	id := ID(f.r.Seed, f.r.Domain, of, i)
	return &place{record: of + "/" + strconv.Itoa(id), id: id, name: singular(at.name), depth: at.depth + 1, index: i, later: at.later || i > 0}
}

func singular(name string) string {
	if stem, ok := strings.CutSuffix(name, "ies"); ok {
		return stem + "y"
	}
	return strings.TrimSuffix(name, "s")
}

func (f *filler) scalar(n *node, kind string, v any, there bool, at *place) any {
	if there && fits(kind, v) && !n.turns && (len(n.accepted) == 0 || slices.Contains(n.accepted, written(v))) && looks(n.form, v) {
		return v
	}
	var made any
	if word, ok := f.choice(n, at); ok {
		made = ofKind(kind, word)
	} else {
		made = f.make(kind, n.form, at)
	}
	f.room -= len(written(made)) + 4
	return made
}

// ofKind reads a written value.
func ofKind(kind, value string) any {
	switch kind {
	case number:
		if _, err := strconv.ParseFloat(value, 64); err == nil && json.Valid([]byte(value)) {
			return json.Number(value)
		}
		return 1
	case boolean:
		return value == "true"
	}
	return value
}
