package fairtime

import (
	"testing"
	"time"
)

func TestLost(t *testing.T) {
	at, want, used := time.Unix(0, 0), 2, usage{worked: 1000, stolen: 50}
	m := newMeter(func() time.Time { return at }, func() int { return want }, func() usage { return used }, 2)
	for _, tt := range []struct {
		name string
		pass time.Duration
		want int
		lost time.Duration
	}{
		{"idle", 10 * time.Second, 1, 0},
		{"it gets busy", 10 * time.Second, 4, 2500 * time.Millisecond},
		{"twice as many as processors", 10 * time.Second, 4, 7500 * time.Millisecond},
		{"a thousand", 0, 1000, 7500 * time.Millisecond},
		{"at most five times as long", 10 * time.Second, 1000, 15500 * time.Millisecond},
	} {
		at, want = at.Add(tt.pass), tt.want
		if got := m.Lost(); got != tt.lost {
			t.Errorf("%s: lost %v, want %v", tt.name, got, tt.lost)
		}
	}
	want, used = 1, usage{worked: 1300, stolen: 50}
	before := m.Lost()
	at, used = at.Add(10*time.Second), usage{worked: 1600, stolen: 150}
	if got := m.Lost() - before; got != 2500*time.Millisecond {
		t.Errorf("lost %v of 10s to other machines, want a quarter", got)
	}
	var none *Meter
	if none.Lost() != 0 || New().Lost() < 0 {
		t.Error("nothing is lost without a meter")
	}
}

// A kernel that counts otherwise would go unnoticed.
func TestProcessorUse(t *testing.T) {
	if u := processorUse(); u.worked == 0 {
		t.Errorf("nothing was read of what the processors did: %+v", u)
	}
}
