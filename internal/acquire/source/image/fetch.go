package image

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// fetch writes a blob to w, which is a buffer or a file, and verifies it.
func (b *builder) fetch(ctx context.Context, d v1.Descriptor, w io.Writer) error {
	const tries = 3
	before := b.done
	for try := 1; ; try++ {
		b.done = before
		err := b.copy(ctx, d, w)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case try == tries || !b.from.again(err):
			return b.from.explain(err)
		}
		if err := rewind(w); err != nil {
			return hostFailure(err)
		}
	}
}

func rewind(w io.Writer) error {
	switch w := w.(type) {
	case *bytes.Buffer:
		w.Reset()
	case *os.File:
		if _, err := w.Seek(0, io.SeekStart); err != nil {
			return err
		}
		return w.Truncate(0)
	}
	return nil
}

// copy reads no more than the descriptor announces.
func (b *builder) copy(ctx context.Context, d v1.Descriptor, w io.Writer) error {
	r, err := b.from.open(ctx, d)
	if err != nil {
		return err
	}
	defer r.Close()
	pinned := d.Digest != (v1.Hash{})
	sum, err := v1.Hasher(d.Digest.Algorithm)
	if err != nil && pinned {
		return b.mismatch("the digest %s is of an unknown kind", d.Digest)
	}
	buf := make([]byte, 64<<10)
	var done int64
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.Read(buf)
		if done += int64(n); done > d.Size {
			return b.mismatch("a part of it is larger than its manifest says")
		}
		if pinned {
			sum.Write(buf[:n])
		}
		if _, err := w.Write(buf[:n]); err != nil {
			return hostFailure(err)
		}
		b.told(n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if done < d.Size {
		return io.ErrUnexpectedEOF
	}
	if pinned {
		if got := fmt.Sprintf("%x", sum.Sum(nil)); got != d.Digest.Hex {
			return b.mismatch("a part of it has the digest %s:%s instead of %s", d.Digest.Algorithm, got, d.Digest)
		}
	}
	return nil
}

func (b *builder) told(n int) {
	b.done += int64(n)
	if b.opts.Progress != nil && n > 0 {
		b.opts.Progress(b.done, b.total)
	}
}

func (b *builder) mismatch(format string, args ...any) error {
	return usererr.Usage("the image %s is not what its manifest says: %s; it is damaged or was tampered with, do not use it",
		usererr.Quote(b.source), fmt.Sprintf(format, args...))
}
