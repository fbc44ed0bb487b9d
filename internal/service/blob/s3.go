package blob

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/mcpsf/mcpsf"
)

// S3 stores files in a bucket.
type S3 struct {
	*bucket

	core      minio.Core
	transport *http.Transport
}

var _ Opened = (*S3)(nil)

// OpenS3 opens a bucket, which has to exist.
func OpenS3(ctx context.Context, place string, creds Credentials) (*S3, error) {
	b, err := parse(place)
	if err != nil {
		return nil, err
	}
	if creds.ID == "" || creds.Secret == "" {
		return nil, usage("a bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
	}
	secure := b.endpoint.Scheme == "https"
	transport, err := minio.DefaultTransport(secure)
	if err != nil {
		return nil, err
	}
	client, err := minio.New(b.endpoint.Host, &minio.Options{
		Creds:  credentials.NewStaticV4(creds.ID, creds.Secret, creds.Token),
		Secure: secure, Transport: transport, Region: b.region, MaxRetries: 1, // see retry
		BucketLookup: minio.BucketLookupPath, // supported by every server
	})
	if err != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "--files: this endpoint cannot be used", Err: err}
	}
	s := &S3{bucket: b, core: minio.Core{Client: client}, transport: transport}
	var found bool
	err = retry(ctx, func() (err error) {
		found, err = client.BucketExists(ctx, b.name)
		return err
	})
	if err == nil && !found {
		err = &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: fmt.Sprintf("there is no bucket %s at %s; create it first", b.name, b.endpoint.Host)}
	}
	if err != nil {
		_ = s.Close()
		return nil, s.failed(err)
	}
	return s, nil
}

// Close closes idle connections.
func (s *S3) Close() error {
	s.transport.CloseIdleConnections()
	return nil
}

// failed describes an error in one line.
func (s *S3) failed(err error) error {
	if _, ok := errors.AsType[*mcpsf.Error](err); ok || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	answer, ok := errors.AsType[minio.ErrorResponse](err)
	switch {
	case !ok:
		return &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: fmt.Sprintf("cannot reach the bucket %s; check --files and the network", s.name), Err: err}
	case answer.StatusCode == http.StatusForbidden || answer.StatusCode == http.StatusUnauthorized:
		return &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: fmt.Sprintf("the bucket %s refuses (%.60q); check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and what the key may do", s.name, answer.Code)}
	case answer.StatusCode == http.StatusNotFound && answer.Code != minio.NoSuchBucket:
		return ErrNotFound
	}
	// The message may be a page of HTML, so it is left out.
	return &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: fmt.Sprintf("the bucket %s answers %d %.60q", s.name, answer.StatusCode, answer.Code)}
}

// List implements [Store].
func (s *S3) List(ctx context.Context, dir string) ([]Info, error) {
	if err := checkDir(dir); err != nil {
		return nil, err
	}
	objects, err := s.objects(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("listing %s: %w", dir, err)
	}
	var found []Info
	for _, o := range objects {
		// Other objects in the bucket are not ours.
		if name := s.file(o.Key); name != "" {
			found = append(found, Info{Name: name, Size: o.Size})
		}
	}
	slices.SortFunc(found, byName)
	return found, nil
}

func (s *S3) objects(ctx context.Context, dir string) ([]minio.ObjectInfo, error) {
	var all []minio.ObjectInfo
	err := retry(ctx, func() error {
		all = nil
		for o := range s.core.ListObjectsIter(ctx, s.name, minio.ListObjectsOptions{Prefix: s.below(dir), Recursive: true}) {
			if o.Err != nil {
				return o.Err
			}
			all = append(all, o)
		}
		return ctx.Err() // the iteration ends without an error when ctx does
	})
	if err != nil {
		return nil, s.failed(err)
	}
	return all, nil
}

// Remove implements [Store].
func (s *S3) Remove(ctx context.Context, name string) error {
	if err := check(name); err != nil {
		return err
	}
	objects, err := s.objects(ctx, name)
	if err != nil {
		return fmt.Errorf("removing %s: %w", name, err)
	}
	objects = append(objects, minio.ObjectInfo{Key: s.key(name)})
	if err := retry(ctx, func() error { return s.delete(ctx, objects) }); err != nil {
		return fmt.Errorf("removing %s: %w", name, s.failed(err))
	}
	return nil
}

func (s *S3) delete(ctx context.Context, objects []minio.ObjectInfo) error {
	results, err := s.core.RemoveObjectsWithIter(ctx, s.name, slices.Values(objects), minio.RemoveObjectsOptions{})
	if err != nil {
		return err
	}
	for r := range results {
		if r.Err != nil && !errors.Is(s.failed(r.Err), ErrNotFound) {
			return r.Err
		}
	}
	return ctx.Err()
}
