package chain

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// A thing that a tool made is known by the name in what that tool returned.
func TestChoicesHaveTheNameOfWhatWasMade(t *testing.T) {
	m := &Memory{}
	m.Learn("register_project", json.RawMessage(`{"content":[{"type":"text","text":"{\"name\":\"shop\",\"files\":3}"}]}`))
	tool := mcpsf.Tool{Name: "scan", InputSchema: json.RawMessage(`{"type":"object","properties":{"project":{"type":"string"}},"required":["project"]}`)}
	got := m.Choices(&tool, "project", "register_project", "example")
	if !slices.Contains(got, any("shop")) {
		t.Errorf("%v", got)
	}
	tool.InputSchema = json.RawMessage(`{"type":"object","properties":{"project":{"type":"string","description":"The name of the project."}},"required":["project"]}`)
	if got = m.Choices(&tool, "project", "register_project", "example"); len(got) == 0 || got[0] != "shop" {
		t.Errorf("%v", got)
	}
}
