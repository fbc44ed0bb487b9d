//go:build linux

package main

import (
	"os"
	"syscall"
)

// peakOf is the most memory a process had that has ended, or one of those it
// has waited for.
func peakOf(state *os.ProcessState) int64 {
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}
