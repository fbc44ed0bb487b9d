package attackplan

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// Calls that may crash or block the server come last.
func TestCallsThatBurdenComeLast(t *testing.T) {
	s := &mcpsf.Session{Tools: []mcpsf.Tool{
		{Name: "repeat", InputSchema: json.RawMessage(`{"type":"object","properties":{"count":{"type":"integer"},"text":{"type":"string"}},"required":["count","text"]}`)},
	}}
	plan := Plan{World: attack.New(1), Values: meaning.Values{Dir: "/srv"}, Seed: 1, Most: 1000}
	seen := map[mcpsf.AttackSign]int{}
	last := 0
	for _, call := range plan.Calls(s) {
		if call.burden() < last {
			t.Errorf("%s after what is worse", call.Attack.Class)
		}
		last = call.burden()
		seen[call.Attack.Sign]++
	}
	for _, sign := range []mcpsf.AttackSign{mcpsf.SignExec, mcpsf.SignCrash, mcpsf.SignCost} {
		if seen[sign] == 0 {
			t.Errorf("no call has the sign %s", sign)
		}
	}
}

// The best calls are chosen, however many there are and however they are
// batched.
func TestCallsAreTheBest(t *testing.T) {
	s := &mcpsf.Session{}
	for i := range 40 {
		kind := []string{"path", "comment", "count"}[i%3]
		s.Tools = append(s.Tools, mcpsf.Tool{Name: fmt.Sprint("tool", i), InputSchema: json.RawMessage(`{"type":"object","properties":{"` + kind + `":{"type":"string"}}}`)})
	}
	few := Plan{World: attack.New(1), Values: meaning.Values{Dir: "/srv"}, Seed: 1, Most: 90}
	all := few
	all.Most = 1 << 20
	var whole []string
	for _, call := range all.Calls(s) {
		whole = append(whole, call.Tool+string(call.Arguments))
	}
	got := few.Calls(s)
	if len(got) != few.Most {
		t.Fatalf("%d calls", len(got))
	}
	for i, call := range got {
		if call.burden() == 0 && call.Tool+string(call.Arguments) != whole[i] {
			t.Fatalf("%d is %s %s", i, call.Tool, call.Attack.Class)
		}
	}
}

// What the server demanded when it refused a call is in every attack, and is
// attacked itself.
func TestCallsAreBasedOnWhatWorked(t *testing.T) {
	s := &mcpsf.Session{
		Tools: []mcpsf.Tool{{Name: "find", InputSchema: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"},"note":{"type":"string"}}}`)}},
		Calls: []mcpsf.Call{
			{Method: "tools/call", Tool: "find", Status: mcpsf.CallRefused, Arguments: json.RawMessage(`{"query":"x"}`)},
			{
				Method: "tools/call", Tool: "find", Status: mcpsf.CallOK, Arguments: json.RawMessage(`{"query":"x","mode":"deep","where":"y"}`),
				ServerValues: mcpsf.ServerValues{{Pointer: "/arguments/mode", From: mcpsf.OriginRefusal}},
			},
		},
	}
	plan := Plan{World: attack.New(1), Values: meaning.Values{Dir: "/srv"}, Seed: 1, Most: 1000}
	attacked := map[string]bool{}
	for _, call := range plan.Calls(s) {
		attacked[call.Attack.Place] = true
		if call.Attack.Place == "/mode" || len(call.Arguments) > 1<<20 {
			continue // too long to read
		}
		if mode, _ := schema.Get(call.Arguments, "/mode"); string(mode) != `"deep"` || call.Server.At("/mode") != mcpsf.OriginRefusal {
			t.Fatalf("%s at %s has %.200s, by %v", call.Attack.Class, call.Attack.Place, call.Arguments, call.Server)
		}
	}
	for _, place := range []string{"/query", "/note", "/mode", "/where"} {
		if !attacked[place] {
			t.Errorf("no attack at %s", place)
		}
	}
}
