package session

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
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

// Of many shots the best are made, however many there are and in whatever
// portions they come.
func TestShotsAreTheBest(t *testing.T) {
	s := &mcpsf.Session{}
	for i := range 40 {
		kind := []string{"path", "comment", "count"}[i%3]
		s.Tools = append(s.Tools, mcpsf.Tool{Name: fmt.Sprint("tool", i), InputSchema: json.RawMessage(`{"type":"object","properties":{"` + kind + `":{"type":"string"}}}`)})
	}
	few := Aim{World: attack.New(1), Values: schema.Values{Dir: "/srv"}, Seed: 1, Most: 90}
	all := few
	all.Most = 1 << 20
	var whole []string
	for _, shot := range all.Shots(s) {
		whole = append(whole, shot.Tool+string(shot.Arguments))
	}
	got := few.Shots(s)
	if len(got) != few.Most {
		t.Fatalf("%d shots", len(got))
	}
	for i, shot := range got {
		if shot.burden() == 0 && shot.Tool+string(shot.Arguments) != whole[i] {
			t.Fatalf("%d is %s %s", i, shot.Tool, shot.Attack.Class)
		}
	}
}
