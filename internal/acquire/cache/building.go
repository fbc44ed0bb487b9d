package cache

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// building is an entry that is being made. The shared lock on its manifest
// says that its maker lives; the entry keeps it when it moves into place.
type building struct {
	dir      string
	manifest *os.File
}

func (b *building) content() string { return filepath.Join(b.dir, contentName) }

// newBuilding makes a private place for an entry. Somebody who sweeps may
// take it before it is locked, and then it needs another.
func (c *Cache) newBuilding() (*building, error) {
	const tries = 100
	var err error
	for range tries {
		b := &building{dir: c.randomDir()}
		if err = b.claim(); err == nil {
			return b, nil
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errInUse) && !errors.Is(err, errAbsent) {
			_ = removeAll(b.dir)
			break
		}
	}
	return nil, c.full(unusable(c.dir, err))
}

func (c *Cache) randomDir() string {
	var random [16]byte
	_, _ = rand.Read(random[:])
	return filepath.Join(c.dir, buildingDir, hex.EncodeToString(random[:]))
}

func (b *building) claim() error {
	if err := os.Mkdir(b.dir, 0o700); err != nil {
		return err
	}
	name := filepath.Join(b.dir, manifestName)
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	err = flock(f, unix.LOCK_SH)
	if err == nil && !inPlace(f, name) {
		err = errAbsent
	}
	if err == nil {
		err = os.Mkdir(b.content(), 0o700)
	}
	if err != nil {
		_ = f.Close()
		return err
	}
	b.manifest = f
	return nil
}

// finish writes the manifest and moves the entry to its name, whose lock the
// caller holds and where nothing is. The content needs no fsync: what a power
// failure takes from it is found when it is verified.
func (c *Cache) finish(b *building, m *manifest, name string) error {
	data, err := m.encode()
	if err != nil {
		return err
	}
	if _, err := b.manifest.Write(data); err != nil {
		return unusable(c.dir, err)
	}
	if err := b.manifest.Sync(); err != nil {
		return unusable(c.dir, err)
	}
	if err := os.Chmod(b.dir, c.mode); err != nil {
		return unusable(c.dir, err)
	}
	if err := os.Rename(b.dir, c.entry(name)); err != nil {
		return unusable(c.dir, err)
	}
	return nil
}

// abandon removes an entry that came to nothing.
func (c *Cache) abandon(b *building) {
	if err := destroy(b.dir); err != nil {
		c.logger.Warn("cannot remove an unfinished cache entry", "dir", b.dir, "error", err)
	}
	_ = b.manifest.Close()
}

// sweep removes what dead processes left: entries that were being made or
// removed, and locks.
func (c *Cache) sweep() {
	for _, e := range readDir(filepath.Join(c.dir, buildingDir)) {
		c.sweepBuilding(filepath.Join(c.dir, buildingDir, e.Name()))
	}
	for _, e := range readDir(filepath.Join(c.dir, locksDir)) {
		if l, err := c.lock(e.Name()); err == nil {
			l.release()
		}
	}
}

func (c *Cache) sweepBuilding(dir string) {
	f, err := openManifest(dir, unix.LOCK_EX)
	switch {
	case err == nil:
		defer f.Close()
		err = destroy(dir)
	case damaged(err) && age(dir) < time.Hour:
		_ = os.Remove(dir) // its maker got as far as this, or is at it
		return
	case damaged(err):
		err = removeAll(dir)
	default: // somebody uses it, or has removed it
		return
	}
	if err != nil {
		c.logger.Warn("cannot remove an abandoned cache entry", "dir", dir, "error", err)
		return
	}
	c.logger.Debug("removed an abandoned cache entry", "dir", dir)
}

func age(path string) time.Duration {
	info, err := os.Lstat(path)
	if err != nil {
		return 0
	}
	return time.Since(info.ModTime())
}

// readDir lists a directory of ours; what cannot be listed is not swept.
func readDir(dir string) []fs.DirEntry {
	entries, _ := os.ReadDir(dir)
	return entries
}
