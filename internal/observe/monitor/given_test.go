package monitor

import (
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/observe/leak"
)

// A server that returns enciphered data as an id gets it back as an argument. It
// is still data that nobody can read when it leaves.
func TestGivenBackIsNotGiven(t *testing.T) {
	const id = "q8ZtV1xk0PmR7yWc3LdHs9JfA2uNbE5gTiKoXvMz4QrYl6Cw1SjDh8Gp3Fa0Be7UnIqZ2tVx9kPmR5yWc"
	for name, tt := range map[string]struct {
		server mcpsf.ServerValues
		opaque bool
	}{
		"ours":         {nil, false},
		"a result":     {mcpsf.ServerValues{{Pointer: "/arguments/list/0", From: mcpsf.OriginResult}}, true},
		"all of it":    {mcpsf.ServerValues{{Pointer: "", From: mcpsf.OriginUnknown}}, true},
		"another one":  {mcpsf.ServerValues{{Pointer: "/arguments/x", From: mcpsf.OriginResult}}, false},
		"word we join": {mcpsf.ServerValues{{Pointer: "/arguments/list/0", From: mcpsf.OriginSource}}, false},
	} {
		finder, err := leak.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		lk := &leakage{finder: finder}
		lk.give(&mcpsf.Message{
			Kind: mcpsf.MessageRequest, Stream: mcpsf.Stdin, Call: "c1", Tool: "get", ServerValues: tt.server,
			Body: json.RawMessage(`{"name":"get","arguments":{"list":["` + id + `"],"x":"y"}}`),
		})
		if got := finder.Opaque("skies.example", "body", []byte(id)) != nil; got != tt.opaque {
			t.Errorf("%s: opaque %v, want %v", name, got, tt.opaque)
		}
	}
}

// What the user fills into a form is recognised when it leaves, however the form
// came; what the form itself proposed is not.
func TestFilledIn(t *testing.T) {
	const street = "17 Harbour Street, Trieste"
	for name, tt := range map[string]struct {
		message mcpsf.Message
		found   bool
	}{
		"an answer": {mcpsf.Message{
			Kind: mcpsf.MessageResponse, Method: "elicitation/create", Body: json.RawMessage(`{"action":"accept","content":{"street":"` + street + `"}}`),
		}, true},
		"a default": {mcpsf.Message{
			Kind: mcpsf.MessageResponse, Method: "elicitation/create", Body: json.RawMessage(`{"action":"accept","content":{"street":"` + street + `"}}`),
			ServerValues: mcpsf.ServerValues{{Pointer: "/content/street", From: mcpsf.OriginDefault}},
		}, false},
		"a model": {mcpsf.Message{
			Kind: mcpsf.MessageResponse, Method: "sampling/createMessage", Body: json.RawMessage(`{"role":"assistant","content":{"type":"text","text":"` + street + `"}}`),
		}, false},
		"with the call": {mcpsf.Message{
			Kind: mcpsf.MessageRequest, Call: "c1", Tool: "book",
			Body: json.RawMessage(`{"name":"book","arguments":{},"inputResponses":{"a/b":{"action":"accept","content":{"street":"` + street + `"}}}}`),
		}, true},
		"a default with the call": {mcpsf.Message{
			Kind: mcpsf.MessageRequest, Call: "c1", Tool: "book",
			Body:         json.RawMessage(`{"name":"book","arguments":{},"inputResponses":{"a/b":{"action":"accept","content":{"street":"` + street + `"}}}}`),
			ServerValues: mcpsf.ServerValues{{Pointer: "/inputResponses/a~1b/content/street", From: mcpsf.OriginDefault}},
		}, false},
	} {
		finder, err := leak.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		tt.message.Stream = mcpsf.Stdin
		(&leakage{finder: finder}).give(&tt.message)
		got := finder.Piece(mcpsf.ChannelHTTP, "collect.example:443", "body", []byte("a="+street), 1)
		if found := len(got) == 1 && got[0].Given && got[0].Kind == leak.KindForm; found != tt.found {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
