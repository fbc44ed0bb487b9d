package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// remove removes the entry called name; [errInUse] means that another process
// uses, builds or replaces it.
func (s *entryStore) remove(name string) error {
	lock, err := s.dir.lock(name)
	if err != nil {
		return err
	}
	defer lock.release()
	f, err := openManifest(s.dir.entry(name), unix.LOCK_EX)
	switch {
	case err == nil:
		defer f.Close()
	case !damaged(err):
		return err
	}
	trash, err := s.moveAway(name)
	if err != nil {
		return err
	}
	return destroy(trash)
}

// discard moves a damaged or outdated entry away. The caller holds the lock of
// its name. Another process may still be using it: it is moved at once, and
// removed by a later sweep when it is unused.
func (s *entryStore) discard(name string) error {
	trash, err := s.moveAway(name)
	if err != nil {
		return err
	}
	f, err := openManifest(trash, unix.LOCK_EX)
	switch {
	case errors.Is(err, errInUse):
		return nil
	case err == nil:
		defer f.Close()
	}
	if err := destroy(trash); err != nil {
		s.logger.Warn("cannot remove a cache entry", "dir", trash, "error", err)
	}
	return nil
}

func (s *entryStore) moveAway(name string) (string, error) {
	from, to := s.dir.entry(name), s.dir.randomDir()
	if info, err := os.Lstat(from); err == nil && info.IsDir() {
		_ = os.Chmod(from, 0o700) // a directory without write permission cannot be moved
	}
	if err := os.Rename(from, to); err != nil {
		return "", unusable(s.dir.path, err)
	}
	return to, nil
}

// destroy removes an entry below building/. The manifest is removed last,
// because its lock tells other processes that the entry is in use.
func destroy(dir string) error {
	if info, err := os.Lstat(dir); err == nil && info.IsDir() {
		if err := removeAll(filepath.Join(dir, contentName)); err != nil {
			return err
		}
	}
	return removeAll(dir)
}

// removeAll is [os.RemoveAll] for trees with inaccessible directories.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	if err := openUp(dir); err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

// openUp makes every directory below dir writable for us.
func openUp(dir string) error {
	if err := os.Chmod(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for todo := []string{"."}; len(todo) > 0; {
		in := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		f, err := root.Open(in)
		if err != nil {
			return err
		}
		entries, err := f.ReadDir(-1)
		_ = f.Close()
		for _, e := range entries {
			if name := filepath.Join(in, e.Name()); e.IsDir() {
				err = errors.Join(err, root.Chmod(name, 0o700))
				todo = append(todo, name)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
