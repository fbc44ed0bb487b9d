package archive

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
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// Unpacker writes the entries of an archive into the stage. Entries that only a
// hostile archive has are refused one by one and recorded. An archive that
// cannot be unpacked faithfully or within the limits ends with an error.
//
// Symbolic links are made last, when everything else is written, so that
// nothing is ever written through one.
type Unpacker struct {
	Source string // as typed
	Tree   *staging.Tree
	// KeepTop keeps the single top directory.
	KeepTop bool
	// Top is that directory, if it was removed.
	Top string
	// Consumed is how many bytes of the archive were read.
	Consumed int64

	dst    *os.Root
	limits staging.Limits
	// folded maps folded paths to existing paths.
	folded   map[string]string
	left     map[string]bool
	seen     int // entries, including refused ones
	facts    []mcpsf.Fact
	moreFact int
	hash     hash.Hash
	buf      []byte
}

// New returns an unpacker that fills dst. source names the archive in messages.
func New(source string, dst *os.Root, limits staging.Limits) *Unpacker {
	return &Unpacker{
		Source: source, dst: dst, limits: limits, Tree: staging.NewTree(),
		folded: map[string]string{}, left: map[string]bool{}, hash: sha256.New(), buf: make([]byte, 64<<10),
	}
}

// dir, file, symlink and hardlink add one entry each. A [RefusedError] concerns
// only that entry.
func (u *Unpacker) dir(name string) error {
	p, err := u.admit(name, true)
	if p == "" || err != nil {
		return err
	}
	return u.mkdir(p)
}

func (u *Unpacker) file(ctx context.Context, name string, mode fs.FileMode, size int64, r io.Reader) error {
	p, err := u.admit(name, false)
	if p == "" || err != nil {
		return err
	}
	e := &staging.Entry{Path: p, Info: staging.Info(mode&(fs.ModePerm|fs.ModeSetuid|fs.ModeSetgid), size)}
	if err := u.write(ctx, e, r); err != nil {
		return err
	}
	u.put(e)
	return nil
}

func (u *Unpacker) symlink(name, target string) error {
	switch {
	case usererr.BadName(target) != "":
		return RefusedError("it is a symbolic link whose target " + usererr.BadName(target))
	case len(target) > usererr.MaxPath:
		return RefusedError("it is a symbolic link whose target is too long")
	case target == "":
		return RefusedError("it is a symbolic link to nothing")
	}
	p, err := u.admit(name, false)
	if p == "" || err != nil {
		return err
	}
	u.put(&staging.Entry{Path: p, Info: staging.Info(fs.ModeSymlink|fs.ModePerm, 0), Target: target})
	return nil
}

// hardlink copies: with a real link, a write to one name would change the
// other.
func (u *Unpacker) hardlink(ctx context.Context, name, target string) error {
	to, why := MemberPath(target)
	if why != "" {
		return RefusedError("it is a hard link out of the archive, to " + usererr.Quote(target))
	}
	e := u.Tree.ByPath[to]
	if e == nil || !e.IsFile() {
		return RefusedError("it is a hard link to " + usererr.Quote(target) + ", which is no earlier file of the archive")
	}
	in, err := u.dst.Open(e.Path)
	if err != nil {
		return fmt.Errorf("unpacking a hard link: %w", err)
	}
	defer in.Close()
	return u.file(ctx, name, e.Info.Mode(), e.Info.Size(), in)
}

// Count bounds the number of entries.
func (u *Unpacker) Count() error {
	if u.seen++; u.seen > u.limits.MaxFiles {
		return u.tooMany()
	}
	return nil
}

// admit returns where an entry goes, after making the directories above it; ""
// if there is nothing to do.
func (u *Unpacker) admit(name string, dir bool) (string, error) {
	p, why := MemberPath(name)
	if why != "" {
		return "", RefusedError(why)
	}
	if p == "." && !dir {
		return "", RefusedError("it would take the place of the tree itself")
	}
	if p == "." || u.leftOut(p) {
		return "", nil
	}
	if strings.Count(p, "/") >= u.limits.MaxDepth {
		return "", usererr.Usage("%s in %s is nested deeper than %d directories; unpack it and assess a copy without it",
			usererr.Quote(p), usererr.Quote(u.Source), u.limits.MaxDepth)
	}
	if err := u.parents(p); err != nil {
		return "", err
	}
	e := u.Tree.ByPath[p]
	switch {
	case e != nil && e.IsDir() && dir:
		return "", nil
	case e != nil:
		return "", RefusedError("it is a second entry of the same name")
	}
	if err := u.collides(p); err != nil {
		return "", err
	}
	if len(u.Tree.Entries) >= u.limits.MaxFiles {
		return "", u.tooMany()
	}
	return p, nil
}

// parents makes the directories above p that had no entry.
func (u *Unpacker) parents(p string) error {
	var missing []string
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if e := u.Tree.ByPath[dir]; e != nil {
			if !e.IsDir() {
				return RefusedError("it lies below " + usererr.Quote(dir) + ", which is no directory")
			}
			break
		}
		missing = append(missing, dir)
	}
	for _, dir := range slices.Backward(missing) {
		if err := u.collides(dir); err != nil {
			return err
		}
		if len(u.Tree.Entries) >= u.limits.MaxFiles {
			return u.tooMany()
		}
		if err := u.mkdir(dir); err != nil {
			return err
		}
	}
	return nil
}

func (u *Unpacker) collides(p string) error {
	if other, taken := u.folded[fold(p)]; taken && other != p {
		return RefusedError("its name differs only in case from " + usererr.Quote(other))
	}
	return nil
}

// leftOut skips what is not copied from a directory either.
func (u *Unpacker) leftOut(p string) bool {
	end := 0
	for part := range strings.SplitSeq(p, "/") {
		end += len(part)
		if staging.LeftOut(part) || staging.OurReport(part) {
			if !u.left[p[:end]] {
				u.left[p[:end]] = true
				u.Tree.Notes.Add("left out %s: it is not part of the server", usererr.Quote(p[:end]))
			}
			return true
		}
		end++
	}
	return false
}

func (u *Unpacker) put(e *staging.Entry) {
	u.Tree.Put(e)
	u.folded[fold(e.Path)] = e.Path
}

func (u *Unpacker) mkdir(p string) error {
	if err := u.dst.Mkdir(p, 0o755); err != nil {
		return fmt.Errorf("unpacking a directory: %w", err)
	}
	if err := u.dst.Chmod(p, 0o755); err != nil {
		return fmt.Errorf("unpacking a directory: %w", err)
	}
	u.put(&staging.Entry{Path: p, Info: staging.Info(fs.ModeDir|0o755, 0)})
	return nil
}

// write makes the file with exactly the number of bytes that its entry
// announced.
func (u *Unpacker) write(ctx context.Context, e *staging.Entry, r io.Reader) (err error) {
	if e.Info.Size() > u.limits.MaxBytes-u.Tree.Bytes {
		return usererr.Usage("the files in %s add up to more than %s (%s alone is %s); unpack it and assess what the server needs of it",
			usererr.Quote(u.Source), usererr.Size(u.limits.MaxBytes), usererr.Quote(e.Path), usererr.Size(e.Info.Size()))
	}
	out, err := u.dst.OpenFile(e.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("unpacking a file: %w", err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	u.hash.Reset()
	if err := u.contents(ctx, out, e, r); err != nil {
		return err
	}
	u.hash.Sum(e.Sum[:0])
	if err := out.Chmod(staging.Mode(e)); err != nil {
		return fmt.Errorf("unpacking a file: %w", err)
	}
	return nil
}

func (u *Unpacker) contents(ctx context.Context, out io.Writer, e *staging.Entry, r io.Reader) error {
	left := e.Info.Size()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.Read(u.buf)
		if left -= int64(n); left < 0 {
			return u.Damaged("%s is larger than it says", usererr.Quote(e.Path))
		}
		u.hash.Write(u.buf[:n])
		if _, err := out.Write(u.buf[:n]); err != nil {
			return fmt.Errorf("unpacking a file: %w", err)
		}
		if bomb := u.bomb(u.Tree.Bytes + e.Info.Size() - left); bomb != nil {
			return bomb
		}
		switch {
		case errors.Is(err, io.EOF) && left == 0:
			return nil
		case errors.Is(err, io.EOF):
			return u.Damaged("%s is smaller than it says", usererr.Quote(e.Path))
		case err != nil:
			return u.Broken(err)
		}
	}
}
