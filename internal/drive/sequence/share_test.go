package sequence_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/drive/sequence"
)

// A tool gets the arguments of the one that made what it needs, and they stay whose
// they were.
func TestShare(t *testing.T) {
	one := func(name, typ string) string {
		return `{"type":"object","properties":{"` + name + `":{"type":"` + typ + `"}},"required":["` + name + `"]}`
	}
	for _, tt := range []struct {
		name, tool, schema, in, maker, makers, made string
		server                                      mcpsf.ServerValues
		want                                        string // "" if nothing is shared
	}{
		{"the same name", "seek", one("folder", "string"), `{"folder":"/a"}`, "index", one("folder", "string"), `{"folder":"/b"}`, nil, `{"folder":"/b"}`},
		{"the same kind", "seek", one("directory", "string"), `{"directory":"/a"}`, "index", one("folder", "string"), `{"folder":"/b"}`, nil, `{"directory":"/b"}`},
		{"the name of the thing", "paint", one("fence", "string"), `{"fence":"x"}`, "put_fence", one("name", "string"), `{"name":"north"}`, nil, `{"fence":"north"}`},
		{"the server's", "seek", one("label", "string"), `{"label":"x"}`, "index", one("label", "string"), `{"label":"y"}`, mcpsf.ServerValues{{Pointer: "/label", From: mcpsf.OriginRefusal}}, `{"label":"y"}`},
		{"the server's, inside", "seek", one("options", "object"), `{"options":{}}`, "index", one("options", "object"), `{"options":{"path":"/b"}}`, mcpsf.ServerValues{{Pointer: "/options/path", From: mcpsf.OriginDefault}}, `{"options":{"path":"/b"}}`},
		{"another type", "seek", one("label", "integer"), `{"label":1}`, "index", one("label", "string"), `{"label":"y"}`, nil, ``},
		{"the name of another thing", "paint", one("wall", "string"), `{"wall":"x"}`, "put_fence", one("name", "string"), `{"name":"north"}`, nil, ``},
		{"what another tool ran", "read_query", one("sql", "string"), `{"sql":"SELECT 1"}`, "create_table", one("sql", "string"), `{"sql":"CREATE TABLE t (id INTEGER)"}`, nil, ``},
		{"nothing in common", "paint", one("colour", "string"), `{"colour":"x"}`, "index", one("folder", "string"), `{"folder":"/b"}`, nil, ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tool := &mcpsf.Tool{Name: tt.tool, InputSchema: json.RawMessage(tt.schema)}
			step := &mcpsf.Step{Tool: mcpsf.Tool{Name: tt.maker, InputSchema: json.RawMessage(tt.makers)}, Arguments: json.RawMessage(tt.made), ServerValues: tt.server}
			got, ok := sequence.Share(tool, schema.Input{JSON: json.RawMessage(tt.in), Server: mcpsf.ServerValues{}}, step)
			if ok != (tt.want != "") || ok && string(got.JSON) != tt.want {
				t.Errorf("got %s, %v; want %s", got.JSON, ok, tt.want)
			}
			if ok && len(got.Server) != len(tt.server) {
				t.Errorf("the server's values are %+v, want %+v", got.Server, tt.server)
			}
		})
	}
}

// A list of what another tool made gets what that one is called by.
func TestShareIntoAList(t *testing.T) {
	t.Parallel()
	group := &mcpsf.Tool{Name: "create_group", InputSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"},"hosts":{"type":"array","items":{"type":"string"}}},"required":["name","hosts"]}`)}
	host := mcpsf.Tool{Name: "add_host", InputSchema: json.RawMessage(`{"type":"object","properties":{"alias":{"type":"string"},"hostname":{"type":"string"}},"required":["alias","hostname"]}`)}
	got, ok := sequence.Share(group, schema.Input{JSON: json.RawMessage(`{"hosts":["www.example.com"],"name":"team"}`)}, &mcpsf.Step{Tool: host, Arguments: json.RawMessage(`{"alias":"web","hostname":"www.example.com"}`)})
	if !ok || string(got.JSON) != `{"hosts":["web"],"name":"team"}` {
		t.Errorf("%v %s", ok, got.JSON)
	}
}
