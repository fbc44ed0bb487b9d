package attackplan

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// Attacks have the sequence after which their tool worked first, also those that
// somebody else made; what takes state away is attacked last.
func TestAttacksHaveSequences(t *testing.T) {
	input := json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"},"count":{"type":"integer"}}}`)
	sequence := []mcpsf.Step{{Tool: mcpsf.Tool{Name: "login"}}, {Tool: mcpsf.Tool{Name: "find"}}}
	s := &mcpsf.Session{
		Tools: []mcpsf.Tool{{Name: "close_all", InputSchema: input}, {Name: "find", InputSchema: input}, {Name: "sign_out", InputSchema: input}, {Name: "plain", InputSchema: input}},
		Calls: []mcpsf.Call{
			{Method: "tools/call", Tool: "find", Status: mcpsf.CallRefused, Sequence: sequence[:1]},
			{Method: "tools/call", Tool: "find", Status: mcpsf.CallOK, Arguments: json.RawMessage(`{"query":"x"}`), Sequence: sequence},
			{Method: "tools/call", Tool: "find", Status: mcpsf.CallOK, Arguments: json.RawMessage(`{"query":"y"}`)},
		},
	}
	plan := Plan{World: attack.New(1), Values: meaning.Values{Dir: "/srv"}, Seed: 1, Most: 1000}
	calls := plan.Calls(s)
	gone := map[int]bool{} // burdens at which state was taken away
	for _, c := range calls {
		want := sequence
		if c.Tool != "find" {
			want = nil
		}
		if diff := cmp.Diff(want, c.Sequence); diff != "" {
			t.Fatalf("%s:\n%s", c.Tool, diff)
		}
		switch c.Tool {
		case "close_all", "sign_out":
			gone[c.burden()] = true
		default:
			if gone[c.burden()] {
				t.Fatalf("%s on %s comes after what takes its state away", c.Attack.Class, c.Tool)
			}
		}
	}
	if !gone[0] || !gone[1] {
		t.Errorf("what takes away is not attacked: %v", gone)
	}
	proposed := []AttackCall{{Tool: "find"}, {Tool: "plain"}, {Tool: "nobody"}}
	AddSequences(proposed, s)
	if diff := cmp.Diff([][]mcpsf.Step{sequence, nil, nil}, [][]mcpsf.Step{proposed[0].Sequence, proposed[1].Sequence, proposed[2].Sequence}); diff != "" {
		t.Error(diff)
	}
}

// What works is the base of attacks, and else what only the words of a result refused.
func TestWorked(t *testing.T) {
	call := func(id, tool string, status mcpsf.CallStatus, unmarked, preparing bool) mcpsf.Call {
		return mcpsf.Call{ID: id, Method: "tools/call", Tool: tool, Status: status, Unmarked: unmarked, Preparing: preparing}
	}
	s := &mcpsf.Session{Calls: []mcpsf.Call{
		call("c1", "a", mcpsf.CallRefused, true, false), call("c2", "a", mcpsf.CallOK, false, true), call("c3", "a", mcpsf.CallOK, false, false),
		call("c4", "b", mcpsf.CallRefused, false, false), call("c5", "b", mcpsf.CallRefused, true, false), call("c6", "b", mcpsf.CallRefused, true, false),
		call("c7", "c", mcpsf.CallRefused, false, false), call("c8", "d", mcpsf.CallRefused, true, true),
	}}
	for _, c := range []struct {
		id, tool string
		doubtful bool
	}{{"c9", "e", true}, {"c10", "e", false}, {"c11", "f", true}, {"c12", "f", true}} {
		s.Calls = append(s.Calls, mcpsf.Call{ID: c.id, Method: "tools/call", Tool: c.tool, Status: mcpsf.CallOK, Doubtful: c.doubtful})
	}
	got := map[string]string{}
	for tool, c := range Worked(s) {
		got[tool] = c.ID
	}
	if diff := cmp.Diff(map[string]string{"a": "c3", "b": "c5", "e": "c10", "f": "c11"}, got); diff != "" {
		t.Error(diff)
	}
}
