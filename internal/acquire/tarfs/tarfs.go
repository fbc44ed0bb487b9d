// Package tarfs reads a tar archive as a file system, without unpacking it.
//
// In: an uncompressed, hostile archive from a sandbox. Out: an [fs.FS] that
// reads the files in place. Links are followed only within the archive;
// anything but files, directories and links is left out. Of two entries with
// one name the last counts, as with tar.
package tarfs

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// no gap: a larger archive is refused with an error
const (
	// maxEntries bounds the number of indexed entries.
	maxEntries = 2_000_000
	// maxLinks is how many links a name may lead through.
	maxLinks = 40
)

// FS is the content of an archive.
type FS struct {
	archive io.ReaderAt
	entries map[string]*entry
}

var (
	_ fs.ReadDirFS  = (*FS)(nil)
	_ fs.StatFS     = (*FS)(nil)
	_ fs.ReadLinkFS = (*FS)(nil)
)

// entry is a file, directory or symbolic link.
type entry struct {
	name     string
	mode     fs.FileMode
	modified time.Time
	offset   int64
	size     int64
	link     string
	children []string // of a directory, sorted once all is read
}

// New indexes an archive of that size. A file is read only when it is opened,
// so the archive must stay open.
func New(archive io.ReaderAt, size int64) (*FS, error) {
	f := &FS{archive: archive, entries: map[string]*entry{".": {name: ".", mode: fs.ModeDir | 0o755}}}
	section := io.NewSectionReader(archive, 0, size)
	table := tar.NewReader(section)
	for {
		header, err := table.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("reading an archive: %w", err)
		}
		at, err := section.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, fmt.Errorf("reading an archive: %w", err)
		}
		if len(f.entries) >= maxEntries {
			return nil, fmt.Errorf("reading an archive: more than %d entries", maxEntries)
		}
		f.add(header, at)
	}
	for _, e := range f.entries {
		slices.Sort(e.children)
		e.children = slices.Compact(e.children)
	}
	return f, nil
}

func (f *FS) add(header *tar.Header, at int64) {
	name := cleaned(header.Name)
	e := &entry{name: name, modified: header.ModTime, mode: fs.FileMode(header.Mode).Perm()}
	switch header.Typeflag {
	case tar.TypeReg:
		e.offset, e.size = at, header.Size
	case tar.TypeDir:
		e.mode |= fs.ModeDir
	case tar.TypeSymlink:
		e.mode, e.link = e.mode|fs.ModeSymlink, header.Linkname
	case tar.TypeLink:
		target := f.entries[cleaned(header.Linkname)]
		if target == nil || !target.mode.IsRegular() {
			return
		}
		e.offset, e.size = target.offset, target.size
	default:
		return
	}
	f.put(e)
}

// put adds an entry, and the directories above it that the archive lacks.
// Entries below a file are ignored.
func (f *FS) put(e *entry) {
	if e.name == "." {
		return
	}
	for child, dir := e.name, path.Dir(e.name); ; child, dir = dir, path.Dir(dir) {
		above := f.entries[dir]
		switch {
		case above == nil:
			above = &entry{name: dir, mode: fs.ModeDir | 0o755}
			f.entries[dir] = above
		case !above.mode.IsDir():
			return
		}
		above.children = append(above.children, path.Base(child))
		if dir == "." || len(above.children) > 1 {
			break
		}
	}
	if old := f.entries[e.name]; old != nil && old.mode.IsDir() {
		if !e.mode.IsDir() {
			return // replacing a directory by a file would lose its content
		}
		e.children = old.children
	}
	f.entries[e.name] = e
}

// cleaned is the name of an entry below the root; ".." cannot leave it.
func cleaned(name string) string {
	if below := strings.TrimPrefix(path.Clean("/"+name), "/"); below != "" {
		return below
	}
	return "."
}
