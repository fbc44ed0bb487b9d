//go:build linux

package wire

import "sync/atomic"

// clockHeader is the part of the ring's header about the virtual clock. All
// times are nanoseconds on the sandbox's clock. The first group is written by
// the orchestrator, the second by the kernel's side.
type clockHeader struct {
	// advanceTo is how far the clock may be advanced while every task sleeps,
	// from one timer to the next. jumpTo is how far at once, even while
	// tasks work.
	advanceTo, jumpTo atomic.Int64
	// consent is the last activity that the orchestrator is done with.
	consent atomic.Uint64
	// waits grows whenever the orchestrator begins to wait for something else.
	waits atomic.Uint64
	// stdin is how many bytes it has written to standard input.
	stdin atomic.Uint64
	_     [24]byte

	// advanced is how far the clock is ahead of the host's.
	advanced atomic.Int64
	// activity grows whenever something was seen to happen in the sandbox;
	// sent and received are the frames of its network.
	activity, sent, received atomic.Uint64
}

// ClockTargets are how far the clock may be advanced while every task sleeps,
// and how far it is to jump at once.
func (w *Writer) ClockTargets() (advanceTo, jumpTo int64) {
	c := &w.ring.h.clock
	return c.advanceTo.Load(), c.jumpTo.Load()
}

// ReportActivity tells that something has happened in the sandbox, and how many
// frames its network has sent and received.
func (w *Writer) ReportActivity(sent, received uint64) {
	c := &w.ring.h.clock
	c.sent.Store(sent)
	c.received.Store(received)
	c.activity.Add(1)
}

// Orchestrator is what the other side has done: waits grows whenever it begins
// to wait for something else, stdin is how many bytes it has written to
// standard input.
func (w *Writer) Orchestrator() (waits, stdin uint64) {
	c := &w.ring.h.clock
	return c.waits.Load(), c.stdin.Load()
}

// Consented tells whether the orchestrator is done with all activity so far.
func (w *Writer) Consented() bool {
	c := &w.ring.h.clock
	return c.consent.Load() == c.activity.Load()
}

// SetAdvanced tells how far the sandbox's clock is ahead of the host's.
func (w *Writer) SetAdvanced(by int64) { w.ring.h.clock.advanced.Store(by) }

// AdvanceTo lets the sandbox's clock be advanced up to a time, while every task
// sleeps.
func (r *Reader) AdvanceTo(nanos int64) {
	r.ring.h.clock.advanceTo.Store(nanos)
	r.ring.h.clock.waits.Add(1)
}

// JumpTo lets it be advanced there at once.
func (r *Reader) JumpTo(nanos int64) { r.ring.h.clock.jumpTo.Store(nanos) }

// StdinWritten tells that so many more bytes are being written to standard
// input.
func (r *Reader) StdinWritten(bytes int) { r.ring.h.clock.stdin.Add(uint64(bytes)) }

// Activity is what was reported by [Writer.ReportActivity].
func (r *Reader) Activity() (activity, sent, received uint64) {
	c := &r.ring.h.clock
	return c.activity.Load(), c.sent.Load(), c.received.Load()
}

// Consent says that the orchestrator is done with everything up to an activity.
func (r *Reader) Consent(activity uint64) { r.ring.h.clock.consent.Store(activity) }

// Advanced is how far the sandbox's clock is ahead of the host's.
func (r *Reader) Advanced() int64 { return r.ring.h.clock.advanced.Load() }
