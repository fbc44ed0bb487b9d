// Package schema makes inputs for tools: a JSON Schema as servers write them
// comes in, one plausible value that it accepts goes out.
//
// The schema is hostile. Its size, its nesting and the work it can cause are
// bounded before anything is done with it, and nothing outside of it is ever
// loaded.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
)

// ErrUnsatisfied says that the value could not be shown to satisfy the
// schema. The value that comes with it is the best that was found.
var ErrUnsatisfied = errors.New("no input was found that satisfies the schema")

// variants is how many different values are tried.
const variants = 8

// Generate returns a value for the schema: the same for the same arguments,
// wherever and whenever it is called. Properties named like something in
// values get that. A missing schema gives an empty object.
//
// The only error is [ErrUnsatisfied], and there is a usable value beside it.
func Generate(raw json.RawMessage, values Values, seed uint64) (json.RawMessage, error) {
	empty := json.RawMessage(`{}`)
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return empty, nil
	}
	root, err := parse(raw)
	if err != nil {
		return empty, fmt.Errorf("%w: %w", ErrUnsatisfied, err)
	}
	check, unchecked := compile(root)
	var best json.RawMessage
	for variant := range variants {
		g := &generator{
			root: root, values: values.withDefaults(), variant: variant,
			random: rand.New(rand.NewPCG(seed, uint64(variant))),
		}
		value := g.input()
		out, err := encode(value)
		if err != nil {
			continue
		}
		if best == nil {
			best = out
		}
		if unchecked != nil {
			return best, fmt.Errorf("%w: %w", ErrUnsatisfied, unchecked)
		}
		if check(value) {
			return out, nil
		}
	}
	if best == nil {
		best = empty
	}
	return best, ErrUnsatisfied
}

// maxInput bounds what we send.
const maxInput = 256 << 10

func encode(value any) (json.RawMessage, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, fmt.Errorf("encoding an input: %w", err)
	}
	if buf.Len() > maxInput {
		return nil, errors.New("the input is too large")
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
