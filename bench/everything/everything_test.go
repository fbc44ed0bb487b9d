package main

import (
	"strings"
	"testing"
)

// The messages of a run show which features were used: failures, attacks and
// messages in the other direction do not count.
func TestCount(t *testing.T) {
	c := &column{server: &server{}, messages: map[messageKind]int{}}
	err := c.count(strings.NewReader(strings.Join([]string{
		`{"kind":"mcp.request","phase":"drive","mcp":{"method":"tools/list","body":{"cursor":"2"}}}`,
		`{"kind":"mcp.response","phase":"drive","mcp":{"from_server":true,"method":"tools/list"}}`,
		`{"kind":"mcp.response","phase":"drive","mcp":{"from_server":true,"method":"tools/call"}}`,
		`{"kind":"mcp.response","phase":"drive","mcp":{"from_server":true,"method":"completion/complete","failed":true}}`,
		`{"kind":"mcp.response","phase":"attack","mcp":{"from_server":true,"method":"prompts/list"}}`,
		`{"kind":"mcp.response","phase":"attack","mcp":{"from_server":true,"method":"prompts/get"}}`,
		`{"kind":"mcp.request","phase":"drive","mcp":{"from_server":true,"method":"roots/list"}}`,
		`{"kind":"mcp.request","phase":"drive","mcp":{"from_server":true,"method":"sampling/createMessage"}}`,
		`{"kind":"mcp.response","phase":"drive","mcp":{"method":"sampling/createMessage"}}`,
	}, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, f := range features() {
		used[f.name] = f.used(c)
	}
	for name, want := range map[string]bool{"tools": true, pagination: true, "sampling": true, "roots": false, "prompts": false, "completions": false} {
		if used[name] != want {
			t.Errorf("%s: %v", name, used[name])
		}
	}
	text := table([]*column{{server: &server{name: "x", lacks: []string{tasks}}, transport: stdio}})
	if !strings.Contains(text, "| tasks | not offered |") || !strings.Contains(text, "| tools | **not used** |") {
		t.Error(text)
	}
}

func TestAll(t *testing.T) {
	names := map[string]bool{}
	for _, f := range features() {
		names[f.name] = true
	}
	for _, c := range all() {
		for _, l := range c.server.lacks {
			if !names[l] {
				t.Errorf("%s lacks %q, which is no feature", c.name(), l)
			}
		}
	}
}
