//go:build !linux

package virtualclock

import "time"

// Nanotime can be any clock here, because there is no local sandbox.
func Nanotime() int64 { return time.Now().UnixNano() }
