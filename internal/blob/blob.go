// Package blob keeps the files of the service: reports, events, packets,
// uploads. They are in a directory, or in a bucket that is spoken to in S3's
// way.
//
// Names are paths with slashes as [fs.ValidPath] has them. A file is there as a
// whole or not at all, and does not change once it is there.
package blob

import (
	"context"
	"errors"
	"io"
)

// ErrNotFound is returned for a file that is not there.
var ErrNotFound = errors.New("there is no such file")

// ErrName is returned for a name that is none.
var ErrName = errors.New("not a name of a file")

// Store is where files are.
type Store interface {
	// Put keeps what is read, whole or not at all, and returns its size.
	Put(ctx context.Context, name string, r io.Reader) (int64, error)
	// Open reads a file. The caller closes it.
	Open(ctx context.Context, name string) (File, error)
	// List returns the files below a directory, in order.
	List(ctx context.Context, dir string) ([]Info, error)
	// Remove removes a file, or a directory with everything below it. What is
	// not there is removed already.
	Remove(ctx context.Context, name string) error
}

// File is one that is read.
type File interface {
	io.ReadSeekCloser
	Size() int64
}

// Info is what a list tells of a file.
type Info struct {
	Name string
	Size int64
}
