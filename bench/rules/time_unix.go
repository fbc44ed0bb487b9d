//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorTime is the processor time of this process so far.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // cannot fail for a constant argument
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
