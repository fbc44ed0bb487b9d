package cache

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mcpsf/mcpsf"
)

// The shortest and longest pause between two tries to get a lock.
// no gap: what is larger is not cached, and fetched again
const (
	minWait = 2 * time.Millisecond
	maxWait = 100 * time.Millisecond
)

// patience is how long Put waits for others who put the same file.
const patience = time.Minute

// keyLock is the right to change one name below entries/.
type keyLock struct{ file *os.File }

// lock takes the lock of a name without waiting; [errInUse] means that another
// process has it.
func (cd *cacheDir) lock(name string) (*keyLock, error) {
	if err := cd.ready(); err != nil {
		return nil, err
	}
	path := filepath.Join(cd.path, locksDir, name)
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
		if err != nil {
			return nil, cd.full(unusable(cd.path, err))
		}
		err = flock(f, unix.LOCK_EX)
		if err == nil && !inPlace(f, path) {
			err = errAbsent // its last owner removed it between our two calls
		}
		if err == nil {
			return &keyLock{f}, nil
		}
		_ = f.Close()
		if !errors.Is(err, errAbsent) {
			return nil, err
		}
	}
}

// release removes the lock's file while we still hold it, so that no files pile
// up for unused keys.
func (l *keyLock) release() {
	_ = os.Remove(l.file.Name())
	_ = l.file.Close()
}

// openManifest opens the manifest of the entry in dir and locks it: shared
// (unix.LOCK_SH) to use the entry, exclusively (unix.LOCK_EX) to remove it.
// [errAbsent] means that there is no entry, [errInUse] that it is locked, and a
// damage that the entry has no manifest.
func openManifest(dir string, how int) (*os.File, error) {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errAbsent
	case err != nil:
		return nil, lost(dir, err)
	case !info.IsDir():
		return nil, &damage{"", "it is not a directory"}
	}
	path := filepath.Join(dir, manifestName)
	f, err := os.OpenFile(path, os.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, lost(manifestName, err)
	}
	if err := flock(f, how); err != nil {
		_ = f.Close()
		return nil, err
	}
	if !inPlace(f, path) {
		_ = f.Close()
		return nil, errAbsent // it was removed between our two calls
	}
	return f, nil
}

// flock takes a lock or returns [errInUse]. The lock belongs to the open file,
// so that it also works within one process, and it ends with the process.
func flock(f *os.File, how int) error {
	for {
		err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return errInUse
		case !errors.Is(err, unix.EINTR):
			return fmt.Errorf("locking in the cache: %w", err)
		}
	}
}

// inPlace reports whether path is still the open file f.
func inPlace(f *os.File, path string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(open, there)
}

// pause waits, longer each time.
func pause(ctx context.Context, wait *time.Duration) error {
	*wait = min(max(*wait*2, minWait), maxWait)
	timer := time.NewTimer(*wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// lockPatiently waits for the lock of a file entry, which is never held for
// long.
func (cd *cacheDir) lockPatiently(name string) (*keyLock, error) {
	for waited := time.Duration(0); ; waited += minWait {
		lock, err := cd.lock(name)
		if !errors.Is(err, errInUse) {
			return lock, err
		}
		if waited > patience {
			return nil, &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "another mcpsf keeps a file of the cache locked; try again when it has ended"}
		}
		time.Sleep(minWait)
	}
}
