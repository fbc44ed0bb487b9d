//go:build !unix

package main

import "time"

// processorTime is the wall time, where no other figure exists.
func processorTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
