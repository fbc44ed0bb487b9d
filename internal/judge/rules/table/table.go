// Package table reads the lists that are embedded as YAML beside the code.
//
// In: a YAML document of ours. Out: a value of the type that matches it.
package table

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Set is a set of words.
type Set map[string]bool

// UnmarshalYAML reads a list. A duplicate word is an error.
func (s *Set) UnmarshalYAML(node *yaml.Node) error {
	var words []string
	if err := node.Decode(&words); err != nil {
		return err
	}
	*s = make(Set, len(words))
	for _, w := range words {
		if (*s)[w] {
			return fmt.Errorf("line %d: %q stands there twice", node.Line, w)
		}
		(*s)[w] = true
	}
	return nil
}

// Must decodes an embedded document and panics on an error, which is a mistake
// in our source. Every table has a test that loads it.
func Must[T any](data []byte) *T {
	into := new(T)
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(into); err != nil {
		panic(fmt.Sprintf("an embedded table: %v", err))
	}
	return into
}

var _ yaml.Unmarshaler = (*Set)(nil)
