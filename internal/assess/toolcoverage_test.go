package assess

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func TestToolCoverage(t *testing.T) {
	s := &mcpsf.Session{
		Tools: []mcpsf.Tool{{Name: "read"}, {Name: "search"}, {Name: "never"}, {Name: "shell"}, {Name: "find"}, {Name: "list"}},
		Calls: []mcpsf.Call{
			{Tool: "read", Status: mcpsf.CallRefused, Note: "no such file"}, {Tool: "read", Status: mcpsf.CallOK},
			{Tool: "search", Status: mcpsf.CallRefused, Note: "error (401): API key must be given as\n EXA_API_KEY\x1b[2J"},
			{Tool: "shell", Status: mcpsf.CallRefused, Note: "spawn kubectl ENOENT"}, {Method: "ping", Status: mcpsf.CallOK},
			{Tool: "find", Status: mcpsf.CallOK, Doubtful: true, Note: "There is no such ledger"},
			{Tool: "list", Status: mcpsf.CallOK, Doubtful: true, Note: "Nothing yet"}, {Tool: "list", Status: mcpsf.CallOK},
		},
	}
	attack := &mcpsf.AttackDetail{Class: "path-traversal"}
	events := []mcpsf.Event{
		{Kind: mcpsf.KindMCPRequest, MCP: &mcpsf.MCPDetail{Tool: "read", Attack: attack}},
		{Kind: mcpsf.KindMCPResponse, MCP: &mcpsf.MCPDetail{FromServer: true, Tool: "read", Attack: attack}},
		{Kind: mcpsf.KindMCPRequest, MCP: &mcpsf.MCPDetail{Tool: "read", Attack: attack}},
		{Kind: mcpsf.KindMCPResponse, MCP: &mcpsf.MCPDetail{FromServer: true, Tool: "read", Attack: attack, Failed: true}},
	}
	for _, text := range []string{"Error: outside the folder", "Error: she said"} { // the second is in the arguments
		events = append(events,
			mcpsf.Event{Call: text, Kind: mcpsf.KindMCPRequest, MCP: &mcpsf.MCPDetail{Tool: "read", Attack: attack, Body: json.RawMessage(`{"name":"read","arguments":{"text":"error: she said"}}`)}},
			mcpsf.Event{Call: text, Kind: mcpsf.KindMCPResponse, MCP: &mcpsf.MCPDetail{
				FromServer: true, Tool: "read", Attack: attack, Body: json.RawMessage(`{"content":[{"type":"text","text":"` + text + `"}]}`),
			}})
	}
	want := []mcpsf.ToolCoverage{
		{Name: "read", Called: 2, Worked: 1, Attacked: 4, Answered: 2},
		{Name: "search", Called: 1, Reason: `error (401): API key must be given as EXA_API_KEY [2J`, Help: "--env EXA_API_KEY=..."},
		{Name: "never", Reason: "it was not called"},
		{Name: "shell", Called: 1, Reason: "spawn kubectl ENOENT", Help: "install kubectl on this machine"},
		{Name: "find", Called: 1, Worked: 1, Doubtful: 1, Reason: "only answers that may be refusals: There is no such ledger"},
		{Name: "list", Called: 2, Worked: 2, Doubtful: 1},
	}
	if diff := cmp.Diff(want, toolCoverage(s, events)); diff != "" {
		t.Error(diff)
	}
}

// The reason is that of the best try, not that of the last call.
func TestToolCoverageReason(t *testing.T) {
	refused := func(why string, effort mcpsf.Effort) mcpsf.Call {
		return mcpsf.Call{Tool: "read", Status: mcpsf.CallRefused, Note: why, Effort: effort}
	}
	for _, tt := range []struct {
		want  string
		calls []mcpsf.Call
	}{
		{"third", []mcpsf.Call{refused("first", mcpsf.EffortUsual), refused("second", mcpsf.EffortMended), refused("third", mcpsf.EffortMended), refused("fourth", mcpsf.EffortUsual), refused("too long", 0)}},
		{"second", []mcpsf.Call{refused("first", mcpsf.EffortUsual), refused("second", mcpsf.EffortUsual), refused("too long", 0)}},
		{"too long", []mcpsf.Call{refused("too long", 0)}},
	} {
		s := &mcpsf.Session{Tools: []mcpsf.Tool{{Name: "read"}}, Calls: tt.calls}
		if got := toolCoverage(s, nil)[0].Reason; got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestHelp(t *testing.T) {
	for reason, want := range map[string]string{
		"Could not find Chrome (ver. 131.0.6778.204)":               "install Chromium on this machine",
		"sh: 1: terraform: not found":                               "install terraform on this machine",
		"[Errno 2] No such file or directory: 'ffmpeg'":             "install ffmpeg on this machine",
		"[Errno 2] No such file or directory: '/home/dev/notes.md'": "",
		"connect ECONNREFUSED 127.0.0.1:27124":                      "a service that it connects to: --network allow for its host",
		"the value of MAX_RETRIES_EXCEEDED is odd":                  "",
	} {
		if got := helpFor(reason); got != want {
			t.Errorf("%q: %q, want %q", reason, got, want)
		}
	}
}
