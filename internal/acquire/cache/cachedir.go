package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/mcpsf/mcpsf"
)

// layoutVersion is the version of the layout in doc.go.
const layoutVersion = "1\n"

// tag is required by the specification of cache directories.
const tag = `Signature: 8a477f597d28d172789f06886806bc55
# This directory holds packages that mcpsf can fetch again.
# Remove them with: mcpsf cache clear
`

// cacheDir is the directory of a cache: it is made, checked for ownership, and
// has the locks of names.
type cacheDir struct {
	path   string
	logger *slog.Logger
	uid    int
	// mode is the mode of directories that the sandbox has to traverse: under
	// root the sandbox runs as another user.
	mode os.FileMode

	mu sync.Mutex
	// made says that the directory exists and was found to be ours.
	made bool
}

// there reports whether the cache's directory exists.
func (cd *cacheDir) there() bool {
	_, err := os.Lstat(cd.path)
	return err == nil
}

// ready makes the cache or checks the existing one, once.
func (cd *cacheDir) ready() error {
	first, err := cd.make()
	if first && err == nil {
		cd.sweep()
	}
	return err
}

func (cd *cacheDir) make() (first bool, err error) {
	cd.mu.Lock()
	defer cd.mu.Unlock()
	if cd.made {
		return false, nil
	}
	err = cd.prepare()
	cd.made = err == nil
	return true, err
}

// prepare makes the directories, or checks that they are a cache of ours.
func (cd *cacheDir) prepare() error {
	if err := os.MkdirAll(filepath.Dir(cd.path), 0o755); err != nil {
		return unusable(cd.path, err)
	}
	if err := cd.makeDir(cd.path, cd.mode); err != nil {
		return err
	}
	if err := cd.onlyOurs(); err != nil {
		return err
	}
	if err := cd.checkVersion(); err != nil {
		return err
	}
	for _, d := range []struct {
		name string
		mode os.FileMode
	}{{entriesDir, cd.mode}, {buildingDir, 0o700}, {locksDir, 0o700}} {
		if err := cd.makeDir(filepath.Join(cd.path, d.name), d.mode); err != nil {
			return err
		}
	}
	return nil
}

// makeDir makes a directory of exactly this mode, or accepts an existing one
// that nobody else could have prepared.
func (cd *cacheDir) makeDir(dir string, mode os.FileMode) error {
	if err := os.Mkdir(dir, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return unusable(dir, err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return unusable(dir, err)
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() || int(st.Uid) != cd.uid || info.Mode().Perm()&0o022 != 0 {
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

// onlyOurs refuses a directory that contains other things, so that MCPSF_CACHE
// set to the home directory does not scatter our files there.
func (cd *cacheDir) onlyOurs() error {
	entries, err := os.ReadDir(cd.path)
	if err != nil {
		return unusable(cd.path, err)
	}
	for _, e := range entries {
		switch e.Name() {
		case "version":
			return nil
		case "CACHEDIR.TAG", entriesDir, buildingDir, locksDir, advisoriesDir, sourceDir:
		default:
			err = &mcpsf.Error{
				Code:    mcpsf.CodeUsage,
				Message: fmt.Sprintf("%q is not a cache, it holds other files; set MCPSF_CACHE to a new directory", cd.path),
			}
		}
	}
	return err
}

func (cd *cacheDir) checkVersion() error {
	name := filepath.Join(cd.path, "version")
	data, err := readSmall(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unusable(name, err)
	}
	switch strings.TrimSpace(string(data)) {
	case strings.TrimSpace(layoutVersion):
		return nil
	case "": // new, or just being made by another process
	default:
		return &mcpsf.Error{
			Code:    mcpsf.CodeUsage,
			Message: fmt.Sprintf("the cache %q was made by another version of mcpsf; remove it or set MCPSF_CACHE to another directory", cd.path),
		}
	}
	for name, text := range map[string]string{"version": layoutVersion, "CACHEDIR.TAG": tag} {
		if err := os.WriteFile(filepath.Join(cd.path, name), []byte(text), 0o644); err != nil {
			return unusable(cd.path, err)
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

// full turns "disk full" into an error for the user, and returns every other
// error unchanged.
func (cd *cacheDir) full(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return &mcpsf.Error{
			Code:    mcpsf.CodeUnavailable,
			Message: fmt.Sprintf("there is no room left for the cache %q; free some, for example with: mcpsf cache clear", cd.path),
		}
	}
	return err
}
