package servicecmd

import (
	"golang.org/x/sys/unix"
)

// memory is the machine's memory in bytes, 0 if unknown.
func memory() uint64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	return uint64(info.Totalram) * uint64(info.Unit) //nolint:unconvert // it is smaller on machines of 32 bits
}
