package lock

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/atomicfile"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// maxFile bounds a lock that is read.
// no gap: a larger lock is refused with an error
const maxFile = 64 << 20

// Read reads a lock. If there is no file, errors.Is(err, fs.ErrNotExist).
func Read(name string) (*Lock, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf("there is no %s; make it with --lock once you agree to what the server does", name), Err: err}
	}
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, unreadable(name, err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, unreadable(name, fmt.Errorf("not a regular file of at most %d MiB", maxFile>>20))
	}
	l, err := Parse(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, unreadable(name, err)
	}
	return l, nil
}

// Parse reads the content of a lock.
func Parse(r io.Reader) (*Lock, error) {
	dec := json.NewDecoder(r)
	dec.DisallowUnknownFields()
	var l Lock
	if err := dec.Decode(&l); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is something behind its end")
	}
	if l.Version != Version {
		return nil, fmt.Errorf("its lock_version is %d, and %d is understood", l.Version, Version)
	}
	return &l, nil
}

func unreadable(name string, err error) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf("%s is not a lock of mcpsf; restore it, or make it anew with --lock", name), Err: err}
}

// Write writes a lock. The same lock is always the same bytes: sorted, one entry
// a line.
func Write(name string, l *Lock) error {
	data, err := safetext.JSON(l)
	if err != nil {
		return fmt.Errorf("encoding the lock: %w", err)
	}
	if err := atomicfile.Write(name, data, 0o644); err != nil {
		return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf("cannot write %s", name), Err: err}
	}
	return nil
}
