//go:build !unix

package main

import "time"

// processorTime is that of the clock where there is no other.
func processorTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
