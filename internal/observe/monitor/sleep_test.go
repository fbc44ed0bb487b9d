package monitor

import (
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

func TestAlarm(t *testing.T) {
	const s = int64(time.Second)
	now := int64(0)
	m := &Monitor{now: func() int64 { return now }}
	sleep := func(at int64, tid int32, length int64, flags uint8) {
		now = at
		m.sleepers.sleep(&wire.Record{Op: wire.OpSleep, TID: tid, Nanos: at, N: length, Flags: flags})
	}
	expect := func(what string, within, want int64) {
		t.Helper()
		if got := m.Alarm(time.Duration(within)); int64(got) != want {
			t.Errorf("%s: %v, want %v", what, got, time.Duration(want))
		}
	}
	expect("nobody sleeps", 30*s, 0)
	sleep(0, 1, 20*s, 0)
	expect("one does", 30*s, 20*s)
	expect("for too long", 10*s, 0)
	sleep(1*s, 2, 25*s, wire.FlagAll)
	expect("another set a timer", 30*s, 25*s)
	sleep(2*s, 1, 0, 0)
	expect("the first was woken", 30*s, 24*s)
	now = 27 * s
	expect("the timer rang", 30*s, 0)
	sleep(27*s, 2, 25*s, wire.FlagAll)
	expect("a second time", 30*s, 25*s)
	sleep(52*s, 2, 25*s, wire.FlagAll)
	expect("and a third", 30*s, 25*s)
	sleep(77*s, 2, 25*s, wire.FlagAll)
	expect("it rings again and again", 30*s, 0)
	sleep(78*s, 2, 12*s, 0)
	expect("and a sleep of another length", 30*s, 12*s)
}

// Many sleepers are awaited, and those that are too many are counted.
func TestManySleepers(t *testing.T) {
	s := &sleepers{}
	for tid := range int32(maxSleepers) {
		s.sleep(&wire.Record{TID: tid + 1, N: int64(time.Hour)})
	}
	s.sleep(&wire.Record{TID: 7, N: int64(2 * time.Hour)})
	if got := s.alarm(0, 24*time.Hour); got != 2*time.Hour || s.forgotten != 0 {
		t.Errorf("awaited %v, %d forgotten", got, s.forgotten)
	}
	s.sleep(&wire.Record{TID: maxSleepers + 1, N: int64(3 * time.Hour)})
	if s.forgotten != 1 {
		t.Error("one that was too many is not counted")
	}
}
