package tarfs

import (
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
)

// Open implements [fs.FS]. It follows links.
func (f *FS) Open(name string) (fs.File, error) {
	e, err := f.follow("open", name)
	if err != nil {
		return nil, err
	}
	shown := *e
	shown.name = name
	if e.mode.IsDir() {
		return &directory{entry: &shown, fs: f}, nil
	}
	return &file{entry: &shown, SectionReader: io.NewSectionReader(f.archive, e.offset, e.size)}, nil
}

// Stat implements [fs.StatFS].
func (f *FS) Stat(name string) (fs.FileInfo, error) {
	e, err := f.follow("stat", name)
	if err != nil {
		return nil, err
	}
	return info{e, path.Base(name)}, nil
}

// Lstat implements [fs.ReadLinkFS].
func (f *FS) Lstat(name string) (fs.FileInfo, error) {
	e, err := f.exactly("lstat", name)
	if err != nil {
		return nil, err
	}
	return info{e, path.Base(name)}, nil
}

// ReadLink implements [fs.ReadLinkFS].
func (f *FS) ReadLink(name string) (string, error) {
	e, err := f.exactly("readlink", name)
	if err == nil && e.mode&fs.ModeSymlink == 0 {
		err = &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		return "", err
	}
	return e.link, nil
}

// ReadDir implements [fs.ReadDirFS].
func (f *FS) ReadDir(name string) ([]fs.DirEntry, error) {
	e, err := f.follow("readdir", name)
	if err == nil && !e.mode.IsDir() {
		err = &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		return nil, err
	}
	return f.list(e), nil
}

func (f *FS) list(dir *entry) []fs.DirEntry {
	list := make([]fs.DirEntry, 0, len(dir.children))
	for _, base := range dir.children {
		if child := f.entries[path.Join(dir.name, base)]; child != nil {
			list = append(list, fs.FileInfoToDirEntry(info{child, base}))
		}
	}
	return list
}

// exactly is the entry of that name; links in its directories are followed.
func (f *FS) exactly(op, name string) (*entry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	dir, base := path.Split(name)
	above, err := f.follow(op, path.Clean(dir))
	if err != nil {
		return nil, err
	}
	if e := f.entries[path.Join(above.name, base)]; e != nil {
		return e, nil
	}
	return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

// follow is the entry that a name leads to, with all links followed.
func (f *FS) follow(op, name string) (*entry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	left := maxLinks
	if e := f.walk(name, &left); e != nil {
		return e, nil
	}
	return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

// walk follows a name part by part. Each link reduces left.
func (f *FS) walk(name string, left *int) *entry {
	if e := f.entries[name]; e != nil && e.mode&fs.ModeSymlink == 0 {
		return e
	}
	at := f.entries["."]
	parts := strings.Split(name, "/")
	for len(parts) > 0 {
		e := f.entries[path.Join(at.name, parts[0])]
		parts = parts[1:]
		if e == nil {
			return nil
		}
		if e.mode&fs.ModeSymlink != 0 {
			if *left--; *left < 0 {
				return nil
			}
			to := e.link
			if !path.IsAbs(to) {
				to = "/" + at.name + "/" + to
			}
			parts = append(strings.Split(cleaned(to), "/"), parts...)
			at = f.entries["."]
			continue
		}
		at = e
	}
	return at
}

// info describes an entry under the requested name.
type info struct {
	*entry
	base string
}

func (i info) Name() string       { return i.base }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return i.modified }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }

type file struct {
	*entry
	*io.SectionReader
}

func (f *file) Stat() (fs.FileInfo, error) { return info{f.entry, path.Base(f.name)}, nil }
func (f *file) Close() error               { return nil }

// Size is the size of the entry. Both embedded fields have a Size method.
func (f *file) Size() int64 { return f.entry.size }

type directory struct {
	*entry
	fs   *FS
	read int
}

func (d *directory) Stat() (fs.FileInfo, error) { return info{d.entry, path.Base(d.name)}, nil }
func (d *directory) Close() error               { return nil }

func (d *directory) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: fs.ErrInvalid}
}

// ReadDir implements [fs.ReadDirFile].
func (d *directory) ReadDir(n int) ([]fs.DirEntry, error) {
	list, err := d.fs.ReadDir(d.name)
	if err != nil {
		return nil, err
	}
	list = list[min(d.read, len(list)):]
	if n > 0 {
		if len(list) == 0 {
			return nil, io.EOF
		}
		list = list[:min(n, len(list))]
	}
	d.read += len(list)
	return list, nil
}
