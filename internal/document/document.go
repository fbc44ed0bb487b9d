package document

import (
	"errors"
	"fmt"
	"iter"
	"strings"
)

// How much of a document is read.
// no gap: a larger document is not used, and its reader says so
const (
	// MaxDepth bounds lists in lists. Lock files of npm 6 nest most, two
	// levels for each package in a package.
	MaxDepth = 128
	// MaxValues bounds the values of one document: 25,000 packages with 20
	// fields each.
	MaxValues = 500_000
)

var (
	errDeep = fmt.Errorf("it is nested deeper than %d levels", MaxDepth)
	errMany = fmt.Errorf("it has more than %d values", MaxValues)
	errEnd  = errors.New("it ends too early")
)

type kind uint8

const (
	none   kind = iota
	text        // a string
	word        // a number, a truth value, a date: anything written without quotes
	list        // values
	object      // keys and values
)

// Value is one value of a document. A nil *Value is as good as an absent one.
type Value struct {
	kind   kind
	text   string
	keys   []string
	values []Value
	// index is where the keys are, for objects that are built by name.
	index map[string]int
}

// Text is the string, "" of anything else.
func (v *Value) Text() string {
	if v == nil || v.kind != text {
		return ""
	}
	return v.text
}

// Word is the string, or what stands there without quotes.
func (v *Value) Word() string {
	if v == nil {
		return ""
	}
	return v.text
}

// True reports whether the value is the truth value.
func (v *Value) True() bool { return v != nil && v.kind == word && v.text == "true" }

// IsObject reports whether it has keys, even if they are none.
func (v *Value) IsObject() bool { return v != nil && v.kind == object }

// IsList reports whether it is a list, even an empty one.
func (v *Value) IsList() bool { return v != nil && v.kind == list }

// Get follows the keys. Where a key is there twice the last one counts.
func (v *Value) Get(keys ...string) *Value {
	for _, key := range keys {
		if v = v.field(key); v == nil {
			return nil
		}
	}
	return v
}

func (v *Value) field(key string) *Value {
	if v == nil || v.kind != object {
		return nil
	}
	if v.index != nil {
		if i, ok := v.index[key]; ok {
			return &v.values[i]
		}
		return nil
	}
	for i := len(v.keys) - 1; i >= 0; i-- {
		if v.keys[i] == key {
			return &v.values[i]
		}
	}
	return nil
}

// At is the value at a place of a list.
func (v *Value) At(i int) *Value {
	if v == nil || v.kind != list || i < 0 || i >= len(v.values) {
		return nil
	}
	return &v.values[i]
}

// Items are the values of a list.
func (v *Value) Items() iter.Seq[*Value] {
	return func(yield func(*Value) bool) {
		if v == nil || v.kind != list {
			return
		}
		for i := range v.values {
			if !yield(&v.values[i]) {
				return
			}
		}
	}
}

// Fields are the keys and values of an object, in the order of the document.
func (v *Value) Fields() iter.Seq2[string, *Value] {
	return func(yield func(string, *Value) bool) {
		if v == nil || v.kind != object {
			return
		}
		for i := range v.values {
			if !yield(v.keys[i], &v.values[i]) {
				return
			}
		}
	}
}

// Texts are the strings of a list.
func (v *Value) Texts() []string {
	var out []string
	for item := range v.Items() {
		if item.kind == text {
			out = append(out, item.text)
		}
	}
	return out
}

// add puts a value into a list, or into an object under the key.
func (v *Value) add(key string, of Value) {
	if v.kind == object {
		v.keys = append(v.keys, key)
		if v.index != nil {
			v.index[key] = len(v.values)
		}
	}
	v.values = append(v.values, of)
}

// at says in which line a mistake is.
func at(err error, whole, rest string) error {
	return fmt.Errorf("line %d: %w", 1+strings.Count(whole[:len(whole)-len(rest)], "\n"), err)
}
