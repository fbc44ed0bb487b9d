//go:build linux

package main

import (
	"syscall"
	"time"
)

// peakMemory is the peak memory of this process, in bytes.
func peakMemory() int64 { return usage().Maxrss << 10 }

// processorTime is the processor time of this process so far.
func processorTime() time.Duration {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func usage() syscall.Rusage {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // cannot fail for a constant argument
	}
	return u
}
