//go:build unix

package box

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// acquire takes the lock file at path without waiting; flags is os.O_CREATE to
// make it. The kernel releases it when the process ends, however it ends.
func acquire(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, flags|os.O_RDWR|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the lock: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("taking the lock: %w", err)
	}
	return f, nil
}

// ownedByUs refuses a directory that somebody else could have prepared for us.
func ownedByUs(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("looking at %s: %w", dir, err)
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() || int(st.Uid) != os.Getuid() || info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s must be a directory that only you can write to; remove it or set TMPDIR", dir)
	}
	return nil
}
