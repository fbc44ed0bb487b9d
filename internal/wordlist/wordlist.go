package wordlist

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Set is a table for looking up single words.
type Set map[string]bool

// Has reports whether a word is in the table.
func (s Set) Has(word string) bool { return s[word] }

// Any reports whether one of the words is in the table.
func (s Set) Any(words []string) bool {
	return slices.ContainsFunc(words, s.Has)
}

// UnmarshalYAML reads a list.
func (s *Set) UnmarshalYAML(n *yaml.Node) error {
	var list []string
	if err := n.Decode(&list); err != nil {
		return err
	}
	*s = make(Set, len(list))
	for _, w := range list {
		if s.Has(w) {
			return fmt.Errorf("line %d: %q is there twice", n.Line, w)
		}
		(*s)[w] = true
	}
	return nil
}

// Read fills a struct with the tables of a file.
func Read[T any](data []byte) (*T, error) {
	tables := new(T)
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(tables); err != nil {
		return nil, fmt.Errorf("reading a table of words: %w", err)
	}
	if name := empty(reflect.ValueOf(tables).Elem()); name != "" {
		return nil, fmt.Errorf("reading a table of words: %s is empty", name)
	}
	return tables, nil
}

// empty is the name of a table that has no words, "" if there is none.
func empty(v reflect.Value) string {
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if f := v.Field(i); f.Kind() == reflect.Struct {
			if inner := empty(f); inner != "" {
				return name + "." + inner
			}
		} else if f.Len() == 0 {
			return name
		}
	}
	return ""
}

// Must is [Read] for embedded files; it panics on an error.
func Must[T any](data []byte) *T {
	tables, err := Read[T](data)
	if err != nil {
		panic(err)
	}
	return tables
}
