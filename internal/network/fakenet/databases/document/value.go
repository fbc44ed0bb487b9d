package document

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"
)

// A value is nil, bool, int32, int64, float64, string, time.Time, [ID], [Binary],
// [Regexp], [Doc], [List], or [Other].
type (
	// ID is an ObjectId.
	ID [12]byte
	// Binary is a piece of bytes with its subtype.
	Binary struct {
		Kind byte
		Data []byte
	}
	// Regexp is a regular expression.
	Regexp struct{ Pattern, Options string }
	// Other is a value of a type that is stored and not looked into.
	Other struct {
		Kind byte
		Data []byte
	}
	// Doc is a document: its members keep their order.
	Doc []Member
	// List is an array.
	List []any
)

// Member is a member of a document.
type Member struct {
	Name  string
	Value any
}

// Get is the value of a member; false if there is none.
func (d Doc) Get(name string) (any, bool) {
	for i := range d {
		if d[i].Name == name {
			return d[i].Value, true
		}
	}
	return nil, false
}

// Text is a member that is a text.
func (d Doc) Text(name string) string {
	v, _ := d.Get(name)
	s, _ := v.(string)
	return s
}

func (d Doc) doc(name string) Doc {
	v, _ := d.Get(name)
	inner, _ := v.(Doc)
	return inner
}

func (d Doc) list(name string) List {
	v, _ := d.Get(name)
	inner, _ := v.(List)
	return inner
}

func (d Doc) flag(name string) bool {
	v, _ := d.Get(name)
	f, isNumber := number(v)
	return v == true || isNumber && f != 0
}

func (d Doc) number(name string) (int, bool) {
	v, _ := d.Get(name)
	f, isNumber := number(v)
	return int(max(min(f, 1<<31), -1<<31)), isNumber
}

// set returns the document with a member; the old one stays as it is.
func (d Doc) set(name string, v any) Doc {
	out := slices.Clone(d)
	for i := range out {
		if out[i].Name == name {
			out[i].Value = v
			return out
		}
	}
	return append(out, Member{name, v})
}

func (d Doc) without(name string) Doc {
	return slices.DeleteFunc(slices.Clone(d), func(m Member) bool { return m.Name == name })
}

// number is a value as a number.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int32:
		return float64(v), true
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// size is about how many bytes a value takes.
func size(v any) int {
	switch v := v.(type) {
	case string:
		return 32 + len(v)
	case Binary:
		return 48 + len(v.Data)
	case Other:
		return 48 + len(v.Data)
	case Regexp:
		return 48 + len(v.Pattern)
	case Doc:
		n := 48
		for _, m := range v {
			n += 32 + len(m.Name) + size(m.Value)
		}
		return n
	case List:
		n := 48
		for _, one := range v {
			n += 16 + size(one)
		}
		return n
	}
	return 32
}

// rank is the place of a type in the order of MongoDB.
func rank(v any) int {
	switch v.(type) {
	case nil:
		return 1
	case int32, int64, float64:
		return 2
	case string:
		return 3
	case Doc:
		return 4
	case List:
		return 5
	case Binary:
		return 6
	case ID:
		return 7
	case bool:
		return 8
	case time.Time:
		return 9
	case Regexp:
		return 11
	}
	return 12
}

// compare orders two values of any types.
func compare(a, b any) int {
	if c := cmp.Compare(rank(a), rank(b)); c != 0 {
		return c
	}
	switch x := a.(type) {
	case int32, int64, float64:
		f, _ := number(a)
		g, _ := number(b)
		return cmp.Compare(f, g)
	case string:
		return strings.Compare(x, b.(string))
	case ID:
		y := b.(ID)
		return bytes.Compare(x[:], y[:])
	case bool:
		y := b.(bool)
		return cmp.Compare(map[bool]int{true: 1}[x], map[bool]int{true: 1}[y])
	case time.Time:
		return x.Compare(b.(time.Time))
	case Binary:
		return bytes.Compare(x.Data, b.(Binary).Data)
	case Regexp:
		return strings.Compare(x.Pattern, b.(Regexp).Pattern)
	case Doc:
		y := b.(Doc)
		for i := range min(len(x), len(y)) {
			if c := cmp.Or(strings.Compare(x[i].Name, y[i].Name), compare(x[i].Value, y[i].Value)); c != 0 {
				return c
			}
		}
		return cmp.Compare(len(x), len(y))
	case List:
		y := b.(List)
		for i := range min(len(x), len(y)) {
			if c := compare(x[i], y[i]); c != 0 {
				return c
			}
		}
		return cmp.Compare(len(x), len(y))
	case Other:
		if y, ok := b.(Other); ok {
			return cmp.Or(cmp.Compare(x.Kind, y.Kind), bytes.Compare(x.Data, y.Data))
		}
	}
	return 0
}

// typeName is what $type and errors call a type.
func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case int32:
		return "int"
	case int64:
		return "long"
	case float64:
		return "double"
	case string:
		return "string"
	case bool:
		return "bool"
	case time.Time:
		return "date"
	case ID:
		return "objectId"
	case Doc:
		return "object"
	case List:
		return "array"
	case Regexp:
		return "regex"
	case Binary:
		return "binData"
	}
	return "undefined"
}
