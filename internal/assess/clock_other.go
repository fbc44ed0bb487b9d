//go:build !linux

package assess

import "time"

// nanotime only has to be a clock here: there is no local sandbox.
func nanotime() int64 { return time.Now().UnixNano() }
