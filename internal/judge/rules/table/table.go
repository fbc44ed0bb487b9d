// Package table reads the lists that stand beside the code as embedded YAML.
//
// In: a YAML document of ours. Out: a value of the type that it is written for.
package table

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Set is a list of words that are looked up.
type Set map[string]bool

// UnmarshalYAML reads a list. A word that stands there twice is a mistake.
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

// Must decodes an embedded document. What is wrong with it is a mistake of the
// one who wrote it, and every table has a test that loads it.
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
