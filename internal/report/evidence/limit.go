package evidence

import (
	"context"
	"fmt"
	"io"
)

// interruptible is a reader that fails when the context ends.
type interruptible struct {
	ctx context.Context //nolint:containedctx // a reader has no other way to be told
	r   io.Reader
}

func (i interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.r.Read(p)
}

// tally counts the bytes written to it.
type tally struct{ n int64 }

func (t *tally) Write(p []byte) (int, error) {
	t.n += int64(len(p))
	return len(p), nil
}

// unfolded reads decompressed data, up to the limit.
type unfolded struct {
	r    io.Reader
	read int64
	// packed is how many compressed bytes were read.
	packed *tally
	// most is the maximum number of decompressed bytes, as far as it is known.
	most int64
}

func (u *unfolded) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	u.read += int64(n)
	switch {
	case u.read > u.most:
		return 0, fmt.Errorf("it unfolds to more than the %d bytes that it may have", u.most)
	case u.read > freeRatio && u.read/maxRatio > u.packed.n:
		return 0, fmt.Errorf("it unfolds to more than %d times its size", maxRatio)
	}
	return n, err
}

// meter estimates the memory that JSON lines need once they are decoded.
type meter struct{ bytes int64 }

func (m *meter) Write(p []byte) (int, error) {
	m.bytes += int64(len(p))
	for _, c := range p {
		switch c {
		case '\n':
			m.bytes += 1024
		case ',':
			m.bytes += 32
		}
	}
	return len(p), nil
}
