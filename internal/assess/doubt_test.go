package assess

import (
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
)

func TestDoubts(t *testing.T) {
	shot := func(sign mcpsf.AttackSign, marker string) attackplan.AttackCall {
		return attackplan.AttackCall{Tool: "t", Attack: mcpsf.AttackDetail{Sign: sign, Marker: marker, Payload: marker}}
	}
	call := func(seconds float64, status mcpsf.CallStatus) mcpsf.Call {
		return mcpsf.Call{Method: "tools/call", Seconds: seconds, Status: status}
	}
	shots := []attackplan.AttackCall{
		shot(mcpsf.SignExec, "a"), shot(mcpsf.SignCost, "w/1"), shot(mcpsf.SignCost, "w/2"), shot(mcpsf.SignCrash, "x"),
		shot(mcpsf.SignCost, "v/1"), shot(mcpsf.SignCost, "v/2"), shot(mcpsf.SignCrash, "z"), shot(mcpsf.SignCrash, "y"),
	}
	s := &mcpsf.Session{Calls: []mcpsf.Call{
		{Method: "initialize", Seconds: 3}, call(4, mcpsf.CallOK), call(0.1, mcpsf.CallOK), call(2, mcpsf.CallOK), call(5, mcpsf.CallTimeout), {Method: "ping"},
		call(3, mcpsf.CallTimeout), call(3, mcpsf.CallTimeout), call(0.1, mcpsf.CallRefused), call(5, mcpsf.CallTimeout), {Method: "ping", Status: mcpsf.CallTimeout},
	}}
	d := doubts{}
	var got string
	for _, again := range d.of(shots, s) {
		got += again.Attack.Marker + " "
	}
	if got != "w/1 w/2 y " {
		t.Errorf("tried again: %q", got)
	}
	if again := d.of(shots, s); again != nil {
		t.Errorf("tried once more: %v", again)
	}
	if shotsMade(s) != 8 {
		t.Errorf("%d shots", shotsMade(s))
	}
}
