package source

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// unpacker writes the entries of an archive into the stage. What only a
// hostile archive contains is refused entry by entry and remembered; what
// cannot be unpacked faithfully or within the limits ends it with an error.
//
// Symbolic links are made last, when everything else is written, so that
// nothing is ever written through one.
type unpacker struct {
	source string // as typed
	dst    *os.Root
	opts   Options
	tree   *tree
	// folded maps folded paths to the paths that are there.
	folded map[string]string
	left   map[string]bool
	seen   int // entries, the refused ones included
	// consumed is how many bytes of the archive were read.
	consumed int64
	facts    []mcpsf.Fact
	moreFact int
	hash     hash.Hash
	buf      []byte
	// keepTop leaves the one directory that everything is in.
	keepTop bool
	// top is that directory, if it was taken away.
	top string
}

func newUnpacker(source string, dst *os.Root, opts Options) *unpacker {
	return &unpacker{
		source: source, dst: dst, opts: opts, tree: &tree{byPath: map[string]*entry{}},
		folded: map[string]string{}, left: map[string]bool{}, hash: sha256.New(), buf: make([]byte, 64<<10),
	}
}

// dir, file, symlink and hardlink add one entry each. A [refusedError] of
// theirs concerns that entry alone.
func (u *unpacker) dir(name string) error {
	p, err := u.admit(name, true)
	if p == "" || err != nil {
		return err
	}
	return u.mkdir(p)
}

func (u *unpacker) file(ctx context.Context, name string, mode fs.FileMode, size int64, r io.Reader) error {
	p, err := u.admit(name, false)
	if p == "" || err != nil {
		return err
	}
	e := &entry{path: p, info: member{mode: mode & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid), size: size}}
	if err := u.write(ctx, e, r); err != nil {
		return err
	}
	u.put(e)
	return nil
}

func (u *unpacker) symlink(name, target string) error {
	switch {
	case badName(target) != "":
		return refusedError("it is a symbolic link whose target " + badName(target))
	case len(target) > maxPath:
		return refusedError("it is a symbolic link whose target is too long")
	case target == "":
		return refusedError("it is a symbolic link to nothing")
	}
	p, err := u.admit(name, false)
	if p == "" || err != nil {
		return err
	}
	u.put(&entry{path: p, info: member{mode: fs.ModeSymlink | fs.ModePerm}, target: target})
	return nil
}

// hardlink copies: a link would let one name change what the other holds.
func (u *unpacker) hardlink(ctx context.Context, name, target string) error {
	to, why := memberPath(target)
	if why != "" {
		return refusedError("it is a hard link out of the archive, to " + quote(target))
	}
	e := u.tree.byPath[to]
	if e == nil || !e.isFile() {
		return refusedError("it is a hard link to " + quote(target) + ", which is no earlier file of the archive")
	}
	in, err := u.dst.Open(e.path)
	if err != nil {
		return fmt.Errorf("unpacking a hard link: %w", err)
	}
	defer in.Close()
	return u.file(ctx, name, e.info.Mode(), e.info.Size(), in)
}

// count bounds how many entries are looked at.
func (u *unpacker) count() error {
	if u.seen++; u.seen > u.opts.MaxFiles {
		return u.tooMany()
	}
	return nil
}

// admit returns where an entry goes, after making the directories above it;
// "" if there is nothing to do.
func (u *unpacker) admit(name string, dir bool) (string, error) {
	p, why := memberPath(name)
	if why != "" {
		return "", refusedError(why)
	}
	if p == "." && !dir {
		return "", refusedError("it would take the place of the tree itself")
	}
	if p == "." || u.leftOut(p) {
		return "", nil
	}
	if strings.Count(p, "/") >= u.opts.MaxDepth {
		return "", usage("%s in %s is nested deeper than %d directories; unpack it and assess a copy without it",
			quote(p), quote(u.source), u.opts.MaxDepth)
	}
	if err := u.parents(p); err != nil {
		return "", err
	}
	e := u.tree.byPath[p]
	switch {
	case e != nil && e.isDir() && dir:
		return "", nil
	case e != nil:
		return "", refusedError("it is a second entry of the same name")
	}
	if err := u.collides(p); err != nil {
		return "", err
	}
	if len(u.tree.entries) >= u.opts.MaxFiles {
		return "", u.tooMany()
	}
	return p, nil
}

// parents makes the directories above p that no entry named.
func (u *unpacker) parents(p string) error {
	var missing []string
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if e := u.tree.byPath[dir]; e != nil {
			if !e.isDir() {
				return refusedError("it lies below " + quote(dir) + ", which is no directory")
			}
			break
		}
		missing = append(missing, dir)
	}
	for _, dir := range slices.Backward(missing) {
		if err := u.collides(dir); err != nil {
			return err
		}
		if len(u.tree.entries) >= u.opts.MaxFiles {
			return u.tooMany()
		}
		if err := u.mkdir(dir); err != nil {
			return err
		}
	}
	return nil
}

func (u *unpacker) collides(p string) error {
	if other, taken := u.folded[fold(p)]; taken && other != p {
		return refusedError("its name differs only in case from " + quote(other))
	}
	return nil
}

// leftOut skips what is not copied from a directory either.
func (u *unpacker) leftOut(p string) bool {
	end := 0
	for part := range strings.SplitSeq(p, "/") {
		end += len(part)
		if leftOut(part) || ourReport(part) {
			if !u.left[p[:end]] {
				u.left[p[:end]] = true
				u.tree.notes.add("left out %s: it is not part of the server", quote(p[:end]))
			}
			return true
		}
		end++
	}
	return false
}

func (u *unpacker) put(e *entry) {
	u.tree.put(e)
	u.folded[fold(e.path)] = e.path
}

func (u *unpacker) mkdir(p string) error {
	if err := u.dst.Mkdir(p, 0o755); err != nil {
		return fmt.Errorf("unpacking a directory: %w", err)
	}
	if err := u.dst.Chmod(p, 0o755); err != nil {
		return fmt.Errorf("unpacking a directory: %w", err)
	}
	u.put(&entry{path: p, info: member{mode: fs.ModeDir | 0o755}})
	return nil
}

// write makes the file and fills it with exactly the bytes that its entry
// announced.
func (u *unpacker) write(ctx context.Context, e *entry, r io.Reader) (err error) {
	if e.info.Size() > u.opts.MaxBytes-u.tree.bytes {
		return usage("the files in %s add up to more than %s (%s alone is %s); unpack it and assess what the server needs of it",
			quote(u.source), size(u.opts.MaxBytes), quote(e.path), size(e.info.Size()))
	}
	out, err := u.dst.OpenFile(e.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("unpacking a file: %w", err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	u.hash.Reset()
	if err := u.contents(ctx, out, e, r); err != nil {
		return err
	}
	u.hash.Sum(e.sum[:0])
	if err := out.Chmod(stagedMode(e)); err != nil {
		return fmt.Errorf("unpacking a file: %w", err)
	}
	return nil
}

func (u *unpacker) contents(ctx context.Context, out io.Writer, e *entry, r io.Reader) error {
	left := e.info.Size()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.Read(u.buf)
		if left -= int64(n); left < 0 {
			return u.damaged("%s is larger than it says", quote(e.path))
		}
		u.hash.Write(u.buf[:n])
		if _, err := out.Write(u.buf[:n]); err != nil {
			return fmt.Errorf("unpacking a file: %w", err)
		}
		if bomb := u.bomb(u.tree.bytes + e.info.Size() - left); bomb != nil {
			return bomb
		}
		switch {
		case errors.Is(err, io.EOF) && left == 0:
			return nil
		case errors.Is(err, io.EOF):
			return u.damaged("%s is smaller than it says", quote(e.path))
		case err != nil:
			return u.broken(err)
		}
	}
}
