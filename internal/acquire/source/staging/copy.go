package staging

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strconv"
)

// Copy copies the surveyed tree from src to dst and returns its digest.
func (t *Tree) Copy(ctx context.Context, src, dst *os.Root) (string, error) {
	c := &copier{src: src, dst: dst, tree: t, hash: sha256.New(), buf: make([]byte, 256<<10)}
	for _, e := range t.Entries {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if err := c.entry(ctx, e); err != nil {
			return "", err
		}
	}
	t.forget()
	return t.Digest(), nil
}

type copier struct {
	src, dst *os.Root
	tree     *Tree
	redacted int64 // bytes of files that may contain secrets
	hash     hash.Hash
	buf      []byte
}

func (c *copier) entry(ctx context.Context, e *Entry) error {
	switch {
	case e.IsDir():
		if err := c.dst.Mkdir(e.Path, 0o755); err != nil {
			return fmt.Errorf("copying a directory: %w", err)
		}
		// A second chmod, because the umask cleared bits of the first mode.
		if err := c.dst.Chmod(e.Path, 0o755); err != nil {
			return fmt.Errorf("copying a directory: %w", err)
		}
	case e.IsLink():
		if err := c.dst.Symlink(e.Target, e.Path); err != nil {
			return fmt.Errorf("copying a symbolic link: %w", err)
		}
	default:
		return c.file(ctx, e)
	}
	return nil
}

func (c *copier) file(ctx context.Context, e *Entry) (err error) {
	in, err := Reopen(c.src, e)
	if err != nil {
		return err
	}
	defer in.Close()
	var content io.Reader = in
	if e.secret.Any() {
		if content, err = c.redact(ctx, e, in); err != nil || e.dropped {
			return err
		}
	}
	out, err := c.dst.OpenFile(e.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("copying a file: %w", err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if err := c.contents(ctx, out, content, e); err != nil {
		return err
	}
	if err := out.Chmod(Mode(e)); err != nil {
		return fmt.Errorf("copying a file: %w", err)
	}
	return nil
}

// contents copies exactly as many bytes as were surveyed; a file that grew or
// shrank since then is refused, because its size was not checked.
func (c *copier) contents(ctx context.Context, out io.Writer, in io.Reader, e *Entry) error {
	c.hash.Reset()
	left := e.Info.Size()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := in.Read(c.buf)
		if left -= int64(n); left < 0 {
			return Changed(e.Path)
		}
		c.hash.Write(c.buf[:n])
		if _, err := out.Write(c.buf[:n]); err != nil {
			return fmt.Errorf("copying a file: %w", err)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Unreadable(e.Path, err)
		}
	}
	if left != 0 {
		return Changed(e.Path)
	}
	c.hash.Sum(e.Sum[:0])
	return nil
}

// Mode keeps only the executable bit.
func Mode(e *Entry) os.FileMode {
	if e.Executable() {
		return 0o755
	}
	return 0o644
}

// Digest pins the tree: names, types, the executable bit, contents and the
// targets of links. Owners, times and other mode bits are not part of it, so
// that the same tree has the same digest on every machine.
func (t *Tree) Digest() string {
	h := sha256.New()
	for _, e := range t.Entries {
		switch {
		case e.IsDir():
			fmt.Fprintf(h, "dir %s\n", strconv.Quote(e.Path))
		case e.IsLink():
			fmt.Fprintf(h, "link %s %s\n", strconv.Quote(e.Path), strconv.Quote(e.Target))
		default:
			fmt.Fprintf(h, "file %s %o %d %x\n", strconv.Quote(e.Path), Mode(e), e.Info.Size(), e.Sum)
		}
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
