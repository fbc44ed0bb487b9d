package assess

import "golang.org/x/sys/unix"

// nanotime is the clock the sandbox's kernel stamps its records with.
func nanotime() int64 {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return ts.Nano()
}
