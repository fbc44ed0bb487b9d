//go:build unix

package main

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// childMemory is the peak memory of any child so far, in MB.
func childMemory() int64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_CHILDREN, &u) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return u.Maxrss >> 20
	}
	return u.Maxrss >> 10
}
