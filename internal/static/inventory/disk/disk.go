// Package disk lists and reads the files of hostile trees.
//
// It takes trees, each with a name, and returns the paths of the files that a
// reader wants, and their contents, all within limits. The trees form one: the
// files of the first are at the top, those of another below its name. Symbolic
// links are resolved here, by name, and never lead out of their tree.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// Tree is a directory. Name is "" for the first.
type Tree struct {
	Name string
	FS   fs.FS
}

// Limits bound what is read. Zero values mean the defaults.
type Limits struct {
	// Files bounds the files and directories that are listed.
	Files int
	// File bounds one manifest or lock file, Bytes all of them.
	File, Bytes int64
}

// The defaults of [Limits].
const (
	DefaultFiles = 500_000
	DefaultFile  = 32 << 20
	DefaultBytes = 256 << 20
)

// Disk is the combined tree.
type Disk struct {
	trees  []Tree
	limits Limits
	parts  *part.Collector
	// links maps the symbolic links to their targets.
	links map[string]string

	// Seen counts files and directories, Files those that were read, Bytes
	// their total size.
	Seen, Files int
	Bytes       int64
}

// New returns a disk of the trees. Read errors are noted in the parts.
func New(parts *part.Collector, limits Limits, trees ...Tree) *Disk {
	if limits.Files <= 0 {
		limits.Files = DefaultFiles
	}
	if limits.File <= 0 {
		limits.File = DefaultFile
	}
	if limits.Bytes <= 0 {
		limits.Bytes = DefaultBytes
	}
	return &Disk{trees: trees, limits: limits, parts: parts, links: make(map[string]string)}
}

// Read returns the contents of a file. On an error or a reached limit it adds a
// note to the parts and returns false.
func (d *Disk) Read(path string) ([]byte, bool) {
	f, size, err := d.open(path)
	if err != nil {
		d.parts.Note(path, "it cannot be read: %s", reason(err))
		return nil, false
	}
	defer f.Close()
	switch {
	case size > d.limits.File:
		d.parts.Note(path, "it is larger than %d MB and was not read", d.limits.File>>20)
		return nil, false
	case d.Bytes+size > d.limits.Bytes:
		d.parts.Note("", "more than %d MB of manifests and lock files; the rest was not read", d.limits.Bytes>>20)
		return nil, false
	}
	data := make([]byte, size)
	n, err := io.ReadFull(f, data)
	if err != nil {
		d.parts.Note(path, "it cannot be read: %s", reason(err))
		return nil, false
	}
	d.Files++
	d.Bytes += int64(n)
	return data, true
}

// Open opens a file for reading in pieces, and returns its size. The caller
// closes it.
func (d *Disk) Open(path string) (interface {
	io.ReaderAt
	io.Closer
}, int64, error,
) {
	f, size, err := d.open(path)
	if err != nil {
		return nil, 0, errors.New(reason(err))
	}
	at, ok := f.(interface {
		io.ReaderAt
		io.Closer
	})
	if !ok {
		f.Close()
		return nil, 0, errors.New("it can only be read from its beginning")
	}
	return at, size, nil
}

// open opens a regular file, following links.
func (d *Disk) open(path string) (fs.File, int64, error) {
	followed, ok := d.Real(path)
	if !ok {
		return nil, 0, errors.New("its links lead nowhere")
	}
	tree, name := d.tree(followed)
	if name == "" {
		return nil, 0, fs.ErrInvalid
	}
	info, err := fs.Lstat(tree.FS, name)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, errors.New("it is not a file")
	}
	f, err := tree.FS.Open(name)
	return f, info.Size(), err
}

// tree returns the tree of a path, and the path in it.
func (d *Disk) tree(path string) (Tree, string) {
	for _, t := range d.trees {
		if t.Name == "" {
			continue
		}
		if rest, ok := strings.CutPrefix(path, t.Name); ok && (rest == "" || rest[0] == '/') {
			return t, strings.TrimPrefix(rest, "/")
		}
	}
	return d.trees[0], path
}

// reason returns an error without the path, which the note already has.
func reason(err error) string {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	}
	return part.Quote(err.Error())
}
