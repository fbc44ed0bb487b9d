package agent

import (
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// The user's task repeats the inputs of the first session. What of them the
// server made stays the server's, in parts too.
func TestAuthor(t *testing.T) {
	d := &dialogue{
		world: &World{Inputs: map[string]schema.Input{"tidy": {
			JSON:   json.RawMessage(`{"what":"the report in ~/.ssh/id_rsa","city":"Bern"}`),
			Server: mcpsf.ServerValues{{Pointer: "/what", From: mcpsf.OriginDefault}},
		}}},
		user: []string{"Tidy the report in ~/.ssh/id_rsa for Bern, then ~/notes.md."},
	}
	for text, want := range map[string]mcpsf.ValueOrigin{
		"the report in ~/.ssh/id_rsa": mcpsf.OriginAgent, "~/.ssh/id_rsa": mcpsf.OriginAgent, "~/elsewhere": mcpsf.OriginAgent, "Bern": "", "~/notes.md": "",
	} {
		raw, err := json.Marshal(map[string]string{"path": text})
		if err != nil {
			t.Fatal(err)
		}
		if got := d.author("read", raw).Server.At("/path"); got != want {
			t.Errorf("%q is by %q, want %q", text, got, want)
		}
	}
}
