package servicecmd

import (
	"golang.org/x/sys/unix"
)

// freeIn is the free disk space of a directory in bytes.
func freeIn(dir string) (free uint64, known bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}
