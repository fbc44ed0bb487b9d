//go:build linux

package sentry

import (
	"time"

	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
)

// A server may start a background process and exit in the hope of no longer
// being observed. The sandbox ends with its first process, so that process is
// kept from exiting, for a while, as long as others run.

// exitGroup keeps the first process from exiting while others run.
func (ps *processes) exitGroup(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		if ps.linger > 0 && ps.attr.state(t).pid == 1 {
			ps.waitForOthers(t)
		}
		return next(t, sysno, args)
	}
}

func (ps *processes) waitForOthers(t *kernel.Task) {
	const interval = 50 * time.Millisecond
	for left := ps.linger; left > 0 && ps.attr.tasks.processes() > 1; left -= interval {
		if _, err := t.BlockWithTimeout(nil, true, interval); err != nil && t.Killed() {
			return
		}
	}
}
