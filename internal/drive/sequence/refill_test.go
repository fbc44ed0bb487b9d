package sequence

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/chain"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

func TestRefill(t *testing.T) {
	tool := mcpsf.Tool{Name: "get_note", InputSchema: json.RawMessage(`{"type":"object","properties":{"note_id":{"type":"string"},"path":{"type":"string"}},"required":["note_id"],"additionalProperties":false}`)}
	s := &mcpsf.Step{
		Tool: tool, Arguments: json.RawMessage(`{"note_id":"n-1","path":"x"}`), ServerValues: mcpsf.ServerValues{{Pointer: "/note_id", From: mcpsf.OriginResult}},
		Links: []mcpsf.Link{{Pointer: "/note_id", Tool: "create_note"}},
	}
	var memory chain.Memory
	memory.Learn("create_note", json.RawMessage(`{"content":[{"type":"text","text":"Created note n-2"}]}`))
	ours := mcpsf.ServerValues{}
	result := mcpsf.ServerValues{{Pointer: "/note_id", From: mcpsf.OriginResult}}
	for _, tt := range []struct {
		name   string
		memory *chain.Memory
		in     schema.Input
		except string
		want   schema.Input
	}{
		{"the call itself", &memory, InputOf(s), "", schema.Input{JSON: json.RawMessage(`{"note_id":"n-2","path":"x"}`), Server: result}},
		{"a payload beside it, which fits no schema", &memory, schema.Input{JSON: json.RawMessage(`{"note_id":"n-1","path":7}`), Server: result}, "/path", schema.Input{JSON: json.RawMessage(`{"note_id":"n-2","path":7}`), Server: result}},
		{"a payload in its place", &memory, schema.Input{JSON: json.RawMessage(`{"note_id":"n-1;x"}`), Server: ours}, "/note_id", schema.Input{JSON: json.RawMessage(`{"note_id":"n-1;x"}`), Server: ours}},
		{"a payload inside", &memory, schema.Input{JSON: json.RawMessage(`{"note_id":{"$ne":1}}`), Server: ours}, "/note_id/$ne", schema.Input{JSON: json.RawMessage(`{"note_id":{"$ne":1}}`), Server: ours}},
		{"an argument that was left out", &memory, schema.Input{JSON: json.RawMessage(`{"path":"x"}`), Server: ours}, "/path", schema.Input{JSON: json.RawMessage(`{"path":"x"}`), Server: ours}},
		{"nobody said who made it", &memory, schema.Input{JSON: json.RawMessage(`{"note_id":"n-1"}`)}, "", schema.Input{JSON: json.RawMessage(`{"note_id":"n-2"}`)}},
		{"nothing returned yet", &chain.Memory{}, InputOf(s), "", InputOf(s)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Refill(tt.memory, s, tt.in, tt.except)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// An id inside a text is that of this start, beside a payload in the same text.
func TestRefillInsideAText(t *testing.T) {
	tool := mcpsf.Tool{Name: "get_note", InputSchema: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)}
	marks := mcpsf.ServerValues{{Pointer: "/query", From: mcpsf.OriginResult}}
	s := &mcpsf.Step{
		Tool: tool, Arguments: json.RawMessage(`{"query":"{\"author\":\"x\",\"note_id\":\"n-1\"}"}`), ServerValues: marks,
		Links: []mcpsf.Link{{Pointer: "/query#/note_id", Tool: "create_note"}},
	}
	var memory chain.Memory
	memory.Learn("create_note", json.RawMessage(`{"content":[{"type":"text","text":"Created note n-2"}]}`))
	for _, tt := range []struct{ name, except, in, want string }{
		{"the call itself", "", string(s.Arguments), `{"query":"{\"author\":\"x\",\"note_id\":\"n-2\"}"}`},
		{"a payload beside it", "/query#/author", `{"query":"{\"author\":\"x;y\",\"note_id\":\"n-1\"}"}`, `{"query":"{\"author\":\"x;y\",\"note_id\":\"n-2\"}"}`},
		{"a payload in its place", "/query#/note_id", `{"query":"{\"note_id\":\"n-1;x\"}"}`, `{"query":"{\"note_id\":\"n-1;x\"}"}`},
		{"a payload in place of the text", "/query", `{"query":"{\"note_id\":7}"}`, `{"query":"{\"note_id\":7}"}`},
		{"no JSON any more", "/path", `{"query":"n-1"}`, `{"query":"n-1"}`},
	} {
		got := Refill(&memory, s, schema.Input{JSON: json.RawMessage(tt.in), Server: marks}, tt.except)
		if diff := cmp.Diff(tt.want, string(got.JSON)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
		if diff := cmp.Diff(marks, got.Server); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestPlaceOf(t *testing.T) {
	tool := &mcpsf.Tool{Name: "send", InputSchema: json.RawMessage(`{"type":"object","properties":{"bundle":{"type":"object"},"to":{"type":"string"}}}`)}
	for _, tt := range []struct {
		name string
		tool *mcpsf.Tool
		w    mcpsf.Wish
		want string
	}{
		{"said", tool, mcpsf.Wish{Path: []string{"to", "a/b"}}, "/to/a~1b"},
		{"called like the tool", tool, mcpsf.Wish{Accepted: []string{"pack_bundle"}}, "/bundle"},
		{"not known", tool, mcpsf.Wish{Accepted: []string{"parcel"}}, "/bundle"},
		{"the only one", &mcpsf.Tool{InputSchema: json.RawMessage(`{"properties":{"x":{}}}`)}, mcpsf.Wish{}, "/x"},
		{"none", &mcpsf.Tool{}, mcpsf.Wish{}, ""},
	} {
		if got := PlaceOf(tt.tool, json.RawMessage(`{}`), &tt.w, "pack_bundle"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A whole result comes in the form that the schema wants.
func TestPutValue(t *testing.T) {
	object := map[string]any{"id": "b-1", "files": []any{"x"}}
	for _, tt := range []struct {
		name, typ string
		value     any
		want      string // "" if it fits not
	}{
		{"an object", `{"type":"object"}`, object, `{"files":["x"],"id":"b-1"}`},
		{"an object of any type", `{}`, object, `{"files":["x"],"id":"b-1"}`},
		{"an object as text", `{"type":"string"}`, object, `"{\"files\":[\"x\"],\"id\":\"b-1\"}"`},
		{"a text", `{"type":"string"}`, "plain", `"plain"`},
		{"a text that is an object", `{"type":"object"}`, `{"id":1}`, `{"id":1}`},
		{"a text that is none", `{"type":"object"}`, "plain", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tool := &mcpsf.Tool{InputSchema: json.RawMessage(`{"properties":{"bundle":` + tt.typ + `}}`)}
			in, ok := putValue(&chain.Memory{}, tool, schema.Input{JSON: json.RawMessage(`{"to":"x"}`), Server: mcpsf.ServerValues{}}, "/bundle", tt.value)
			got, _ := schema.Get(in.JSON, "/bundle")
			if string(got) != tt.want || ok != (tt.want != "") || ok && in.Server.At("/bundle/id") != mcpsf.OriginResult || in.Server.At("/to") != "" {
				t.Errorf("%s, %t, made by %v; want %s", got, ok, in.Server, tt.want)
			}
		})
	}
}
