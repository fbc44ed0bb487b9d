//go:build linux

package sentry

import (
	"sync/atomic"
	"time"

	"gvisor.dev/gvisor/pkg/sentry/kernel"
)

const (
	// longSettling is how long the next request waits for those who still work
	// for the one before, shortSettling if they did not come to an end the last
	// time.
	longSettling, shortSettling = 50 * time.Millisecond, time.Millisecond
	firstLook                   = 20 * time.Microsecond
)

// settling says whether others were at work to the end of the last wait.
type settling struct{ restless atomic.Bool }

// settle lets the others go to sleep before a request is read. A worker that
// has answered takes a moment to be ready for more. If it is given more within
// that moment, it takes it without ever sleeping, nobody wakes it, and nothing
// tells that it works for another call from then on.
func (o *observer) settle(reader *kernel.Task) {
	patience := longSettling
	if o.settling.restless.Load() {
		patience = shortSettling
	}
	began := time.Now()
	for pause := firstLook; !quietBeside(reader); pause = min(2*pause, time.Millisecond) {
		if time.Since(began) >= patience {
			o.settling.restless.Store(true)
			return
		}
		time.Sleep(pause)
	}
	o.settling.restless.Store(false)
}

// quietBeside tells whether nobody but the reader is at work.
func quietBeside(reader *kernel.Task) bool {
	for _, t := range reader.Kernel().RootPIDNamespace().Tasks() {
		if t == reader {
			continue
		}
		switch t.TaskGoroutineState() {
		case kernel.TaskGoroutineBlockedInterruptible, kernel.TaskGoroutineStopped, kernel.TaskGoroutineNonexistent:
		default:
			return false
		}
	}
	return true
}
