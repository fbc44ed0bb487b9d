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

// close ends the use. A nil handle and a second call are harmless.
func (h *handle) close() {
	if h != nil {
		_ = h.lock.Close()
	}
}

// settled reports whether err is final, and no reason to try again or to build.
func settled(err error) bool {
	return !errors.Is(err, errAbsent) && !errors.Is(err, errInUse) && !damaged(err)
}

// file is the path of a file entry's content.
func (h *handle) file() string {
	return filepath.Join(h.content(), h.m.dirs[0].items[0].name)
}
