// Package blob stores the files of the service: reports, events, packets, uploads.
// They are in a directory or in an S3 bucket.
//
// In: names and bytes.
//
// Out: complete files, lists of them.
//
// Never: show a part of a file; leave the directory or the prefix of the bucket.
//
// Names are slash-separated paths that [fs.ValidPath] accepts, printable, without
// elements that begin with a dot. A name is a file or a directory, never both;
// directories exist as long as there are files in them.
//
// A file exists completely or not at all. Put replaces a file atomically, and the
// last of several concurrent writers wins: names of uploads are digests, and names
// of results belong to one attempt of one job, so all writers have the same
// content. A concurrent reader gets the old file or an error, never a mix.
package blob

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// ErrNotFound is returned for a file that does not exist.
var ErrNotFound = errors.New("no such file")

// ErrName is returned for an invalid name.
var ErrName = errors.New("invalid file name")

// Store stores files.
type Store interface {
	// Put stores what it reads, completely or not at all, and returns the size.
	Put(ctx context.Context, name string, r io.Reader) (int64, error)
	// Open opens a file. The caller closes it, before ctx ends.
	Open(ctx context.Context, name string) (File, error)
	// List returns the files below a directory, sorted by name; "." is the root. A
	// directory that does not exist is empty.
	List(ctx context.Context, dir string) ([]Info, error)
	// Ready tests that files can be stored. It is not free.
	Ready(ctx context.Context) error
	// Remove removes a file, or a directory with everything below it. It is no
	// error if there is none.
	Remove(ctx context.Context, name string) error
}

// File is an open file.
type File interface {
	io.ReadSeekCloser
	Size() int64
}

// Info describes a file in a list.
type Info struct {
	Name string
	Size int64
}

// Opened is a store that has to be closed.
type Opened interface {
	Store
	io.Closer
}

// Credentials are those of a bucket. A directory needs none.
type Credentials struct {
	ID, Secret string
	// Token belongs to temporary credentials.
	Token string
}

// Open opens a store: a directory, which is created if it does not exist, or
// s3://BUCKET/PREFIX?endpoint=URL&region=NAME.
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
