package history

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// A payload inside a text is ours, as it was before it was escaped, even if the text
// is the server's otherwise.
func TestPayloadInsideAText(t *testing.T) {
	params := json.RawMessage(`{"arguments":{"filter":"{\"author\":\"a\\\"/x/y\",\"of\":\"/z\"}"}}`)
	server := mcpsf.ServerValues{{Pointer: "/arguments/filter", From: mcpsf.OriginExample}}
	for _, tt := range []struct {
		name, place string
		want        bool
	}{
		{"inside", "/filter#/author", true},
		{"in an argument", "/filter", false},
	} {
		c := &Call{tool: "find", Params: params, server: server, Attack: &mcpsf.AttackDetail{Place: tt.place, Payload: `a"/x/y`}}
		if got := slices.ContainsFunc(c.Each(), func(a argument) bool { return a.Value == `a"/x/y` && a.Name == "filter" && !a.ByServer() }); got != tt.want {
			t.Errorf("%s: %v", tt.name, c.Each())
		}
	}
}
