package flows

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestTakesText(t *testing.T) {
	for _, tt := range []struct {
		schema string
		want   textArgument
	}{
		{``, textArgument{any: true}},
		{`nonsense`, textArgument{any: true}},
		{`[]`, textArgument{any: true}},
		{`{}`, textArgument{}},
		{`{"type":"object","properties":{}}`, textArgument{}},
		{`{"type":"object","properties":{"q":{"type":"string"}}}`, textArgument{true, "q"}},
		{`{"properties":{"q":{"type":["string","null"]}}}`, textArgument{true, "q"}},
		{`{"properties":{"n":{"type":"integer"},"b":{"type":"boolean"}}}`, textArgument{}},
		{`{"properties":{"unit":{"type":"string","enum":["a","b"]}}}`, textArgument{}},
		{`{"properties":{"unit":{"const":"a"}}}`, textArgument{}},
		{`{"properties":{"any":{}}}`, textArgument{true, "any"}},
		{`{"properties":{"any":true}}`, textArgument{true, "any"}},
		{`{"properties":{"none":false}}`, textArgument{}},
		{`{"properties":{"list":{"type":"array","items":{"type":"string"}}}}`, textArgument{true, "list"}},
		{`{"properties":{"list":{"type":"array","items":{"type":"number"}}}}`, textArgument{}},
		{`{"properties":{"list":{"type":"array"}}}`, textArgument{true, "list"}},
		{`{"properties":{"o":{"type":"object","properties":{"deep":{"type":"string"}}}}}`, textArgument{true, "o"}},
		{`{"properties":{"o":{"type":"object"}}}`, textArgument{true, "o"}},
		{`{"properties":{"o":{"type":"object","additionalProperties":false}}}`, textArgument{}},
		{`{"properties":{"o":{"anyOf":[{"type":"number"},{"type":"string"}]}}}`, textArgument{true, "o"}},
		{`{"properties":{"o":{"anyOf":[{"type":"number"},{"type":"null"}]}}}`, textArgument{}},
		{`{"properties":{"o":{"$ref":"#/x"}}}`, textArgument{true, "o"}},
		{`{"properties":{"b":{"type":"string"},"a":{"type":"string"}}}`, textArgument{true, "a"}},
		{`{"properties":[]}`, textArgument{any: true}},
		{`{"type":"object","additionalProperties":{"type":"string"}}`, textArgument{any: true}},
		{`{"type":"object","additionalProperties":false}`, textArgument{}},
		{`{"oneOf":[{"properties":{"q":{"type":"string"}}}]}`, textArgument{any: true}},
		{`{"properties":{"deep":` + strings.Repeat(`{"items":`, 50) + `{"type":"number"}` + strings.Repeat(`}`, 50) + `}}`, textArgument{true, "deep"}},
	} {
		if got := takesText(json.RawMessage(tt.schema)); got != tt.want {
			t.Errorf("%.80s: got %+v, want %+v", tt.schema, got, tt.want)
		}
	}
	var wide []string
	for i := range 5000 {
		wide = append(wide, fmt.Sprintf(`{"maximum":%d}`, i))
	}
	if got := takesText(json.RawMessage(`{"properties":{"w":{"anyOf":[` + strings.Join(wide, ",") + `]}}}`)); !got.any {
		t.Error("a schema beyond the bounds promises something")
	}
}

func FuzzTakesText(f *testing.F) {
	for _, s := range []string{textSchema, `{"properties":{"a":{"anyOf":[{"type":"string"}]}}}`, `{"type":[],"items":{}}`, `{"properties":null}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, schema []byte) {
		if got := takesText(schema); got.name != "" && !got.any {
			t.Errorf("%+v names an argument that takes nothing", got)
		}
	})
}
