//go:build linux

package sentry

import (
	"time"

	"gvisor.dev/gvisor/pkg/sentry/kernel"
)

const (
	// longSettling is how long the read of a request waits for tasks that still
	// work for the previous one; shortSettling applies if they were not done in
	// time last time.
	longSettling, shortSettling = 50 * time.Millisecond, time.Millisecond
	firstLook                   = 20 * time.Microsecond
)

// settle lets the other tasks go to sleep before a request is read. A worker
// that has answered takes a moment to sleep. If it gets more work within that
// moment, it never sleeps and is never woken, and nothing shows that it works
// for another call from then on.
func (c *conversation) settle(reader *kernel.Task) {
	patience := longSettling
	if c.restless.Load() {
		patience = shortSettling
	}
	began := time.Now()
	for pause := firstLook; !quietBeside(reader); pause = min(2*pause, time.Millisecond) {
		if time.Since(began) >= patience {
			c.restless.Store(true)
			return
		}
		time.Sleep(pause)
	}
	c.restless.Store(false)
}

// quietBeside reports whether all tasks but the reader are idle.
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
