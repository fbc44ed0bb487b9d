package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/mcpsf/mcpsf"
)

// layout is the version of what doc.go describes.
const layout = "1\n"

// tag is what the specification of cache directories asks for.
const tag = `Signature: 8a477f597d28d172789f06886806bc55
# This directory holds packages that mcpsf can fetch again.
# Remove them with: mcpsf cache clear
`

// DefaultDir is where the user's cache belongs. For root that is a system
// directory: its sandbox runs as another user, who cannot enter root's home.
func DefaultDir(getenv func(string) string, uid int) (string, error) {
	if dir := getenv("MCPSF_CACHE"); dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return "", unusable(dir, err)
		}
		return abs, nil
	}
	if uid == 0 {
		return "/var/cache/mcpsf", nil
	}
	if dir := getenv("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "mcpsf"), nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".cache", "mcpsf"), nil
	}
	return "", &mcpsf.Error{
		Code:    mcpsf.CodeUsage,
		Message: "there is no place for the cache; set MCPSF_CACHE to a directory, or HOME",
	}
}

// there reports whether the cache's directory exists.
func (c *Cache) there() bool {
	_, err := os.Lstat(c.dir)
	return err == nil
}

// ready makes the cache or checks the one that is there, once.
func (c *Cache) ready() error {
	first, err := c.make()
	if first && err == nil {
		c.sweep()
	}
	return err
}

func (c *Cache) make() (first bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made {
		return false, nil
	}
	err = c.prepare()
	c.made = err == nil
	return true, err
}

// prepare makes the directories, or checks that they are a cache of ours.
func (c *Cache) prepare() error {
	if err := os.MkdirAll(filepath.Dir(c.dir), 0o755); err != nil {
		return unusable(c.dir, err)
	}
	if err := c.makeDir(c.dir, c.mode); err != nil {
		return err
	}
	if err := c.onlyOurs(); err != nil {
		return err
	}
	if err := c.checkVersion(); err != nil {
		return err
	}
	for _, d := range []struct {
		name string
		mode os.FileMode
	}{{entriesDir, c.mode}, {buildingDir, 0o700}, {locksDir, 0o700}} {
		if err := c.makeDir(filepath.Join(c.dir, d.name), d.mode); err != nil {
			return err
		}
	}
	return nil
}

// makeDir makes a directory of exactly this mode, or accepts one that nobody
// else could have prepared for us.
func (c *Cache) makeDir(dir string, mode os.FileMode) error {
	if err := os.Mkdir(dir, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return unusable(dir, err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return unusable(dir, err)
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() || int(st.Uid) != c.uid || info.Mode().Perm()&0o022 != 0 {
		return &mcpsf.Error{
			Code:    mcpsf.CodeUsage,
			Message: fmt.Sprintf("the cache %q must be a directory that only you can write to; correct it or set MCPSF_CACHE to another", dir),
		}
	}
	if info.Mode().Perm() == mode {
		return nil
	}
	if err := os.Chmod(dir, mode); err != nil {
		return unusable(dir, err)
	}
	return nil
}

// onlyOurs refuses a directory that holds other things. Somebody who sets
// MCPSF_CACHE to their home should not find our files all over it.
func (c *Cache) onlyOurs() error {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return unusable(c.dir, err)
	}
	for _, e := range entries {
		switch e.Name() {
		case "version":
			return nil
		case "CACHEDIR.TAG", entriesDir, buildingDir, locksDir, advisoriesDir, sourceDir:
		default:
			err = &mcpsf.Error{
				Code:    mcpsf.CodeUsage,
				Message: fmt.Sprintf("%q is not a cache, it holds other files; set MCPSF_CACHE to a new directory", c.dir),
			}
		}
	}
	return err
}

func (c *Cache) checkVersion() error {
	name := filepath.Join(c.dir, "version")
	data, err := readSmall(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unusable(name, err)
	}
	switch strings.TrimSpace(string(data)) {
	case strings.TrimSpace(layout):
		return nil
	case "": // new, or just being made by another process
	default:
		return &mcpsf.Error{
			Code:    mcpsf.CodeUsage,
			Message: fmt.Sprintf("the cache %q was made by another version of mcpsf; remove it or set MCPSF_CACHE to another directory", c.dir),
		}
	}
	for name, text := range map[string]string{"version": layout, "CACHEDIR.TAG": tag} {
		if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o644); err != nil {
			return unusable(c.dir, err)
		}
	}
	return nil
}

// readSmall reads the beginning of a file.
func readSmall(name string) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	buf := make([]byte, 64)
	n, err := f.Read(buf)
	if n == 0 && err != nil && !isEOF(err) {
		return nil, err
	}
	return buf[:n], nil
}
