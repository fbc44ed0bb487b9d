package cache

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/mcpsf/mcpsf"
)

// Conditions between processes; they never leave the package.
var (
	errAbsent = errors.New("there is no such entry")
	errInUse  = errors.New("the entry is in use")
)

// damage is an error that says how an entry differs from its manifest.
type damage struct {
	path, what string
}

func (d *damage) Error() string {
	if d.path == "" {
		return d.what
	}
	return fmt.Sprintf("%q %s", d.path, d.what)
}

func damaged(err error) bool {
	_, ok := errors.AsType[*damage](err)
	return ok
}

// lost turns a failure to read path into damage, unless the machine is out of
// descriptors or memory: then the entry may be intact.
func lost(path string, err error) error {
	for _, machine := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM} {
		if errors.Is(err, machine) {
			return fmt.Errorf("checking %q: %w", path, bare(err))
		}
	}
	return &damage{path, "cannot be read: " + bare(err).Error()}
}

// unusable is the error for a directory in which nothing can be kept.
func unusable(dir string, err error) error {
	return &mcpsf.Error{
		Code:    mcpsf.CodeUsage,
		Message: fmt.Sprintf("cannot keep anything in the cache %q; set MCPSF_CACHE to a directory you can write to", dir),
		Err:     bare(err),
	}
}

// bare strips the path from an error of package os.
func bare(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}

func isEOF(err error) bool { return errors.Is(err, io.EOF) }
