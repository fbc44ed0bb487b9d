package box

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// RunDir is the one directory on the host where a run keeps files. Its name
// contains the run's id, and a lock shows that its owner is alive.
type RunDir struct {
	ID   string
	Path string
	lock *os.File
}

const (
	runPrefix  = "run-"
	newPrefix  = "new-"
	keptPrefix = "kept-"
	lockName   = "lock"
)

// NewRunDir makes the directory of a new run below base. It first removes the
// directories of runs whose process is gone.
func NewRunDir(base string, now time.Time) (*RunDir, error) {
	var random [4]byte
	_, _ = rand.Read(random[:])
	id := now.UTC().Format("20060102-150405-") + hex.EncodeToString(random[:])
	r := &RunDir{ID: id, Path: filepath.Join(base, runPrefix+id)}
	if err := r.claim(base); err != nil {
		return nil, err
	}
	sweep(base, r.Path)
	if err := os.Mkdir(r.Stage(), 0o700); err != nil {
		_ = r.Remove()
		return nil, fmt.Errorf("making the run's directory: %w", err)
	}
	return r, nil
}

// claim makes the directory under a name that no sweep considers, locks it, and
// only then gives it its final name. The last run to end removes base, so
// making both may take another try.
func (r *RunDir) claim(base string) error {
	temporary := filepath.Join(base, newPrefix+r.ID)
	const tries = 100
	for try := 1; ; try++ {
		err := os.MkdirAll(base, 0o711)
		if err == nil {
			err = ownedByUs(base)
		}
		if err == nil {
			err = os.Mkdir(temporary, 0o711)
		}
		if err == nil {
			break
		}
		if try == tries || !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("making the run's directory: %w", err)
		}
	}
	lock, err := acquire(filepath.Join(temporary, lockName), os.O_CREATE)
	if err == nil {
		r.lock = lock
		err = os.Rename(temporary, r.Path)
	}
	if err != nil {
		_ = os.RemoveAll(temporary)
		return fmt.Errorf("locking the run's directory: %w", err)
	}
	return nil
}

// Stage is the directory for the private copy of the target.
func (r *RunDir) Stage() string { return filepath.Join(r.Path, "stage") }

// Keep renames the directory so that no later run removes it, and returns the
// new name.
func (r *RunDir) Keep() (string, error) {
	kept := filepath.Join(filepath.Dir(r.Path), keptPrefix+r.ID)
	if err := errors.Join(os.Rename(r.Path, kept), r.lock.Close()); err != nil {
		return "", fmt.Errorf("keeping the run's directory: %w", err)
	}
	r.lock = nil
	return kept, nil
}

// Remove deletes the directory; a second call does nothing.
func (r *RunDir) Remove() error {
	if r.lock == nil {
		return nil
	}
	err := errors.Join(empty(r.Path), r.lock.Close())
	r.lock = nil
	_ = os.Remove(filepath.Dir(r.Path)) // fails while other runs use it
	if err != nil {
		return fmt.Errorf("removing the run's directory: %w", err)
	}
	return nil
}

// sweep removes directories of runs whose lock is free. A live run, of this
// process or another, holds its lock and is never touched.
func sweep(base, own string) {
	entries, err := os.ReadDir(base)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !abandonable(e) {
			continue
		}
		dir := filepath.Join(base, e.Name())
		if dir == own {
			continue
		}
		lock, err := acquire(filepath.Join(dir, lockName), 0)
		if errors.Is(err, fs.ErrNotExist) {
			_ = os.Remove(dir) // its owner has removed the rest, or is doing so
		}
		if err != nil {
			continue
		}
		if removeCgroups(strings.TrimPrefix(e.Name(), runPrefix)) {
			_ = empty(dir)
		}
		_ = lock.Close()
	}
}

// empty removes a run's directory, whose lock the caller holds, and removes the
// lock last: until then the directory can be attributed to its run.
func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() != lockName {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	if err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

// abandonable distinguishes run directories from those that are still being
// made, and from those the user wanted to keep.
func abandonable(e fs.DirEntry) bool {
	if strings.HasPrefix(e.Name(), runPrefix) {
		return true
	}
	info, err := e.Info()
	return err == nil && strings.HasPrefix(e.Name(), newPrefix) && time.Since(info.ModTime()) > time.Hour
}
