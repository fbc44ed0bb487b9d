// Package blob keeps the files of the service: reports, events, packets,
// uploads. They are in a directory, or in a bucket that is spoken to in S3's
// way.
//
// Names are paths with slashes as [fs.ValidPath] has them, printable, and no
// part of them begins with a dot. A name stands for a file or for a directory,
// never for both; directories come and go with the files in them.
//
// A file is there as a whole or not at all. What is put under a name that is
// taken takes the other's place as a whole, and of those who put at once the
// last wins: names of uploads are digests, and names of results belong to one
// attempt of one job, so whoever puts again has the same to say. Who reads
// meanwhile gets the old file, or an error, and never some of each.
package blob

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// ErrNotFound is returned for a file that is not there.
var ErrNotFound = errors.New("there is no such file")

// ErrName is returned for a name that is none.
var ErrName = errors.New("not a name of a file")

// Store is where files are.
type Store interface {
	// Put keeps what is read, whole or not at all, and returns its size.
	Put(ctx context.Context, name string, r io.Reader) (int64, error)
	// Open reads a file. The caller closes it, and lets ctx live as long.
	Open(ctx context.Context, name string) (File, error)
	// List returns the files below a directory, in order of their names; "."
	// has them all. Below what is not there is nothing.
	List(ctx context.Context, dir string) ([]Info, error)
	// Ready tells whether files can be kept. It costs something.
	Ready(ctx context.Context) error
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

// Opened is a store with what it holds open.
type Opened interface {
	Store
	io.Closer
}

// Credentials are what a bucket asks for. A directory needs none.
type Credentials struct {
	ID, Secret string
	// Token comes with credentials that are lent for a while.
	Token string
}

// Open opens the place where files are: a directory, which is made if it is
// not there, or s3://BUCKET/PREFIX?endpoint=URL&region=NAME.
func Open(ctx context.Context, place string, credentials Credentials) (Opened, error) {
	switch scheme, _, found := strings.Cut(place, "://"); {
	case place == "":
		return nil, usage("name the place for files with --files: a directory or s3://BUCKET/PREFIX")
	case !found:
		return OpenDir(place)
	case scheme == "s3":
		return OpenS3(ctx, place, credentials)
	}
	return nil, usage("--files takes a directory or s3://BUCKET/PREFIX?endpoint=URL&region=NAME, and nothing else")
}

func usage(message string) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: message}
}
