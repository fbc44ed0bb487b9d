package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/minio/minio-go/v7"
)

// Ready implements [Store]. It does not write, because that would cost money.
func (s *S3) Ready(ctx context.Context) error {
	f, err := s.Open(ctx, "uploads/none")
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// Open implements [Store].
func (s *S3) Open(ctx context.Context, name string) (File, error) {
	if err := check(name); err != nil {
		return nil, err
	}
	var info minio.ObjectInfo
	err := retry(ctx, func() (err error) {
		info, err = s.core.StatObject(ctx, s.name, s.key(name), minio.StatObjectOptions{})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, s.failed(err))
	}
	return &s3File{size: info.Size, from: func(offset int64) (io.ReadCloser, error) {
		body, err := s.from(ctx, name, info.ETag, offset)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		return body, nil
	}}, nil
}

// from reads a version of a file from an offset.
func (s *S3) from(ctx context.Context, name, etag string, offset int64) (io.ReadCloser, error) {
	var opts minio.GetObjectOptions
	if offset > 0 {
		if err := opts.SetRange(offset, 0); err != nil {
			return nil, err
		}
	}
	var body io.ReadCloser
	var info minio.ObjectInfo
	err := retry(ctx, func() (err error) {
		body, info, _, err = s.core.GetObject(ctx, s.name, s.key(name), opts)
		return err
	})
	if err != nil {
		return nil, s.failed(err)
	}
	// If-Match would be simpler, but not every server supports it.
	if info.ETag != etag {
		_ = body.Close()
		return nil, errors.New("it was replaced meanwhile; open it again")
	}
	return body, nil
}

// s3File is an open file. It sends no request before the first read after a seek.
type s3File struct {
	size, offset int64
	from         func(offset int64) (io.ReadCloser, error)
	body         io.ReadCloser // nil, or the bytes from offset
	closed       bool
}

func (f *s3File) Size() int64 { return f.size }

func (f *s3File) Read(p []byte) (int, error) {
	switch {
	case f.closed:
		return 0, fs.ErrClosed
	case len(p) == 0:
		return 0, nil
	case f.offset >= f.size:
		return 0, io.EOF
	}
	for try := 1; ; try++ {
		n, err := f.some(p)
		f.offset += int64(n)
		// Resume where the connection broke.
		if n > 0 || err == nil || try == tries || !errors.Is(err, errBroken) {
			return n, err
		}
	}
}

// errBroken marks a body that ended too early.
var errBroken = errors.New("the connection broke")

func (f *s3File) some(p []byte) (int, error) {
	if f.body == nil {
		body, err := f.from(f.offset)
		if err != nil {
			return 0, err
		}
		f.body = body
	}
	n, err := f.body.Read(p[:min(int64(len(p)), f.size-f.offset)])
	if err == nil || f.offset+int64(n) == f.size {
		return n, nil
	}
	f.drop()
	if n > 0 { // the rest is requested by the next read
		return n, nil
	}
	return 0, fmt.Errorf("%w: %w", errBroken, err)
}

func (f *s3File) Seek(offset int64, whence int) (int64, error) {
	if f.closed {
		return 0, fs.ErrClosed
	}
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		offset += f.offset
	case io.SeekEnd:
		offset += f.size
	default:
		return 0, fs.ErrInvalid
	}
	if offset < 0 {
		return 0, fs.ErrInvalid
	}
	if offset != f.offset {
		f.drop()
		f.offset = offset
	}
	return offset, nil
}

// drop closes the current body.
func (f *s3File) drop() {
	if f.body != nil {
		_ = f.body.Close()
		f.body = nil
	}
}

func (f *s3File) Close() error {
	if f.closed {
		return fs.ErrClosed
	}
	f.closed = true
	f.drop()
	return nil
}
