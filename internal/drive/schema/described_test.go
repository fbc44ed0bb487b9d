package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

func TestDescribed(t *testing.T) {
	got := schema.Described(json.RawMessage(`{"path":"/a","n":1,"deep":true,"list":["x"],"more":{"a":1}}`))
	places := map[string]string{}
	for _, p := range schema.Places(got, meaning.Values{}, 1) {
		places[p.Pointer] = p.Type
	}
	for pointer, typ := range map[string]string{"/path": "string", "/n": "number", "/deep": "boolean", "/list/0": "string", "/more": "object"} {
		if places[pointer] != typ {
			t.Errorf("%s is %q, want %q", pointer, places[pointer], typ)
		}
	}
	if got := schema.Described(json.RawMessage(`[1]`)); got != nil {
		t.Errorf("a list is described as %s", got)
	}
}
