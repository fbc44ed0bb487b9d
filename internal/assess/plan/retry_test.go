package plan

import (
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
)

func TestRetries(t *testing.T) {
	attack := func(sign mcpsf.AttackSign, marker string) attackplan.AttackCall {
		return attackplan.AttackCall{Tool: "t", Attack: mcpsf.AttackDetail{Sign: sign, Marker: marker, Payload: marker}}
	}
	call := func(seconds float64, status mcpsf.CallStatus) mcpsf.Call {
		return mcpsf.Call{Method: "tools/call", Seconds: seconds, Status: status}
	}
	calls := []attackplan.AttackCall{
		attack(mcpsf.SignExec, "a"), attack(mcpsf.SignCost, "w/1"), attack(mcpsf.SignCost, "w/2"), attack(mcpsf.SignCrash, "x"),
		attack(mcpsf.SignCost, "v/1"), attack(mcpsf.SignCost, "v/2"), attack(mcpsf.SignCrash, "z"), attack(mcpsf.SignCrash, "y"),
	}
	s := &mcpsf.Session{Calls: []mcpsf.Call{
		{Method: "initialize", Seconds: 3}, call(4, mcpsf.CallOK), call(0.1, mcpsf.CallOK), call(2, mcpsf.CallOK), call(5, mcpsf.CallTimeout), {Method: "ping"},
		call(3, mcpsf.CallTimeout), call(3, mcpsf.CallTimeout), call(0.1, mcpsf.CallRefused), call(5, mcpsf.CallTimeout), {Method: "ping", Status: mcpsf.CallTimeout},
	}}
	r := Retries{}
	var got string
	for _, again := range r.Of(calls, s) {
		got += again.Attack.Marker + " "
	}
	if got != "w/1 w/2 y " {
		t.Errorf("tried again: %q", got)
	}
	if again := r.Of(calls, s); again != nil {
		t.Errorf("tried once more: %v", again)
	}
	if AttacksMade(s) != 8 {
		t.Errorf("%d attack calls", AttacksMade(s))
	}
}

// Calls that make the state for attacks are none. If they take the server down, their
// tool is attacked without.
func TestStateIsNoAttack(t *testing.T) {
	steps := []mcpsf.Step{{}, {}}
	calls := []attackplan.AttackCall{{Tool: "a", Sequence: steps}, {Tool: "b", Sequence: steps}, {Tool: "a", Sequence: steps}}
	s := &mcpsf.Session{Calls: []mcpsf.Call{
		{Method: "initialize"}, {Method: "tools/call", Preparing: true, Seconds: 9}, {Method: "tools/call", Preparing: true, Status: mcpsf.CallCrashed},
	}}
	if n := AttacksMade(s); n != 0 {
		t.Errorf("%d attack calls", n)
	}
	if again := (Retries{}).Of(calls, s); again != nil {
		t.Errorf("tried again: %v", again)
	}
	if !WithoutState(calls, s) || calls[0].Sequence != nil || calls[1].Sequence == nil || calls[2].Sequence != nil {
		t.Errorf("%+v", calls)
	}
	if WithoutState(calls, s) || WithoutState(calls[1:], &mcpsf.Session{}) || WithoutState(nil, s) {
		t.Error("there is nothing to leave out")
	}
}
