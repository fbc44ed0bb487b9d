package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

func TestDemanded(t *testing.T) {
	tests := []struct {
		name, schema, refusal, want string
	}{
		{
			"issues of an empty schema", `{"$schema":"http://json-schema.org/draft-07/schema#"}`,
			"Error: Invalid arguments for write_file: [\n {\"expected\":\"string\",\"code\":\"invalid_type\",\"path\":[\"path\"]},\n {\"expected\":\"array\",\"code\":\"invalid_type\",\"path\":[\"lines\"]}]",
			`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"lines":{"items":{"type":"string"},"minItems":1,"type":"array"},"path":{"type":"string"}},"required":["path","lines"],"type":"object"}`,
		},
		{
			"what is there and optional becomes required", `{"type":"object","properties":{"q":{"type":"string","description":"what"}}}`,
			"'q' is a required property",
			`{"properties":{"q":{"description":"what","type":"string"}},"required":["q"],"type":"object"}`,
		},
		{
			"fields in words", ``, "2 validation errors for Args\nname\n  Field required [type=missing]\nkind_of\n  Field required [type=missing]",
			`{"properties":{"kind_of":{"type":"string"},"name":{"type":"string"}},"required":["name","kind_of"],"type":"object"}`,
		},
		{"one parameter", `{}`, "Missing required parameter: url", `{"properties":{"url":{"type":"string"}},"required":["url"],"type":"object"}`},
		{"an ordinary refusal", `{"type":"object"}`, "Error: no such file or directory", ""},
		{"a list that is no list of issues", `{"type":"object"}`, `it is one of ["a","b"]`, ""},
		{"known already", `{"type":"object","required":["q"],"properties":{"q":{"type":"string"}}}`, "`q` is required", ""},
		{"an issue deeper down", `{"type":"object"}`, `[{"code":"invalid_type","expected":"string","path":["a","b"]}]`, ""},
		{"cut off", `{}`, `[{"code":"invalid_type","expected":"boolean","path":["deep"]},{"code":"invalid_ty`, `{"properties":{"deep":{"type":"boolean"}},"required":["deep"],"type":"object"}`},
		{"nesting without end", `{}`, strings.Repeat("[", 1<<20), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := schema.Demanded(json.RawMessage(tt.schema), tt.refusal)
			if ok != (tt.want != "") || ok && string(got) != tt.want {
				t.Errorf("Demanded is %s, %v; want %s", got, ok, tt.want)
			}
		})
	}
}

// The input made for a demanded schema has the demanded arguments.
func TestDemandedIsGiven(t *testing.T) {
	grown, _ := schema.Demanded(nil, `[{"code":"invalid_type","expected":"array","path":["paths"]},{"code":"invalid_type","expected":"number","path":["limit"]}]`)
	got, err := generate(grown, schema.Values{File: "/home/dev/a.txt"}, 1)
	if err != nil || !strings.Contains(string(got), `"paths":["`) || !strings.Contains(string(got), `"limit":`) {
		t.Errorf("the input is %s, %v", got, err)
	}
}

func TestDescribed(t *testing.T) {
	got := schema.Described(json.RawMessage(`{"path":"/a","n":1,"deep":true,"list":["x"],"more":{"a":1}}`))
	places := map[string]string{}
	for _, p := range schema.Places(got, schema.Values{}, 1) {
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

func FuzzDemanded(f *testing.F) {
	f.Add(`{"type":"object"}`, `[{"code":"invalid_type","expected":"string","path":["a"]}]`)
	f.Add(`{`, "'q' is a required property")
	f.Fuzz(func(t *testing.T, raw, refusal string) {
		got, ok := schema.Demanded(json.RawMessage(raw), refusal)
		if ok && !json.Valid(got) {
			t.Errorf("the schema is no JSON: %s", got)
		}
	})
}
