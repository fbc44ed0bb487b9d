//go:build !linux

package virtualclock

import "time"

// Nanotime only has to be a clock here: there is no local sandbox.
func Nanotime() int64 { return time.Now().UnixNano() }
