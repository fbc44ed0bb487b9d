package schema_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

const search = `{"type":"object","required":["query"],"properties":{
	"query":{"type":"string"},"order":{"enum":["asc","desc"]},"deep":{"type":"boolean"},
	"in":{"type":"object","required":["dir"],"properties":{"dir":{"type":"string"},"not":{"type":"array","items":{"type":"string","description":"Glob"}}}}}}`

func TestMinimal(t *testing.T) {
	got, err := minimal(json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}}}`), meaning.Values{}, 1)
	if err != nil || string(got) != `{}` {
		t.Errorf("got %s, %v; want {}", got, err)
	}
	got, err = minimal(json.RawMessage(search), meaning.Values{}, 1)
	if err != nil || string(got) != `{"query":"hello"}` {
		t.Errorf("got %s, %v; want the query alone", got, err)
	}
}

func TestVary(t *testing.T) {
	first, err := generate(json.RawMessage(search), meaning.Values{}, 1)
	if err != nil {
		t.Fatalf("Generate: %v", err)
	}
	seen := map[string]map[string]bool{"order": {}, "deep": {}}
	for n := range 12 {
		got, err := vary(json.RawMessage(search), meaning.Values{}, 1, n)
		if err != nil || !valid(t, []byte(search), got) {
			t.Errorf("variant %d is %s, %v", n, got, err)
		}
		if n == 0 && string(got) != string(first) {
			t.Errorf("the first variant is %s, the input %s", got, first)
		}
		if again, _ := vary(json.RawMessage(search), meaning.Values{}, 1, n); string(again) != string(got) {
			t.Errorf("variant %d is %s and %s", n, got, again)
		}
		var m map[string]json.RawMessage
		if err := json.Unmarshal(got, &m); err != nil {
			t.Fatalf("variant %d: %v", n, err)
		}
		for name := range seen {
			seen[name][string(m[name])] = true
		}
	}
	want := map[string]map[string]bool{"order": {"": true, `"asc"`: true, `"desc"`: true}, "deep": {"": true, "true": true, "false": true}}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("values over all variants (-want +got):\n%s", diff)
	}
}

// However often a tool is called, its server must not choose the file or host,
// but by a default, and then the input says so.
func TestVaryNamesHostileValues(t *testing.T) {
	raw := `{"type":"object","properties":{"zzz":{"type":"string","description":"Such as \"/home/dev/.ssh/id_rsa\"","examples":["/etc/passwd"],"default":"~/.netrc"},
		"command":{"type":"string","default":"collect"},"k":{"enum":["/etc/shadow"]},"host":{"type":"string","description":"Like 'collector'"}}}`
	for n := range 20 {
		got, _ := schema.Vary(json.RawMessage(raw), meaning.Values{}, 3, n)
		for hostile, at := range map[string]string{"ssh": "", "passwd": "", "netrc": "/zzz", "collect": "/command", "shadow": ""} {
			if bytes.Contains(got.JSON, []byte(hostile)) && (at == "" || n%2 == 0 || got.Server.At(at) != mcpsf.OriginDefault) {
				t.Errorf("variant %d used the hostile value %q: %s, made by the server: %v", n, hostile, got.JSON, got.Server)
			}
		}
	}
}

func TestPlaces(t *testing.T) {
	raw := `{"type":"object","required":["path"],"properties":{
		"path":{"type":"string","description":"File to read","maxLength":99,"pattern":"^/"},
		"mode":{"enum":["r","w"]},
		"count":{"type":"integer"},"force":{"type":"boolean"},
		"kind":{"const":"x"},
		"items":{"type":"array","items":{"type":"object","properties":{"url":{"type":"string"},"a/b":{"type":"string","format":"email"}}}},
		"env":{"type":"object","additionalProperties":{"type":"string"}},
		"free":{"type":"object"},
		"cmd":{"anyOf":[{"type":"string"},{"type":"null"}]},
		"alt":{"anyOf":[{"type":"object","properties":{"sql":{"type":"string"}}},{"type":"object","properties":{"html":{"type":"string"}}}]},
		"pair":{"type":"array","prefixItems":[{"type":"string","description":"Regular expression"},{"type":"number"}]}}}`
	want := []schema.Place{
		{Pointer: "/alt/sql", Name: "sql", Type: "string", Kind: meaning.KindSQL},
		{Pointer: "/cmd", Name: "cmd", Type: "string", Kind: meaning.KindCommand},
		{Pointer: "/count", Name: "count", Type: "integer", Kind: meaning.KindNumber},
		{Pointer: "/env/extraaa", Name: "env", Type: "string", Kind: meaning.KindText},
		{Pointer: "/force", Name: "force", Type: "boolean", Kind: meaning.KindBool},
		{Pointer: "/free", Name: "free", Type: "object", Kind: meaning.KindJSON},
		{Pointer: "/items/0/a~1b", Name: "a/b", Type: "string", Format: "email", Kind: meaning.KindEmail},
		{Pointer: "/items/0/url", Name: "url", Type: "string", Kind: meaning.KindURL},
		{Pointer: "/mode", Name: "mode", Type: "string", Enum: []json.RawMessage{json.RawMessage(`"r"`), json.RawMessage(`"w"`)}, Kind: meaning.KindUnknown},
		{Pointer: "/pair/0", Name: "pair", Description: "Regular expression", Type: "string", Kind: meaning.KindRegexp},
		{Pointer: "/pair/1", Name: "pair", Type: "number", Kind: meaning.KindNumber},
		{Pointer: "/path", Name: "path", Description: "File to read", Type: "string", Pattern: "^/", MaxLength: 99, Kind: meaning.KindPath},
		{Pointer: "/alt/html", Name: "html", Type: "string", Kind: meaning.KindMarkup},
	}
	places := schema.Places(json.RawMessage(raw), meaning.Values{}, 1)
	if diff := cmp.Diff(want, places); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	for _, p := range places {
		args, err := minimalWith(json.RawMessage(raw), meaning.Values{}, 1, p.Pointer)
		if err != nil {
			t.Errorf("MinimalWith(%s): %v", p.Pointer, err)
		}
		put, err := schema.Put(args, p.Pointer, "x")
		if err != nil {
			t.Errorf("Put(%s, %s): %v", args, p.Pointer, err)
		}
		if same, _ := schema.Put(put, p.Pointer, "x"); string(same) != string(put) || string(put) == string(args) {
			t.Errorf("Put(%s, %s) gave %s", args, p.Pointer, put)
		}
	}
}

func TestMinimalWith(t *testing.T) {
	got, err := minimalWith(json.RawMessage(search), meaning.Values{}, 1, "/in/not/0")
	want := `{"in":{"dir":"` + mcpsf.WorkDir + `","not":["*.md"]},"query":"hello"}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
	if _, err := minimalWith(json.RawMessage(`{"type":"object","additionalProperties":false}`), meaning.Values{}, 1, "/nowhere"); err == nil {
		t.Error("a place that cannot be there was reached")
	}
}

func TestPut(t *testing.T) {
	tests := []struct {
		args, pointer string
		value         any
		want          string
	}{
		{`{"a":1}`, "/a", "x", `{"a":"x"}`},
		{`{}`, "/a/0/b", 2, `{"a":[{"b":2}]}`},
		{`{"a":[1]}`, "/a/1", "<", `{"a":[1,"<"]}`},
		{`{"a/b":{"~":1}}`, "/a~1b/~0", nil, `{"a/b":{"~":null}}`},
		{`{"n":12345678901234567890}`, "/a", true, `{"a":true,"n":12345678901234567890}`},
		{`{}`, "", map[string]any{"k": "v"}, `{"k":"v"}`},
		{`{"a":[1]}`, "/a/5", "x", ""},
		{`{"a":[1]}`, "/a/-1", "x", ""},
		{`{"a":"text"}`, "/a/b", "x", ""},
		{`{`, "/a", "x", ""},
		{`{}`, "a", "x", ""},
	}
	for _, test := range tests {
		got, err := schema.Put(json.RawMessage(test.args), test.pointer, test.value)
		if string(got) != test.want || (err != nil) != (test.want == "") {
			t.Errorf("Put(%s, %q) = %s, %v; want %s", test.args, test.pointer, got, err, test.want)
		}
	}
}

func TestGet(t *testing.T) {
	const args = `{"a":[{"b/c":5},"<x>"],"n":null}`
	for pointer, want := range map[string]string{
		"": args, "/a/0/b~1c": "5", "/a/1": `"<x>"`, "/n": "null",
		"/a/2": "", "/a/-1": "", "/a/x": "", "/n/z": "", "/q": "", "a": "",
	} {
		got, ok := schema.Get(json.RawMessage(args), pointer)
		if string(got) != want || ok != (want != "") {
			t.Errorf("Get(%q) = %s, %v; want %s", pointer, got, ok, want)
		}
	}
}

func TestAccepts(t *testing.T) {
	tests := []struct {
		schema, input string
		want          bool
	}{
		{``, `{"a":1}`, true},
		{search, `{"query":"x"}`, true},
		{search, `{"query":5}`, false},
		{search, `{}`, false},
		{search, `{`, false},
		{props(`"a":{"type":"int","enum":[]}`), `{"a":1}`, true},
		{props(`"a":{"type":"int","enum":[]}`), `{"a":"x"}`, false},
	}
	for _, test := range tests {
		if got := schema.Accepts(json.RawMessage(test.schema), json.RawMessage(test.input)); got != test.want {
			t.Errorf("Accepts(%s, %s) = %v", test.schema, test.input, got)
		}
	}
}

// Inputs for a broken schema follow what its author meant.
func TestGenerateRepairs(t *testing.T) {
	tests := map[string]struct{ schema, want string }{
		"types of Python":   {props(`"n":{"type":"int"},"s":{"type":"str","description":"URL"},"d":{"type":"dict"}`), `{"d":{},"n":1,"s":"https://www.example.com/"}`},
		"empty enum":        {props(`"a":{"type":"integer","enum":[]}`), `{"a":1}`},
		"flag on property":  {`{"type":"object","properties":{"url":{"type":"string","required":true},"b":{"type":"string"}}}`, `{"url":"https://www.example.com/"}`},
		"moved definition":  {`{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/components/schemas/N"}},"definitions":{"N":{"type":"integer","minimum":7}}}`, `{"a":7}`},
		"foreign dialect":   {`{"$schema":"http://schema.example/dialect","type":"object","required":["a"],"properties":{"a":{"type":"boolean"}}}`, `{"a":true}`},
		"exclusive flag":    {props(`"a":{"type":"integer","minimum":5,"exclusiveMinimum":true}`), `{"a":6}`},
		"pattern unknown":   {props(`"a":{"type":"string","pattern":"(?<=x)y","minLength":10}`), `{"a":"exampleaaa"}`},
		"inner document":    {props(`"a":{"$id":"http://x.example/","type":"integer"}`), `{"a":1}`},
		"nothing sensible":  {`{"type":5,"properties":[],"required":{},"enum":3,"allOf":"x","items":9}`, `{}`},
		"required twice":    {`{"type":"object","required":["a","a"],"properties":{"a":{"type":"integer"}}}`, `{"a":1}`},
		"length of a float": {props(`"a":{"type":"string","maxLength":-3,"minLength":1.5}`), `{"a":"example"}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := generate(json.RawMessage(test.schema), meaning.Values{}, 1)
			if err == nil {
				t.Error("a broken schema was said to be satisfied")
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("input (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzPlaces: any bytes give places that can be reached and filled.
func FuzzPlaces(f *testing.F) {
	f.Add([]byte(search), uint64(1))
	f.Add([]byte(`{"properties":{"a":{"items":[{"$ref":"#"},{}]}},"if":{"not":{"$ref":"#"}},"then":{"$ref":"#"}}`), uint64(2))
	f.Add([]byte(`{"type":"object","properties":{"":{"type":"string"},"~/":{"additionalProperties":{"type":"array"}}}}`), uint64(3))
	f.Fuzz(func(t *testing.T, raw []byte, seed uint64) {
		places := schema.Places(raw, meaning.Values{}, seed)
		for i, p := range places {
			if i > 8 {
				break
			}
			args, err := minimalWith(raw, meaning.Values{}, seed, p.Pointer)
			if !json.Valid(args) {
				t.Fatalf("MinimalWith(%q) is not JSON: %q", p.Pointer, args)
			}
			if err != nil {
				continue
			}
			if _, err := schema.Put(args, p.Pointer, "x"); err != nil {
				t.Fatalf("Put(%s, %q): %v", args, p.Pointer, err)
			}
		}
	})
}
