package evidence

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/mcpsf/mcpsf/internal/atomicfile"
)

// write writes the bundle and fills in b.
func (p *packer) write(ctx context.Context, b *Bundle) error {
	return atomicfile.WriteFrom(b.Path, 0o644, func(f io.Writer) error {
		sum, count := sha256.New(), &tally{}
		if err := p.archive(ctx, io.MultiWriter(f, sum, count), &b.Manifest); err != nil {
			return err
		}
		b.SHA256, b.Bytes = hex.EncodeToString(sum.Sum(nil)), count.n
		return nil
	})
}

// archive writes the bundle's bytes. Everything that could differ between two
// machines is fixed.
func (p *packer) archive(ctx context.Context, w io.Writer, m *Manifest) error {
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault),
		zstd.WithWindowSize(window), zstd.WithEncoderCRC(true))
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	manifest, err := m.encode()
	if err != nil {
		return err
	}
	if err := t.WriteHeader(header(manifestName, int64(len(manifest)))); err != nil {
		return err
	}
	if _, err := io.Copy(t, bytes.NewReader(manifest)); err != nil {
		return err
	}
	for i := range p.parts {
		if err := t.WriteHeader(header(p.parts[i].Name, p.parts[i].Size)); err != nil {
			return err
		}
		if err := p.parts[i].copyTo(ctx, t); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

func header(name string, size int64) *tar.Header {
	return &tar.Header{
		Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o644, ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR,
	}
}
