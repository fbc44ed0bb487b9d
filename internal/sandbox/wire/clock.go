//go:build linux

package wire

import "sync/atomic"

// clockHeader is the part of the ring's header about the virtual clock. All
// times are nanoseconds on the sandbox's clock. The orchestrator writes the
// first group, the kernel's side the second.
type clockHeader struct {
	// advanceTo is how far the clock may be advanced while every task sleeps,
	// from one timer to the next. jumpTo is how far at once, even while tasks
	// work.
	advanceTo, jumpTo atomic.Int64
	// handled is the last activity that the orchestrator has handled.
	handled atomic.Uint64
	// waits grows whenever the orchestrator begins to wait for something else.
	waits atomic.Uint64
	// stdin is how many bytes the orchestrator has written to standard input.
	stdin atomic.Uint64
	_     [24]byte

	// advanced is how far the clock is ahead of the host's.
	advanced atomic.Int64
	// activity grows with everything that happens in the sandbox; sent and
	// received count the frames of its network.
	activity, sent, received atomic.Uint64
}

// ClockTargets returns how far the clock may be advanced while every task
// sleeps, and how far it is to jump at once.
func (w *Writer) ClockTargets() (advanceTo, jumpTo int64) {
	c := &w.ring.h.clock
	return c.advanceTo.Load(), c.jumpTo.Load()
}

// ReportActivity reports that something has happened in the sandbox, and how
// many frames its network has sent and received.
func (w *Writer) ReportActivity(sent, received uint64) {
	c := &w.ring.h.clock
	c.sent.Store(sent)
	c.received.Store(received)
	c.activity.Add(1)
}

// Orchestrator returns the state of the other side: waits grows whenever it
// begins to wait for something else, stdin is how many bytes it has written to
// standard input.
func (w *Writer) Orchestrator() (waits, stdin uint64) {
	c := &w.ring.h.clock
	return c.waits.Load(), c.stdin.Load()
}

// Consented reports whether the orchestrator has handled all activity so far.
func (w *Writer) Consented() bool {
	c := &w.ring.h.clock
	return c.handled.Load() == c.activity.Load()
}

// SetAdvanced sets how far the sandbox's clock is ahead of the host's.
func (w *Writer) SetAdvanced(by int64) { w.ring.h.clock.advanced.Store(by) }

// AdvanceTo allows the sandbox's clock to be advanced up to a time, while every
// task sleeps.
func (r *Reader) AdvanceTo(nanos int64) {
	r.ring.h.clock.advanceTo.Store(nanos)
	r.ring.h.clock.waits.Add(1)
}

// JumpTo makes the clock jump to a time at once.
func (r *Reader) JumpTo(nanos int64) { r.ring.h.clock.jumpTo.Store(nanos) }

// StdinWritten adds to the number of bytes written to standard input.
func (r *Reader) StdinWritten(bytes int) { r.ring.h.clock.stdin.Add(uint64(bytes)) }

// Activity returns what [Writer.ReportActivity] reported.
func (r *Reader) Activity() (activity, sent, received uint64) {
	c := &r.ring.h.clock
	return c.activity.Load(), c.sent.Load(), c.received.Load()
}

// HandledUpTo reports that the orchestrator has handled everything up to an
// activity.
func (r *Reader) HandledUpTo(activity uint64) { r.ring.h.clock.handled.Store(activity) }

// Advanced returns how far the sandbox's clock is ahead of the host's.
func (r *Reader) Advanced() int64 { return r.ring.h.clock.advanced.Load() }
