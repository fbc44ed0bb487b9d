package cache

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/mcpsf/mcpsf"
)

// Get returns the verified file for key, and its note. A damaged file is
// removed and counts as missing. The file stays in place until [Cache.Close],
// unless another is put under its key.
func (c *Cache) Get(key string) (path string, note []byte, ok bool) {
	name := nameOf(KindFile, key)
	h, err := c.entries.reuse(KindFile, key, name, never)
	if damaged(err) {
		h, err = c.repair(key, name)
	}
	if err == nil {
		c.hold(name, h.lock)
		return h.file(), h.m.note, true
	}
	if settled(err) {
		c.logger.Warn("cannot look into the cache", "key", key, "error", err)
	}
	return "", nil, false
}

// repair removes a damaged file, unless it is being replaced.
func (c *Cache) repair(key, name string) (*handle, error) {
	lock, err := c.dir.lock(name)
	if err != nil {
		return nil, err
	}
	defer lock.release()
	return c.entries.renew(KindFile, key, name, never)
}

// Put moves the file at path into the cache under key, keeps its file name, and
// returns the new path. It replaces an existing file unless that is the same.
// If Put fails, the file is still at path.
func (c *Cache) Put(key, path string, note []byte) (string, error) {
	if err := checkKey(key); err != nil {
		return "", err
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return "", &mcpsf.Error{Code: mcpsf.CodeInternal, Message: fmt.Sprintf("%q is no file that can be kept", path), Err: err}
	}
	name := nameOf(KindFile, key)
	lock, err := c.dir.lockPatiently(name)
	if err != nil {
		return "", err
	}
	defer lock.release()
	before, err := c.entries.renew(KindFile, key, name, never)
	if err != nil && !errors.Is(err, errAbsent) {
		return "", err
	}
	h, err := c.entries.produce(KindFile, key, name, before, never, func(dir string) ([]byte, error) {
		return note, bring(path, filepath.Join(dir, filepath.Base(path)))
	})
	if err != nil {
		before.close()
		return "", err
	}
	c.hold(name, h.lock)
	_ = os.Remove(path)
	c.trim()
	return h.file(), nil
}

// bring links the file at from to to, or copies it if it cannot be linked.
func bring(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	in, err := os.OpenFile(from, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return fmt.Errorf("moving a file into the cache: %w", err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("moving a file into the cache: %w", err)
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("moving a file into the cache: %w", err)
	}
	return nil
}

// never is the stop function of calls without a context.
func never() error { return nil }
