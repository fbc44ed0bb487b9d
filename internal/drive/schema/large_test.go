package schema

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// Inputs are made as large as a schema demands, within reason; beyond that the
// error says so.
func TestGenerateLarge(t *testing.T) {
	for _, tt := range []struct {
		name, schema string
		tooLarge     bool
	}{
		{"65 elements", `{"type":"array","items":{"type":"string"},"minItems":65}`, false},
		{"1000 objects", `{"type":"array","items":{"type":"object","required":["a","b"],"properties":{"a":{"type":"string"},"b":{"type":"integer"}}},"minItems":1000}`, false},
		{"1000 different ones", `{"type":"array","items":{"type":"integer"},"minItems":1000,"uniqueItems":true}`, false},
		{"1000 that are contained", `{"type":"array","contains":{"type":"string"},"minContains":1000}`, false},
		{"500 properties", `{"type":"object","minProperties":500}`, false},
		{"a text of 5000", `{"type":"string","minLength":5000}`, false},
		{"a text of 64 KiB", `{"type":"string","minLength":65536}`, false},
		{"a pattern of 5000", `{"type":"string","pattern":"^[a-z]+$","minLength":5000}`, false},
		{"1001 elements", `{"type":"array","minItems":1001}`, true},
		{"a longer text", `{"type":"string","minLength":65537}`, true},
		{"many properties", `{"type":"object","minProperties":2000}`, true},
		{"many lists of many", `{"type":"array","minItems":500,"items":{"type":"array","minItems":500,"items":{"type":"string"}}}`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			raw := json.RawMessage(`{"type":"object","required":["x"],"properties":{"x":` + tt.schema + `}}`)
			_, err := Generate(raw, meaning.Values{}, 1)
			if tt.tooLarge != errors.Is(err, ErrTooLarge) || !tt.tooLarge && err != nil {
				t.Errorf("%v", err)
			}
		})
	}
	if _, err := Generate(json.RawMessage(`{"type":"object","required":["x"],"properties":{"x":{"not":{}}}}`), meaning.Values{}, 1); errors.Is(err, ErrTooLarge) {
		t.Errorf("one that nothing satisfies: %v", err)
	}
}
