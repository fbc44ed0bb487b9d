package cache

import (
	"errors"
	"os"
	"path/filepath"
)

// handle is an entry in use.
type handle struct {
	dir  string
	lock *os.File // the manifest, locked
	m    *manifest
}

func (h *handle) content() string { return filepath.Join(h.dir, contentName) }

// close ends the use. Both a nil handle and a second call are fine.
func (h *handle) close() {
	if h != nil {
		_ = h.lock.Close()
	}
}

// settled reports whether err is final, and not a reason to try again or to
// build.
func settled(err error) bool {
	return !errors.Is(err, errAbsent) && !errors.Is(err, errInUse) && !damaged(err)
}

// file is where the file of an entry of that kind is.
func (h *handle) file() string {
	return filepath.Join(h.content(), h.m.dirs[0].items[0].name)
}
