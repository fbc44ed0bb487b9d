package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf"
)

// incoming is the directory of incomplete files. No valid name begins with a dot.
const incoming = ".incoming"

// stale is the age at which an incomplete file was left by a crash.
const stale = time.Hour

// Dir stores files in a directory. Many processes may share it.
type Dir struct {
	// root does not leave the directory, also not by symbolic links.
	root  *os.Root
	path  string
	swept atomic.Int64 // when, in Unix seconds
}

var _ Opened = (*Dir)(nil)

// OpenDir opens a directory, and creates it if it does not exist.
func OpenDir(place string) (*Dir, error) {
	d := &Dir{path: place}
	err := os.MkdirAll(place, 0o700)
	if err == nil {
		d.root, err = os.OpenRoot(place)
	}
	if err == nil {
		if err = d.begin(); err != nil {
			_ = d.root.Close()
		}
	}
	if err != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "cannot store files in the directory of --files", Err: err}
	}
	return d, nil
}

// begin tests that files can be stored, and removes incomplete ones of crashes.
func (d *Dir) begin() error {
	if err := d.root.MkdirAll(incoming, 0o700); err != nil {
		return err
	}
	name, f, err := d.temporary()
	if err != nil {
		return err
	}
	if err := errors.Join(f.Close(), d.root.Remove(name)); err != nil {
		return err
	}
	d.sweep(time.Now())
	return nil
}

// Close closes the directory.
func (d *Dir) Close() error { return d.root.Close() }

// Put implements [Store].
func (d *Dir) Put(ctx context.Context, name string, r io.Reader) (size int64, err error) {
	if err := check(name); err != nil {
		return 0, err
	}
	d.sweep(time.Now())
	temporary, f, err := d.temporary()
	if err != nil {
		return 0, d.failed(name, err)
	}
	defer func() {
		if err != nil {
			_ = f.Close() // a second Close is harmless
			_ = d.root.Remove(temporary)
		}
	}()
	if size, err = io.Copy(f, until(ctx, r)); err != nil {
		return 0, d.failed(name, err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return 0, d.failed(name, err)
	}
	if err := ctx.Err(); err != nil {
		return 0, d.failed(name, err)
	}
	if err := d.settle(temporary, name); err != nil {
		return 0, d.failed(name, err)
	}
	return size, nil
}

// Ready implements [Store].
func (d *Dir) Ready(context.Context) error {
	name, f, err := d.temporary()
	if err == nil {
		_, err = f.Write(make([]byte, 64<<10))
		err = errors.Join(err, f.Close(), d.root.Remove(name))
	}
	if err != nil {
		return d.failed("a file", err)
	}
	return nil
}

// temporary creates an incomplete file.
func (d *Dir) temporary() (string, *os.File, error) {
	if err := d.root.MkdirAll(incoming, 0o700); err != nil { // it may have been removed
		return "", nil, err
	}
	name := path.Join(incoming, rand.Text())
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	return name, f, err
}

// settle renames a complete file to its name, and syncs the directories so that it
// survives a power failure.
func (d *Dir) settle(temporary, name string) error {
	var err error
	for range 100 { // Remove may delete these directories while they are empty
		if err = d.root.MkdirAll(path.Dir(name), 0o700); err == nil {
			err = d.root.Rename(temporary, name)
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return err
	}
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		// A directory that is gone was removed together with the file.
		if err := d.sync(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if dir == "." {
			return nil
		}
	}
}

func (d *Dir) sync(dir string) error {
	f, err := d.root.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// failed describes an error in one line.
func (d *Dir) failed(name string, err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG) {
		return &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "no disk space left in " + d.path + "; free some, or keep less", Err: err}
	}
	return fmt.Errorf("storing %s: %w", name, err)
}

// Open implements [Store].
func (d *Dir) Open(ctx context.Context, name string) (File, error) {
	if err := errors.Join(check(name), ctx.Err()); err != nil {
		return nil, err
	}
	// A link or a pipe was not put by us.
	info, err := d.root.Lstat(name)
	if missing(err) || err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", name, ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	f, err := d.root.Open(name)
	if missing(err) {
		return nil, fmt.Errorf("%s: %w", name, ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if info, err = f.Stat(); err != nil { // it may have been replaced meanwhile
		_ = f.Close()
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return &dirFile{f, info.Size()}, nil
}

// missing tells whether a file does not exist, also because a parent of it is a
// file.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

type dirFile struct {
	*os.File
	size int64
}

func (f *dirFile) Size() int64 { return f.size }

// List implements [Store].
func (d *Dir) List(ctx context.Context, dir string) ([]Info, error) {
	if err := checkDir(dir); err != nil {
		return nil, err
	}
	var found []Info
	err := fs.WalkDir(d.root.FS(), dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case missing(err): // it never existed, or was removed meanwhile
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case entry.IsDir() && name != "." && !proper(name):
			return fs.SkipDir
		case name == dir || !entry.Type().IsRegular() || !proper(name):
			return nil
		}
		info, err := entry.Info()
		if missing(err) {
			return nil
		}
		if err != nil {
			return err
		}
		found = append(found, Info{Name: name, Size: info.Size()})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("listing %s: %w", dir, err)
	}
	// WalkDir lists "a/b" before "a-b".
	slices.SortFunc(found, byName)
	return found, nil
}

func byName(a, b Info) int { return strings.Compare(a.Name, b.Name) }

// Remove implements [Store].
func (d *Dir) Remove(ctx context.Context, name string) error {
	if err := errors.Join(check(name), ctx.Err()); err != nil {
		return err
	}
	if err := d.root.RemoveAll(name); err != nil && !missing(err) {
		return fmt.Errorf("removing %s: %w", name, err)
	}
	for dir := path.Dir(name); dir != "." && d.prune(dir); dir = path.Dir(dir) {
		continue
	}
	return nil
}

// prune removes an empty directory, and tells whether it is gone. A file is not
// removed.
func (d *Dir) prune(dir string) bool {
	info, err := d.root.Lstat(dir)
	return missing(err) || err == nil && info.IsDir() && d.root.Remove(dir) == nil
}

// sweep removes old incomplete files, once in a while.
func (d *Dir) sweep(now time.Time) {
	last := d.swept.Load()
	if now.Unix()-last < int64(stale/time.Second) || !d.swept.CompareAndSwap(last, now.Unix()) {
		return
	}
	entries, err := fs.ReadDir(d.root.FS(), incoming)
	if err != nil {
		return // the next Put reports the error
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > stale {
			_ = d.root.Remove(path.Join(incoming, e.Name()))
		}
	}
}
