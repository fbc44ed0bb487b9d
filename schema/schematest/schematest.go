// Package schematest checks what mcpsf wrote against the published schemas, with
// validators that share no code with the encoder: a Go one, always, and Python's
// jsonschema where it is installed.
package schematest

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Validate returns what is wrong with a document by a schema, nil if nothing is.
func Validate(schema string, document []byte) error {
	s, err := compile(schema)
	if err != nil {
		return err
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return fmt.Errorf("reading the document: %w", err)
	}
	return s.Validate(instance)
}

// ValidateLines does so for every line of a document such as events.jsonl.
func ValidateLines(schema string, document []byte) error {
	s, err := compile(schema)
	if err != nil {
		return err
	}
	number := 0
	for line := range bytes.Lines(document) {
		number++
		instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err == nil {
			err = s.Validate(instance)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	return nil
}

func compile(schema string) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.UseLoader(noReferences{})
	if err := c.AddResource("mem:///schema.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("mem:///schema.json")
}

// noReferences keeps a schema from loading anything.
type noReferences struct{}

// Load refuses every reference.
func (noReferences) Load(url string) (any, error) {
	return nil, fmt.Errorf("reference %s refused", url)
}
