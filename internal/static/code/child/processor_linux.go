package child

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// processorTime returns how long a process used the processors so far.
func processorTime(pid int) (time.Duration, error) {
	var t unix.Timespec
	// The kernel's number for the clock of a process, as clock_getcpuclockid makes it.
	clock := int32(^pid<<3 | unix.CLOCK_PROCESS_CPUTIME_ID)
	if err := unix.ClockGettime(clock, &t); err != nil {
		return 0, fmt.Errorf("asking for the processor time of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}
