//go:build linux

package sentry

import (
	"time"

	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
)

// Whoever starts something in the background and ends hopes that nobody looks
// any more. With the first process everything ends, so that one is kept from
// going while others are there, for a while.

// exits keeps the first process, when it is done, until it is alone.
func (o *observer) exits(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		if o.conf.Linger > 0 && o.state(t).pid == 1 {
			o.linger(t)
		}
		return next(t, sysno, args)
	}
}

func (o *observer) linger(t *kernel.Task) {
	const glance = 50 * time.Millisecond
	for left := o.conf.Linger; left > 0 && o.tasks.processes() > 1; left -= glance {
		if _, err := t.BlockWithTimeout(nil, true, glance); err != nil && t.Killed() {
			return
		}
	}
}

// processes is how many processes there are.
func (tt *taskTable) processes() int {
	tt.mu.Lock()
	defer tt.mu.Unlock()
	return len(tt.living)
}
