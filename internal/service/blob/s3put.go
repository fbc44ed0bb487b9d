package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/minio/minio-go/v7"
)

// no gap: bounds requests to the service and what its pages show, not what a run sees
const (
	// partSize is the size of a part, which is held in memory. A file has at most
	// 10000 parts, which makes 160 GB.
	partSize = 16 << 20
	maxParts = 10000
	// abortTimeout bounds cleaning up after a cancelled upload.
	abortTimeout = 30 * time.Second
)

// Put implements [Store]. It buffers each part, so that it can be sent again, and an
// incomplete file never becomes visible.
func (s *S3) Put(ctx context.Context, name string, r io.Reader) (int64, error) {
	if err := check(name); err != nil {
		return 0, err
	}
	r = until(ctx, r)
	first, whole, err := fill(r)
	if err != nil {
		return 0, fmt.Errorf("keeping %s: %w", name, err)
	}
	size := int64(len(first))
	if whole {
		err = s.putWhole(ctx, name, first)
	} else {
		size, err = s.putParts(ctx, name, first, r)
	}
	if err != nil {
		return 0, fmt.Errorf("keeping %s: %w", name, err)
	}
	return size, nil
}

// fill reads the next part, and tells whether it is the last. Each part has its own
// buffer: a connection that was answered early may still read the previous one.
func fill(r io.Reader) (part []byte, last bool, err error) {
	var b bytes.Buffer
	_, err = io.CopyN(&b, r, partSize)
	if errors.Is(err, io.EOF) {
		return b.Bytes(), true, nil
	}
	return b.Bytes(), false, err
}

// body cannot be rewound: without Seek the library does not retry.
func body(part []byte) io.Reader {
	return reader(bytes.NewReader(part).Read)
}

func digest(part []byte) string {
	sum := sha256.Sum256(part)
	return hex.EncodeToString(sum[:])
}

func (s *S3) putWhole(ctx context.Context, name string, data []byte) error {
	sum := digest(data)
	err := retry(ctx, func() error {
		_, err := s.core.PutObject(ctx, s.name, s.key(name), body(data), int64(len(data)), "", sum,
			minio.PutObjectOptions{ContentType: "application/octet-stream", DisableContentSha256: true})
		return err
	})
	if err != nil {
		return s.failed(err)
	}
	return nil
}

// putParts uploads a file of several parts. The first one is already read.
func (s *S3) putParts(ctx context.Context, name string, part []byte, r io.Reader) (size int64, err error) {
	key := s.key(name)
	var id string
	err = retry(ctx, func() (err error) {
		id, err = s.core.NewMultipartUpload(ctx, s.name, key, minio.PutObjectOptions{ContentType: "application/octet-stream"})
		return err
	})
	if err != nil {
		return 0, s.failed(err)
	}
	defer func() {
		if err != nil {
			// ctx may have ended.
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortTimeout)
			defer cancel()
			_ = retry(ctx, func() error { return s.core.AbortMultipartUpload(ctx, s.name, key, id) })
		}
	}()
	var sent []minio.CompletePart
	for last := false; ; {
		if len(sent) == maxParts {
			return 0, fmt.Errorf("it is larger than %d bytes", int64(maxParts)*partSize)
		}
		p, err := s.putPart(ctx, key, id, len(sent)+1, part)
		if err != nil {
			return 0, s.failed(err)
		}
		size += int64(len(part))
		sent = append(sent, p)
		if last {
			break
		}
		if part, last, err = fill(r); err != nil {
			return 0, err
		}
		if last && len(part) == 0 {
			break
		}
	}
	err = retry(ctx, func() error {
		_, err := s.core.CompleteMultipartUpload(ctx, s.name, key, id, sent, minio.PutObjectOptions{})
		return err
	})
	if err != nil {
		return 0, s.failed(err)
	}
	return size, nil
}

func (s *S3) putPart(ctx context.Context, key, id string, number int, part []byte) (minio.CompletePart, error) {
	sum := digest(part)
	var p minio.ObjectPart
	err := retry(ctx, func() (err error) {
		p, err = s.core.PutObjectPart(ctx, s.name, key, id, number, body(part), int64(len(part)),
			minio.PutObjectPartOptions{Sha256Hex: sum, DisableContentSha256: true})
		return err
	})
	return minio.CompletePart{PartNumber: number, ETag: p.ETag}, err
}
