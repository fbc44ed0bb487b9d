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
