package session_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/session"
)

// A refusal that names another tool of the server gets that tool called first, unless
// that takes something away.
func TestToolsThatRefusalsNameAreCalledFirst(t *testing.T) {
	var calls []string
	seen := false
	p := scripted(func(r rpc, usual string) string {
		switch r.Method {
		case "tools/list":
			return response(r.ID, `{"tools":[{"name":"click","inputSchema":{"type":"object","properties":{"uid":{"type":"string"}},"required":["uid"]}},`+
				`{"name":"take_snapshot","inputSchema":{"type":"object"}},{"name":"delete_all","inputSchema":{"type":"object"}}]}`) + "\n"
		case "tools/call":
			var args map[string]any
			_ = json.Unmarshal(r.Params.Arguments, &args)
			calls = append(calls, r.Params.Name)
			switch {
			case r.Params.Name == "take_snapshot":
				seen = true
				return response(r.ID, `{"content":[{"type":"text","text":"uid=1_3 button \"Search\""}]}`) + "\n"
			case r.Params.Name == "click" && (!seen || args["uid"] != "1_3"):
				return response(r.ID, `{"isError":true,"content":[{"type":"text","text":"No snapshot. Use take_snapshot to capture one, or delete_all for none."}]}`) + "\n"
			}
		}
		return usual
	})
	s, _ := drive(t, p, &session.Options{Inputs: plantedInputs()})
	if len(calls) < 3 || calls[0] != "click" || calls[1] != "take_snapshot" || calls[2] != "click" {
		t.Fatalf("calls: %v", calls)
	}
	worked := 0
	for _, c := range s.Calls {
		if c.Tool == "click" && c.Status == mcpsf.CallOK {
			worked++
		}
	}
	if worked == 0 {
		t.Error("click never worked")
	}
}
