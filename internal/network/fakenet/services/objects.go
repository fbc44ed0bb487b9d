package services

import (
	"net/http"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/s3"
)

// objectStorage answers as S3 does, with what this start of the server has stored.
func objectStorage(s *Services, r *Request) *Answer {
	if r.Objects == nil || s.isMetadata(r) || elsewhere(s, r) != nil {
		return nil
	}
	q := r.toObjects()
	q.Now, q.ID = s.opts.Now().UTC().Truncate(time.Hour), letters(s.diceFor(r), 16, "0123456789ABCDEF")
	found := s3.Reply(q)
	if found == nil {
		return nil
	}
	a := &Answer{Status: found.Status, Body: found.Body, Stored: true, Own: []byte(found.Fault)}
	a.with("Server", storageServer(r)).with("Date", s.opts.Now().UTC().Format(http.TimeFormat))
	for _, f := range found.Fields {
		a.with(f.Name, f.Value)
	}
	return a
}

// MayStore tells whether a request may be one to object storage, whose body is kept as
// it was sent.
func (r *Request) MayStore() bool { return s3.Concerns(r.toObjects()) }

func (r *Request) toObjects() *s3.Request {
	q := &s3.Request{
		Method: r.Method, Scheme: r.Scheme, Host: strings.ToLower(r.Host), Path: r.Path, Query: r.Query, Header: http.Header{},
		Store: r.Objects, Draft: r.Draft,
	}
	for _, f := range r.Fields {
		q.Header.Add(f.Name, f.Value)
	}
	return q
}

// storageServer is how the storage at a host names itself.
func storageServer(r *Request) string {
	switch domain := r.Domain(); {
	case under(domain, "amazonaws.com", "amazonaws.com.cn"):
		return "AmazonS3"
	case under(domain, "googleapis.com"):
		return "UploadServer"
	case under(domain, "cloudflarestorage.com"):
		return "cloudflare"
	}
	return "MinIO"
}
