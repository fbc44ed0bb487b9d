package session

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHeadersOfTools(t *testing.T) {
	schema := []byte(`{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"object","properties":{"c":{"type":"integer","x-mcp-header":"C"}}},"d":{"type":"boolean"}}}`)
	list, sane := boundHeaders(schema)
	if !sane {
		t.Error("these headers make sense")
	}
	got := filled(list, []byte(`{"a":"x\r\nEvil: 1","b":{"c":7},"d":true}`))
	if diff := cmp.Diff(map[string]string{"Mcp-Param-A": "=?base64?eA0KRXZpbDogMQ==?=", "Mcp-Param-C": "7"}, got); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	for _, bad := range []string{
		`{"properties":{"a":{"type":"string","x-mcp-header":""}}}`,
		`{"properties":{"a":{"type":"string","x-mcp-header":7}}}`,
		`{"properties":{"a":{"type":"string","x-mcp-header":"A B"}}}`,
		`{"properties":{"a":{"type":"string","x-mcp-header":"A\r\nB"}}}`,
		`{"properties":{"a":{"type":"object","x-mcp-header":"A"}}}`,
		`{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}`,
	} {
		if _, sane := boundHeaders([]byte(bad)); sane {
			t.Errorf("%s makes sense", bad)
		}
	}
	deep := strings.Repeat(`{"properties":{"a":`, 10_000)
	if list, _ := boundHeaders([]byte(deep)); list != nil {
		t.Errorf("%v was found", list)
	}
}
