package leak

import (
	"time"

	"golang.org/x/sys/unix"
)

func threadID() int { return unix.Gettid() }

// processorTime returns the processor time that this thread has used.
func processorTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0 // never on Linux
	}
	return time.Duration(t.Nano())
}
