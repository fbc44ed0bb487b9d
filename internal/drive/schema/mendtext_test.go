package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/refusal"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// mends grants refusals one after the other, as a session does.
func mends(t *testing.T, raw, in string, refusals ...string) schema.Mended {
	t.Helper()
	out := schema.Mended{Schema: json.RawMessage(raw), Input: schema.Input{JSON: json.RawMessage(in), Server: mcpsf.ServerValues{}}}
	for _, text := range refusals {
		out = schema.Mend(out.Schema, out.Input, refusal.Read(text), planted(), 1)
	}
	return out
}

// A text that must hold JSON gets it, and later refusals are about what is in it.
func TestMendInsideText(t *testing.T) {
	config := properties(`"config":{"type":"string"}`)
	tests := []struct {
		name, schema, in string
		refusals         []string
		want             string
	}{
		{"not JSON", config, `{"config":"x"}`, []string{"config is not valid JSON"}, `{"config":"{\"name\":\"example\"}"}`},
		{"a parser of Node", properties(`"config":{"type":"string"},"q":{"type":"string"}`), `{"config":"The quick brown fox","q":"x"}`,
			[]string{`Unexpected token 'T', "The quick "... is not valid JSON`}, `{"config":"{\"name\":\"example\"}","q":"x"}`},
		{"a parser of Python", properties(`"definition":{"type":"string","description":"The workflow as JSON"},"q":{"type":"string"}`), `{"definition":"x","q":"x"}`,
			[]string{"Expecting value: line 1 column 1 (char 0)"}, `{"definition":"{\"name\":\"example\"}","q":"x"}`},
		{"members said at once", config, `{"config":"x"}`, []string{"config must be a JSON object with keys title and body"},
			`{"config":"{\"body\":\"The quick brown fox jumps over the lazy dog.\",\"title\":\"example\"}"}`},
		{"members said later", config, `{"config":"x"}`, []string{"config is not valid JSON", "missing key 'rows'", "rows must be an array", "name is not allowed: additional properties ['name'] "},
			`{"config":"{\"rows\":[\"example\"]}"}`},
		{"an unexpected member", config, `{"config":"{\"name\":\"x\",\"a\":1}"}`, []string{"Unrecognized key(s) in object: 'name'"}, `{"config":"{\"a\":1}"}`},
		{"by its path", config, `{"config":"{}"}`, []string{"config.name is required"}, `{"config":"{\"name\":\"example\"}"}`},
		{"by its path, a library", config, `{"config":"{\"rows\":[{}]}"}`, []string{`[{"code":"invalid_type","expected":"number","received":"undefined","path":["rows",0,"count"]}]`}, `{"config":"{\"rows\":[{\"count\":10}]}"}`},
		{"a member of Python", config, `{"config":"{}"}`, []string{"KeyError: 'mode'"}, `{"config":"{\"mode\":\"example\"}"}`},
		{"the same name outside", properties(`"config":{"type":"string"},"name":{"type":"string"}`), `{"config":"{}","name":"x"}`, []string{"name is required"}, `{"config":"{\"name\":\"example\"}","name":"x"}`},
		{"one of", config, `{"config":"{\"mode\":\"x\"}"}`, []string{"mode must be one of 'fast', 'slow'"}, `{"config":"{\"mode\":\"fast\"}"}`},
		{"an array", config, `{"config":"x"}`, []string{"config must be a JSON array"}, `{"config":"[\"example\"]"}`},
		{"an array, not an object", config, `{"config":"{\"name\":\"example\"}"}`, []string{"Expected array, received object: config must be an array"}, `{"config":"[\"example\"]"}`},
		{"the description gives an example", properties(`"config":{"type":"string","description":"JSON, e.g. {\"kind\":\"bar\",\"n\":2}"}`), `{"config":"x"}`, []string{"invalid JSON in config"}, `{"config":"{\"kind\":\"bar\",\"n\":2}"}`},
		{"the refusal gives an example", config, `{"config":"x"}`, []string{`config must be JSON. Example: {"kind":"bar"}`}, `{"config":"{\"kind\":\"bar\"}"}`},
		{"the description says the members", properties(`"config":{"type":"string","description":"JSON object with keys title and path"}`), `{"config":"x"}`, []string{"config is not valid JSON"},
			`{"config":"{\"path\":\"/home/dev/Documents/projects/notes.md\",\"title\":\"example\"}"}`},
		{"an object, not a text", properties(`"config":{}`), `{"config":"x"}`, []string{"config must be a JSON object"}, `{"config":{}}`},
		{"an example for a member", config, `{"config":"{\"rows\":[{\"duty_no\":\"x\"}]}"}`, []string{"A duty_no looks like AB-1234."}, `{"config":"{\"rows\":[{\"duty_no\":\"AB-1234\"}]}"}`},
		{"an example for a missing member", config, `{"config":"{\"a\":1}"}`, []string{"A duty_no looks like AB-1234."}, `{"config":"{\"a\":1,\"duty_no\":\"AB-1234\"}"}`},
		{"an example for another argument", properties(`"config":{"type":"string"},"duty_no":{"type":"string"}`), `{"config":"{\"a\":1}","duty_no":"x"}`, []string{"A duty_no looks like AB-1234."}, `{"config":"{\"a\":1}","duty_no":"AB-1234"}`},
		{"no text", properties(`"n":{"type":"integer"}`), `{"n":1}`, []string{"n is not valid JSON"}, ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := mends(t, tt.schema, tt.in, tt.refusals...)
			if tt.want == "" && got.Changed || tt.want != "" && string(got.Input.JSON) != tt.want {
				t.Errorf("got %s, left %+v, schema %s; want %s", got.Input.JSON, got.Left, got.Schema, tt.want)
			}
			if made, err := schema.Vary(got.Schema, planted(), 1, 0); err != nil || !json.Valid(made.JSON) {
				t.Errorf("%s makes %s: %v", got.Schema, made.JSON, err)
			}
		})
	}
}

// What is known of a document is known for the next inputs, too.
func TestMendInsideTextCompletesTheSchema(t *testing.T) {
	got := mends(t, properties(`"config":{"type":"string"}`), `{"config":"x"}`, "config is not valid JSON", "mode is required and must be one of 'fast', 'slow'")
	made, err := schema.Minimal(got.Schema, planted(), 1)
	if want := `{"config":"{\"mode\":\"fast\"}"}`; err != nil || string(made.JSON) != want || made.Server.At("/config") != mcpsf.OriginEnum {
		t.Errorf("%s of %s makes %s, %v, want %s", made.Server.At("/config"), got.Schema, made.JSON, err, want)
	}
}

// Whoever made a part of a text made all of it.
func TestMendInsideTextSaysWhoMadeIt(t *testing.T) {
	config := properties(`"config":{"type":"string"}`)
	if got := mends(t, config, `{"config":"x"}`, "config is not valid JSON"); len(got.Input.Server) != 0 {
		t.Errorf("a text of ours is %+v", got.Input.Server)
	}
	got := mends(t, config, `{"config":"{\"mode\":\"x\",\"a\":1}"}`, "mode must be one of 'fast', 'slow'", "b is required")
	if want := (mcpsf.ServerValue{Pointer: "/config", From: mcpsf.OriginRefusal}); len(got.Input.Server) != 1 || got.Input.Server[0] != want {
		t.Errorf("a text of the server's is %+v", got.Input.Server)
	}
}
