package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcpsf/mcpsf/internal/document"
)

// Bounds of a schema. Real schemas are far smaller; a larger one is not
// checked.
// gap: tools-failed
const (
	maxSize     = 1 << 20
	maxNesting  = 64
	maxExponent = 300
	maxDigits   = 400
)

// parse decodes a schema within the bounds.
func parse(raw []byte) (any, error) {
	if len(raw) > maxSize {
		return nil, errors.New("the schema is too large")
	}
	if document.Depth(raw) > maxNesting { // checked before any parser recurses
		return nil, errors.New("the schema is nested too deeply")
	}
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	switch root.(type) {
	case map[string]any, bool:
	default:
		return nil, errors.New("the schema is not an object")
	}
	return root, nil
}

// numbers refuses numbers that exact arithmetic would expand to megabytes.
func numbers(v any) error {
	switch v := v.(type) {
	case json.Number:
		_, exponent, _ := strings.Cut(strings.ToLower(string(v)), "e")
		n, err := strconv.Atoi("0" + strings.TrimLeft(exponent, "+-"))
		if len(v) > maxDigits || err != nil || n > maxExponent {
			return errors.New("the schema has an extreme number")
		}
	case []any:
		for _, e := range v {
			if err := numbers(e); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, e := range v {
			if err := numbers(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// compile returns a function that reports whether a value satisfies the schema,
// or an error if the schema cannot be compiled.
func compile(root any) (check func(any) bool, err error) {
	// The library is third-party and the input is hostile: it may panic.
	defer func() {
		if r := recover(); r != nil {
			check, err = nil, errors.New("the schema does not compile")
		}
	}()
	if err := errors.Join(embedded(root, true), numbers(root)); err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(denied{})
	c.AssertFormat()
	patterns := patternBudget(maxPatternCost)
	c.UseRegexpEngine(patterns.compile)
	const location = "mem:///input.json"
	if err := c.AddResource(location, root); err != nil {
		return nil, fmt.Errorf("the schema does not compile: %w", err)
	}
	compiled, err := c.Compile(location)
	if err != nil {
		return nil, fmt.Errorf("the schema does not compile: %w", err)
	}
	return func(v any) bool { return affordable(root, v) && validate(compiled, v) }, nil
}

func validate(s *jsonschema.Schema, v any) (valid bool) {
	defer func() {
		if recover() != nil {
			valid = false
		}
	}()
	return s.Validate(v) == nil
}

// denied refuses to load any URL: by default the library opens file URLs.
type denied struct{}

func (denied) Load(url string) (any, error) {
	return nil, fmt.Errorf("reference to %.100q is not followed", url)
}

// maxPattern bounds one regular expression, maxPatternCost all of a schema.
// gap: tools-failed
const (
	maxPattern     = 1 << 10
	maxPatternCost = 10_000
)

// patternBudget is the cost that the regular expressions of one schema may
// still add.
type patternBudget int

func (b *patternBudget) compile(pattern string) (jsonschema.Regexp, error) {
	e, cost, err := compilePattern(pattern)
	if err != nil {
		return nil, err
	}
	if *b -= patternBudget(cost); *b < 0 {
		return nil, errors.New("the patterns are too expensive")
	}
	return e, nil
}
