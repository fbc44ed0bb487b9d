package box

import (
	"fmt"
	"math"

	"golang.org/x/sys/unix"
)

// isolate gives up what the supervisor inherited by accident: descriptors of
// the caller that were not meant for it, and the ability to gain rights.
func isolate() error {
	if err := unix.CloseRange(ringFD+1, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return fmt.Errorf("closing inherited descriptors: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up new rights: %w", err)
	}
	return nil
}

// limitCPUs binds the calling thread, and every process it starts from now on,
// to the first n processors it may use. Unlike a quota it needs no rights; if
// it fails, the limit on processor time still applies.
func limitCPUs(n int) {
	var may, keep unix.CPUSet
	if err := unix.SchedGetaffinity(0, &may); err != nil || n >= may.Count() {
		return
	}
	for cpu := 0; keep.Count() < n && cpu < len(may)*64; cpu++ {
		if may.IsSet(cpu) {
			keep.Set(cpu)
		}
	}
	_ = unix.SchedSetaffinity(0, &keep)
}
