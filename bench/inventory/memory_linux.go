//go:build linux

package main

import (
	"syscall"
	"time"
)

// peakMemory is the most that this process ever had in memory, in bytes.
func peakMemory() int64 { return usage().Maxrss << 10 }

// processorTime is what this process has used so far.
func processorTime() time.Duration {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func usage() syscall.Rusage {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // of a constant
	}
	return u
}
