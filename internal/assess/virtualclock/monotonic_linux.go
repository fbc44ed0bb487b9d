package virtualclock

import "golang.org/x/sys/unix"

// Nanotime is the clock the sandbox's kernel stamps its records with.
func Nanotime() int64 {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return ts.Nano()
}
