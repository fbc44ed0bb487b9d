package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/document"
)

// Get returns the value of the arguments at a pointer; [mcpsf.PointerText] says how
// one leads into the document that a text holds.
func Get(args json.RawMessage, pointer string) (json.RawMessage, bool) {
	root, err := decode(args)
	if err != nil {
		return nil, false
	}
	value, ok := get(root, pointer)
	if !ok {
		return nil, false
	}
	raw, err := encode(value)
	return raw, err == nil
}

func get(root any, pointer string) (any, bool) {
	pointer, inside, inText := mcpsf.PointerText(pointer)
	parts, err := split(pointer)
	if err != nil {
		return nil, false
	}
	value, ok := find(root, parts)
	if !ok || !inText {
		return value, ok
	}
	text, _ := value.(string)
	held, ok := openText(text)
	if !ok {
		return nil, false
	}
	return get(held.value, inside)
}

// Put replaces the value of the arguments at a pointer. It creates missing objects
// and arrays on the way, but no text with a document; [MinimalWith] makes arguments in
// which these already satisfy the schema. An array grows by at most one element.
func Put(args json.RawMessage, pointer string, value any) (json.RawMessage, error) {
	root, err := decode(args)
	if err != nil {
		return nil, fmt.Errorf("putting a value into arguments: %w", err)
	}
	if root, err = putAt(root, pointer, value); err != nil {
		return nil, fmt.Errorf("putting a value at %.100q: %w", pointer, err)
	}
	return encodeWithin(root, maxPut)
}

func putAt(root any, pointer string, value any) (any, error) {
	pointer, inside, inText := mcpsf.PointerText(pointer)
	parts, err := split(pointer)
	if err != nil {
		return nil, err
	}
	if inText {
		old, _ := find(root, parts)
		text, _ := old.(string)
		held, ok := openText(text)
		if !ok {
			return nil, errors.New("there is no text that holds JSON")
		}
		if held.value, err = putAt(held.value, inside, value); err != nil {
			return nil, err
		}
		if value, err = held.text(); err != nil {
			return nil, err
		}
	}
	return put(root, parts, value)
}

func put(node any, parts []string, value any) (any, error) {
	if len(parts) == 0 {
		return value, nil
	}
	part := parts[0]
	switch n := node.(type) {
	case nil:
		inner, err := put(nil, parts[1:], value)
		if part == "0" {
			return []any{inner}, err
		}
		return map[string]any{part: inner}, err
	case map[string]any:
		inner, err := put(n[part], parts[1:], value)
		n[part] = inner
		return n, err
	case []any:
		i, err := index(part, len(n)+1)
		if err != nil {
			return nil, err
		}
		if i == len(n) {
			n = append(n, nil)
		}
		n[i], err = put(n[i], parts[1:], value)
		return n, err
	}
	return nil, errors.New("there is a value that has no parts")
}

// find returns the part of the value at a path.
func find(value any, parts []string) (any, bool) {
	for _, part := range parts {
		switch n := value.(type) {
		case map[string]any:
			inner, ok := n[part]
			if !ok {
				return nil, false
			}
			value = inner
		case []any:
			i, err := index(part, len(n))
			if err != nil {
				return nil, false
			}
			value = n[i]
		default:
			return nil, false
		}
	}
	return value, true
}

// split splits a pointer into its parts.
func split(pointer string) ([]string, error) {
	if pointer == "" {
		return nil, nil
	}
	if pointer[0] != '/' || strings.Count(pointer, "/") > maxNesting {
		return nil, fmt.Errorf("%.100q is not a JSON pointer we use", pointer)
	}
	parts := strings.Split(pointer[1:], "/")
	for i, part := range parts {
		parts[i] = mcpsf.PointerName(part)
	}
	return parts, nil
}

// pointerTo returns the JSON pointer of a path.
func pointerTo(path []string) string {
	pointer := ""
	for _, part := range path {
		pointer = join(pointer, part)
	}
	return pointer
}

// join appends one part to a JSON pointer.
func join(pointer, part string) string {
	return pointer + "/" + mcpsf.PointerPart(part)
}

// decode reads arguments within the bounds.
func decode(raw json.RawMessage) (any, error) {
	if len(raw) > maxInput {
		return nil, errors.New("the input is too large")
	}
	if document.Depth(raw) > maxNesting {
		return nil, errors.New("the input is nested too deeply")
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, errors.New("the input is not JSON")
	}
	return value, nil
}
