//go:build !linux

package main

import (
	"runtime"
	"time"
)

// peakMemory is what was asked of the system where there is no other figure.
func peakMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}

// processorTime is that of the clock where there is no other.
func processorTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
