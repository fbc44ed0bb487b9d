package box

import (
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// Clock is the sandbox's virtual clock: the host's monotonic clock, and how far
// it was advanced. All times are nanoseconds.
type Clock struct {
	records *records
	// advanced is how far the clock is ahead. It never decreases.
	advanced atomic.Int64
}

// Now returns the time.
func (c *Clock) Now() int64 {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) != nil {
		return 0
	}
	return ts.Nano() + c.Advanced()
}

// Advanced returns how far the sandbox's clock is ahead of the host's. It never
// decreases, whatever the sandbox's kernel reports.
func (c *Clock) Advanced() int64 {
	c.records.with(func(r *wire.Reader) {
		c.advanced.Store(max(c.advanced.Load(), r.Advanced())) // with holds a lock
	})
	return c.advanced.Load()
}

// AdvanceTo lets the clock advance, up to a time, whenever every task in the
// sandbox sleeps: to the first timer. 0 ends it.
func (c *Clock) AdvanceTo(nanos int64) {
	c.records.with(func(r *wire.Reader) { r.AdvanceTo(nanos) })
}

// JumpTo advances the clock to a time at once, even while tasks work. Timers
// due before then expire late, as on a machine that was suspended.
func (c *Clock) JumpTo(nanos int64) {
	c.records.with(func(r *wire.Reader) { r.JumpTo(nanos) })
}

// Activity grows whenever something happens in the sandbox; sent and received
// count the frames of its network.
func (c *Clock) Activity() (activity, sent, received uint64) {
	c.records.with(func(r *wire.Reader) { activity, sent, received = r.Activity() })
	return activity, sent, received
}

// HandledUpTo reports that the orchestrator has handled everything up to an
// activity. Without it the clock is not advanced.
func (c *Clock) HandledUpTo(activity uint64) {
	c.records.with(func(r *wire.Reader) { r.HandledUpTo(activity) })
}
