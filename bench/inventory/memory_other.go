//go:build !linux

package main

import (
	"runtime"
	"time"
)

// peakMemory is the memory obtained from the system, where no other figure exists.
func peakMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}

// processorTime is the wall time, where no other figure exists.
func processorTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
