package staging

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// View shows a surveyed tree in place, for reading only. What is not in the
// tree is invisible, files that may contain secrets are shown redacted, and a
// file that has changed cannot be opened.
type View struct {
	root   *os.Root
	tree   *Tree
	lists  map[string][]fs.DirEntry
	masked map[string]string
}

var (
	_ fs.ReadDirFS  = (*View)(nil)
	_ fs.ReadLinkFS = (*View)(nil)
	_ fs.StatFS     = (*View)(nil)
)

// View reads the whole tree once, for its digest, and shows it. src must stay
// open as long as the view is used.
func (t *Tree) View(ctx context.Context, src *os.Root) (*View, string, error) {
	v := &View{root: src, tree: t, lists: map[string][]fs.DirEntry{}, masked: map[string]string{}}
	if err := v.mask(ctx); err != nil {
		return nil, "", err
	}
	if err := v.sums(ctx); err != nil {
		return nil, "", err
	}
	t.forget()
	for _, e := range t.Entries {
		if e.Path != "." {
			dir := path.Dir(e.Path)
			v.lists[dir] = append(v.lists[dir], fs.FileInfoToDirEntry(v.info(e)))
		}
	}
	return v, t.Digest(), nil
}

// mask reads the files that may contain secrets one after the other, because
// their total size is bounded.
func (v *View) mask(ctx context.Context) error {
	c := v.reader()
	for _, e := range v.tree.Entries {
		if !e.secret.Any() {
			continue
		}
		in, err := Reopen(v.root, e)
		if err != nil {
			return err
		}
		content, err := c.redact(ctx, e, in)
		in.Close()
		if err != nil {
			return err
		}
		if e.dropped {
			continue
		}
		var text strings.Builder
		if err := c.contents(ctx, &text, content, e); err != nil {
			return err
		}
		v.masked[e.Path] = text.String()
	}
	return nil
}

// sums computes the digests of all other files, several directories at a time.
// Each directory is opened once, because opening a file from the top opens all
// directories in between.
func (v *View) sums(ctx context.Context) error {
	files := map[string][]*Entry{}
	for _, e := range v.tree.Entries {
		if e.IsFile() && !e.secret.Any() {
			files[path.Dir(e.Path)] = append(files[path.Dir(e.Path)], e)
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(min(4, runtime.NumCPU()))
	readers := sync.Pool{New: func() any { return v.reader() }}
	for dir, list := range files {
		group.Go(func() error {
			c, _ := readers.Get().(*copier)
			defer readers.Put(c)
			return c.sumAll(ctx, dir, list)
		})
	}
	return group.Wait()
}

func (v *View) reader() *copier {
	return &copier{src: v.root, tree: v.tree, hash: sha256.New(), buf: make([]byte, 256<<10)}
}

func (c *copier) sumAll(ctx context.Context, name string, files []*Entry) error {
	dir, err := c.src.OpenRoot(name)
	if errors.Is(err, fs.ErrNotExist) {
		return Changed(name)
	}
	if err != nil {
		return Unreadable(name, err)
	}
	defer dir.Close()
	for _, e := range files {
		if err := c.sum(ctx, dir, e); err != nil {
			return err
		}
	}
	return nil
}

func (c *copier) sum(ctx context.Context, dir *os.Root, e *Entry) error {
	in, err := reopen(dir, path.Base(e.Path), e)
	if err != nil {
		return err
	}
	defer in.Close()
	return c.contents(ctx, io.Discard, in, e)
}

// find is the entry that a name leads to, through links if follow is set.
func (v *View) find(op, name string, follow bool) (*Entry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	e := v.at(name)
	if e == nil || follow && e.IsLink() {
		dir, base := path.Split(name)
		if follow {
			dir, base = name, "."
		}
		to, fate := v.tree.Follow(dir, new(int))
		if e = v.at(path.Join(to, base)); fate != Inside {
			e = nil
		}
	}
	if e == nil {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return e, nil
}

// at is an entry by its path; the root of the tree is not among its entries.
func (v *View) at(p string) *Entry {
	if p == "." {
		return &Entry{Path: ".", Info: Info(fs.ModeDir|0o755, 0)}
	}
	return v.tree.ByPath[p]
}

// info describes an entry under its own name.
func (v *View) info(e *Entry) fs.FileInfo { return shown{e.Info, path.Base(e.Path)} }

type shown struct {
	fs.FileInfo
	name string
}

func (s shown) Name() string { return s.name }

// Open implements [fs.FS].
func (v *View) Open(name string) (fs.File, error) {
	e, err := v.find("open", name, true)
	if err != nil {
		return nil, err
	}
	if e.IsDir() {
		return &openDir{info: v.info(e), left: v.lists[e.Path]}, nil
	}
	if text, ok := v.masked[e.Path]; ok {
		return &openText{strings.NewReader(text), v.info(e)}, nil
	}
	return Reopen(v.root, e)
}

// ReadDir implements [fs.ReadDirFS].
func (v *View) ReadDir(name string) ([]fs.DirEntry, error) {
	e, err := v.find("readdir", name, true)
	if err != nil {
		return nil, err
	}
	if !e.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	return append([]fs.DirEntry(nil), v.lists[e.Path]...), nil
}

// Stat implements [fs.StatFS].
func (v *View) Stat(name string) (fs.FileInfo, error) {
	e, err := v.find("stat", name, true)
	if err != nil {
		return nil, err
	}
	return v.info(e), nil
}

// Lstat implements [fs.ReadLinkFS].
func (v *View) Lstat(name string) (fs.FileInfo, error) {
	e, err := v.find("lstat", name, false)
	if err != nil {
		return nil, err
	}
	return v.info(e), nil
}

// ReadLink implements [fs.ReadLinkFS].
func (v *View) ReadLink(name string) (string, error) {
	e, err := v.find("readlink", name, false)
	if err != nil {
		return "", err
	}
	if !e.IsLink() {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	return e.Target, nil
}

// Sum is the SHA-256 of a file as the view shows it.
func (v *View) Sum(name string) (sum [32]byte, ok bool) {
	e, err := v.find("sum", name, true)
	if err != nil || !e.IsFile() {
		return sum, false
	}
	return e.Sum, true
}

// openText is a redacted file.
type openText struct {
	*strings.Reader
	info fs.FileInfo
}

func (f *openText) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openText) Close() error               { return nil }

// openDir is a directory of the listing.
type openDir struct {
	info fs.FileInfo
	left []fs.DirEntry
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.Name(), Err: fs.ErrInvalid}
}

func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n > 0 && len(d.left) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.left) {
		n = len(d.left)
	}
	list := d.left[:n:n]
	d.left = d.left[n:]
	return list, nil
}
