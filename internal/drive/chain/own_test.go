package chain_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/chain"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// A place that we named may come back as the name of a thing; one of the server's may
// not.
func TestPlacesThatWeSent(t *testing.T) {
	tool := mcpsf.Tool{Name: "list_files", InputSchema: json.RawMessage(`{"type":"object","properties":{"project":{"type":"string"}},"required":["project"]}`)}
	for _, c := range []struct {
		name string
		sent schema.Input
		want int
	}{
		{"we sent it", schema.Input{JSON: json.RawMessage(`{"path":"/home/dev/code"}`)}, 1},
		{"the server named it", schema.Input{JSON: json.RawMessage(`{"path":"/home/dev/code"}`), Server: mcpsf.ServerValues{{Pointer: "/path", From: mcpsf.OriginDefault}}}, 0},
		{"it is another place", schema.Input{JSON: json.RawMessage(`{"path":"/home/dev"}`)}, 0},
	} {
		var m chain.Memory
		m.Sent(c.sent)
		m.Learn("register_project", json.RawMessage(`{"content":[{"type":"text","text":"{\"name\":\"/home/dev/code\",\"languages\":{\"go\":3}}"}]}`))
		got := 0
		for _, v := range m.Choices(&tool, "project", "register_project", "example") {
			if v != "/home/dev/code" {
				continue
			}
			got++
			if in, err := m.With(schema.Input{JSON: json.RawMessage(`{"project":"example"}`)}, "/project", v); err != nil || in.Server.At("/project") != "" {
				t.Errorf("%s: it is made by %q (%v)", c.name, in.Server.At("/project"), err)
			}
		}
		if got != c.want {
			t.Errorf("%s: %d choices", c.name, got)
		}
	}
}
