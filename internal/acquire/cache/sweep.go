package cache

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// sweep removes what dead processes left: entries that were being built or
// removed, and locks.
func (cd *cacheDir) sweep() {
	for _, e := range readDir(filepath.Join(cd.path, buildingDir)) {
		cd.sweepBuilding(filepath.Join(cd.path, buildingDir, e.Name()))
	}
	for _, e := range readDir(filepath.Join(cd.path, locksDir)) {
		if l, err := cd.lock(e.Name()); err == nil {
			l.release()
		}
	}
}

func (cd *cacheDir) sweepBuilding(dir string) {
	f, err := openManifest(dir, unix.LOCK_EX)
	switch {
	case err == nil:
		defer f.Close()
		err = destroy(dir)
	case damaged(err) && age(dir) < time.Hour:
		_ = os.Remove(dir) // its builder died early, or has just begun
		return
	case damaged(err):
		err = removeAll(dir)
	default: // in use, or already removed
		return
	}
	if err != nil {
		cd.logger.Warn("cannot remove an abandoned cache entry", "dir", dir, "error", err)
		return
	}
	cd.logger.Debug("removed an abandoned cache entry", "dir", dir)
}

func age(path string) time.Duration {
	info, err := os.Lstat(path)
	if err != nil {
		return 0
	}
	return time.Since(info.ModTime())
}

// readDir lists a directory of ours; an unreadable one is not swept.
func readDir(dir string) []fs.DirEntry {
	entries, _ := os.ReadDir(dir)
	return entries
}
