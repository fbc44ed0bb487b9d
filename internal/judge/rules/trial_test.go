package rules

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// Calls made for shrinking are not judged; the finding shows the shortest call.
func TestTrialsAreNotJudged(t *testing.T) {
	attackCall := func(call, class, args string) []mcpsf.Event {
		return []mcpsf.Event{
			{Kind: mcpsf.KindMCPRequest, Phase: mcpsf.PhaseAttack, Call: call, MCP: &mcpsf.MCPDetail{
				Method: "tools/call", Tool: "find", Body: json.RawMessage(`{"name":"find","arguments":` + args + `}`),
				Attack: &mcpsf.AttackDetail{Class: class, Place: "/q", Sign: mcpsf.SignExec, Marker: "mcq7"},
			}},
			{Kind: mcpsf.KindProcessExec, Phase: mcpsf.PhaseAttack, Call: call, PID: 9, Process: &mcpsf.ProcessDetail{Path: "/usr/local/bin/mcq7", Args: []string{"mcq7"}}},
		}
	}
	trial := attackCall("c2", mcpsf.ClassShrink, `{"q":"|mcq7"}`)
	trial = append(trial, mcpsf.Event{
		Kind: mcpsf.KindNetConnect, Phase: mcpsf.PhaseAttack, Call: "c2", PID: 9, Net: &mcpsf.NetDetail{Family: "ip4", Address: "198.51.100.7", Port: 443},
	})
	if got := evaluate(t, builtinSet(t), trial, testScope()); len(got) != 0 {
		t.Errorf("a trial was judged: %+v", got)
	}
	events := append(attackCall("c1", "command-injection", `{"q":"x; mcq7 #"}`), trial...)
	events = append(events, attackCall("c3", "command-injection", `{"q":";mcq7"}`)...)
	got := evaluate(t, builtinSet(t), events, testScope())
	const want = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"find","arguments":{"q":";mcq7"}}}`
	if len(got) == 0 || got[0].ID != "os-command-injection" || got[0].Reproduce != want || got[0].Occurrences != 2 {
		t.Errorf("%+v", got)
	}
}

// A finding says that a model wrote the payload; it is judged like any other.
func TestPayloadsOfModels(t *testing.T) {
	events := []mcpsf.Event{
		{Kind: mcpsf.KindMCPRequest, Phase: mcpsf.PhaseAttack, Call: "c1", MCP: &mcpsf.MCPDetail{
			Method: "tools/call", Tool: "find", Body: json.RawMessage(`{"name":"find","arguments":{"q":";mcq7"}}`),
			Attack: &mcpsf.AttackDetail{Class: "command-injection", Place: "/q", Payload: ";mcq7", Why: "all is \x1b[1mfine\x1b[0m", By: "openai/some-model", Sign: mcpsf.SignExec, Marker: "mcq7"},
		}},
		{Kind: mcpsf.KindProcessExec, Phase: mcpsf.PhaseAttack, Call: "c1", PID: 9, Process: &mcpsf.ProcessDetail{Path: "/usr/local/bin/mcq7", Args: []string{"mcq7"}}},
	}
	got := evaluate(t, builtinSet(t), events, testScope())
	const want = `(proposed by openai/some-model: "all is \x1b[1mfine\x1b[0m")`
	if len(got) == 0 || got[0].ID != "os-command-injection" || !strings.Contains(got[0].Message, want) {
		t.Errorf("%+v, want %s in the message", got, want)
	}
}
