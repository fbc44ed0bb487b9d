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
	expect("it rings again and again", 30*s, 0)
	sleep(28*s, 2, 12*s, 0)
	expect("and a sleep of another length", 30*s, 12*s)
}
