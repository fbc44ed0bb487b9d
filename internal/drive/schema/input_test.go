package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

func generate(raw json.RawMessage, v meaning.Values, seed uint64) (json.RawMessage, error) {
	in, err := schema.Generate(raw, v, seed)
	return in.JSON, err
}

func vary(raw json.RawMessage, v meaning.Values, seed uint64, n int) (json.RawMessage, error) {
	in, err := schema.Vary(raw, v, seed, n)
	return in.JSON, err
}

func minimal(raw json.RawMessage, v meaning.Values, seed uint64) (json.RawMessage, error) {
	in, err := schema.Minimal(raw, v, seed)
	return in.JSON, err
}

func minimalWith(raw json.RawMessage, v meaning.Values, seed uint64, pointer string) (json.RawMessage, error) {
	in, err := schema.MinimalWith(raw, v, seed, pointer)
	return in.JSON, err
}

// Whatever the schema itself says is the server's; what is made from the type
// alone is ours.
func TestOrigins(t *testing.T) {
	tests := []struct {
		name, property string
		turn           int
		want           mcpsf.ServerValues
	}{
		{"the type alone", `{"type":"string"}`, 0, mcpsf.ServerValues{}},
		{"a name that we have a value for", `{"type":"string","description":"Path of the file"}`, 0, mcpsf.ServerValues{}},
		{"a format", `{"type":"string","format":"uri"}`, 0, mcpsf.ServerValues{}},
		{"const", `{"const":"~/.ssh/id_rsa"}`, 0, mcpsf.ServerValues{{Pointer: "/x", From: mcpsf.OriginConst}}},
		{"enum", `{"enum":["a","b"]}`, 0, mcpsf.ServerValues{{Pointer: "/x", From: mcpsf.OriginEnum}}},
		{"default", `{"type":"string","default":"plain"}`, 0, mcpsf.ServerValues{{Pointer: "/x", From: mcpsf.OriginDefault}}},
		{"a default that names a file, at first", `{"type":"string","default":"~/.ssh/id_rsa"}`, 0, mcpsf.ServerValues{}},
		{"a default that names a file, later", `{"type":"string","default":"~/.ssh/id_rsa"}`, 1, mcpsf.ServerValues{{Pointer: "/x", From: mcpsf.OriginDefault}}},
		{"an example that names a file is never used", `{"type":"string","examples":["~/.ssh/id_rsa"]}`, 1, mcpsf.ServerValues{}},
		{"example", `{"type":"string","examples":["plain"]}`, 0, mcpsf.ServerValues{{Pointer: "/x", From: mcpsf.OriginExample}}},
		{"description", `{"type":"string","description":"A colour, e.g. 'mauve'"}`, 0, mcpsf.ServerValues{{Pointer: "/x", From: mcpsf.OriginDescription}}},
		{"a pattern that a value of ours fits", `{"type":"string","pattern":"^[a-z]+$"}`, 0, mcpsf.ServerValues{}},
		{"a length that cuts the value", `{"type":"string","description":"path of a file","maxLength":12}`, 0, mcpsf.ServerValues{{Pointer: "/x", From: mcpsf.OriginPattern}}},
		{"a pattern that makes the value", `{"type":"string","pattern":"^~/[.-.]ssh/id_[r]{1}sa$"}`, 0, mcpsf.ServerValues{{Pointer: "/x", From: mcpsf.OriginPattern}}},
		{"deep inside", `{"type":"array","items":{"type":"object","properties":{"y/z":{"const":"q"}},"required":["y/z"]},"minItems":2}`, 0, mcpsf.ServerValues{
			{Pointer: "/x/0/y~1z", From: mcpsf.OriginConst}, {Pointer: "/x/1/y~1z", From: mcpsf.OriginConst},
		}},
		{"a whole object", `{"type":"object","default":{"a":"b"}}`, 0, mcpsf.ServerValues{{Pointer: "/x", From: mcpsf.OriginDefault}}},
		{"names of properties are not values", `{"type":"object","minProperties":1,"propertyNames":{"enum":["k"]},"additionalProperties":{"type":"string"}}`, 0, mcpsf.ServerValues{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			raw := json.RawMessage(`{"type":"object","properties":{"x":` + tt.property + `},"required":["x"]}`)
			in, err := schema.Vary(raw, meaning.Values{}, 1, tt.turn)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, in.Server); diff != "" {
				t.Errorf("%s: %s", in.JSON, diff)
			}
		})
	}
}

func TestInputWith(t *testing.T) {
	in := schema.Input{JSON: json.RawMessage(`{"a":{"b":"x"},"c":"y"}`), Server: mcpsf.ServerValues{{Pointer: "/a/b", From: mcpsf.OriginDefault}, {Pointer: "/c", From: mcpsf.OriginEnum}}}
	ours, err := in.With("/a", "mine")
	if err != nil || ours.Server.At("/a") != "" || ours.Server.At("/c") != mcpsf.OriginEnum || !strings.Contains(string(ours.JSON), "mine") {
		t.Errorf("%s %+v %v", ours.JSON, ours.Server, err)
	}
	theirs, err := in.WithServer("/c", "again", mcpsf.OriginResult)
	if err != nil || theirs.Server.At("/c") != mcpsf.OriginResult || theirs.Server.At("/a/b") != mcpsf.OriginDefault || theirs.Server.At("/a") != "" {
		t.Errorf("%+v %v", theirs.Server, err)
	}
	if in.Server.At("/c") != mcpsf.OriginEnum || len(in.Server) != 2 {
		t.Errorf("the input itself changed: %+v", in.Server)
	}
}
