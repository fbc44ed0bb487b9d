package image

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"hash"
	"io"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/klauspost/compress/zstd"

	"github.com/mcpsf/mcpsf/internal/acquire/archive"
)

// unpackLayer applies a layer to those below it. diffID is the digest of the
// uncompressed tar, which is all of blob.
func (f *rootfs) unpackLayer(ctx context.Context, blob io.Reader, diffID v1.Hash) error {
	f.layer++
	sum, err := v1.Hasher(diffID.Algorithm)
	if err != nil {
		return f.u.Damaged("the digest of a layer is of an unknown kind")
	}
	r, done, err := decompress(f.u.Counted(archive.Stream(ctx, blob)))
	if err != nil {
		return f.u.Broken(err)
	}
	defer done()
	if err := f.tar(ctx, io.TeeReader(r, sum)); err != nil {
		return err
	}
	return f.compare(sum, diffID)
}

func (f *rootfs) compare(sum hash.Hash, want v1.Hash) error {
	if got := fmt.Sprintf("%x", sum.Sum(nil)); got != want.Hex {
		return f.u.Damaged("layer %d has the digest %s:%s inside, but the image says %s", f.layer, want.Algorithm, got, want)
	}
	return nil
}

// tar reads the entries and what follows them, so that the digest covers the
// whole layer.
func (f *rootfs) tar(ctx context.Context, r io.Reader) error {
	return f.u.EachEntry(r, archive.EndAnywhere, func(h *tar.Header, r io.Reader) error {
		if f.seen++; f.seen > f.limits.MaxFiles {
			return f.tooMany()
		}
		return f.u.Settle(h.Name, f.entry(ctx, h, r))
	})
}

// decompress decides by the content, because media types are not always right.
func decompress(r io.Reader) (_ io.Reader, done func(), err error) {
	const window = 128 << 20 // the default limit of zstd's own program
	b := bufio.NewReaderSize(r, 64<<10)
	head, err := b.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, nil, err
		}
		return z, func() { _ = z.Close() }, nil
	case bytes.Equal(head, []byte("\x28\xb5\x2f\xfd")):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(window))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}
	return b, func() {}, nil
}
