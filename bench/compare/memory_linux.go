//go:build linux

package main

import (
	"os"
	"syscall"
)

// peakOf is the peak memory of an ended process, or of a child that it waited
// for.
func peakOf(state *os.ProcessState) int64 {
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}
