package harness

import (
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/harness/attack"
	"github.com/mcpsf/mcpsf/internal/harness/schema"
)

// What may end the server or keep it busy comes after everything else.
func TestShotsThatBurdenComeLast(t *testing.T) {
	s := &mcpsf.Session{Tools: []mcpsf.Tool{
		{Name: "repeat", InputSchema: json.RawMessage(`{"type":"object","properties":{"count":{"type":"integer"},"text":{"type":"string"}},"required":["count","text"]}`)},
	}}
	aim := Aim{World: attack.New(1), Values: schema.Values{Dir: "/srv"}, Seed: 1, Most: 1000}
	seen := map[mcpsf.AttackSign]int{}
	last := 0
	for _, shot := range aim.Shots(s) {
		if shot.burden() < last {
			t.Errorf("%s after what is worse", shot.Attack.Class)
		}
		last = shot.burden()
		seen[shot.Attack.Sign]++
	}
	for _, sign := range []mcpsf.AttackSign{mcpsf.SignExec, mcpsf.SignCrash, mcpsf.SignCost} {
		if seen[sign] == 0 {
			t.Errorf("no shot has the sign %s", sign)
		}
	}
}
