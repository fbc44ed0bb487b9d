package cache

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// building is an entry that is being built. The shared lock on its manifest
// shows other processes that its builder is alive. The lock stays when the
// entry is moved into place.
type building struct {
	dir      string
	manifest *os.File
}

func (b *building) content() string { return filepath.Join(b.dir, contentName) }

// newBuilding makes a private directory for an entry. Another process's sweep
// may remove it before it is locked; then the next try makes another.
func (s *entryStore) newBuilding() (*building, error) {
	const tries = 100
	var err error
	for range tries {
		b := &building{dir: s.dir.randomDir()}
		if err = b.claim(); err == nil {
			return b, nil
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errInUse) && !errors.Is(err, errAbsent) {
			_ = removeAll(b.dir)
			break
		}
	}
	return nil, s.dir.full(unusable(s.dir.path, err))
}

func (cd *cacheDir) randomDir() string {
	var random [16]byte
	_, _ = rand.Read(random[:])
	return filepath.Join(cd.path, buildingDir, hex.EncodeToString(random[:]))
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

// finish writes the manifest and moves the entry to its name. The caller holds
// the lock of the name, and no entry exists there. The content needs no fsync:
// verification finds what a power failure destroyed.
func (s *entryStore) finish(b *building, m *manifest, name string) error {
	data, err := m.encode()
	if err != nil {
		return err
	}
	if _, err := b.manifest.Write(data); err != nil {
		return unusable(s.dir.path, err)
	}
	if err := b.manifest.Sync(); err != nil {
		return unusable(s.dir.path, err)
	}
	if err := os.Chmod(b.dir, s.dir.mode); err != nil {
		return unusable(s.dir.path, err)
	}
	if err := os.Rename(b.dir, s.dir.entry(name)); err != nil {
		return unusable(s.dir.path, err)
	}
	return nil
}

// abandon removes an entry that could not be finished.
func (s *entryStore) abandon(b *building) {
	if err := destroy(b.dir); err != nil {
		s.logger.Warn("cannot remove an unfinished cache entry", "dir", b.dir, "error", err)
	}
	_ = b.manifest.Close()
}
