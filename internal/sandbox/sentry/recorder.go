//go:build linux

package sentry

import (
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/gohacks"
	"gvisor.dev/gvisor/pkg/sentry/kernel"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// recorder puts the records of all tasks into one order, adds the sandbox's
// clock and the call that their task works for, and delivers them.
type recorder struct {
	attr *attribution
	// ahead is how far the sandbox's clock is ahead of the host's.
	ahead atomic.Int64

	// mu orders the records of all tasks. A full ring blocks its holder, and so
	// all tasks: the target waits, nothing is lost.
	mu sync.Mutex
	w  *wire.Writer
}

// now returns the sandbox's clock.
func (rec *recorder) now() int64 { return nanotime() + rec.ahead.Load() }

// nanotime returns the host's monotonic clock, read without a system call.
func nanotime() int64 { return gohacks.Nanotime() }

// emit stamps and delivers a record; it blocks while the ring is full.
func (rec *recorder) emit(r *wire.Record) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.deliver(r)
}

// deliver must be called with mu held.
func (rec *recorder) deliver(r *wire.Record) {
	r.Nanos = rec.now()
	rec.w.Write(r)
}

// emitFor delivers a record about an action of t.
func (rec *recorder) emitFor(t *kernel.Task, r *wire.Record) {
	s := rec.attr.state(t)
	if s.image != nil && s.image != r {
		if image := imageOf(t, s); image != nil {
			rec.emitFor(t, image)
		}
	}
	r.PID, r.TID = s.pid, s.tid
	rec.mu.Lock()
	defer rec.mu.Unlock()
	r.Epoch = rec.attr.label(s)
	rec.deliver(r)
}

// refused records a call that was not carried out.
func (rec *recorder) refused(t *kernel.Task, name, text string) {
	rec.emitFor(t, &wire.Record{Op: wire.OpPrivilege, Text: name, Asked: text, Errno: uint16(unix.EPERM)})
}
