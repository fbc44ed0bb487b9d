package objects

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Upload is an upload in parts that has begun.
type Upload struct {
	ID, Key string
	Begun   time.Time
	// Headers and Tags are those of the object.
	Headers, Tags []Pair
	// Algorithm is that of the checksum of the object, "": it has none. Whole is set if
	// the checksum is that of all bytes.
	Algorithm string
	Whole     bool
}

// Part is one part of an upload.
type Part struct {
	Number   int
	ETag     string
	Data     []byte
	Modified time.Time
	Checksum Checksum
}

type upload struct {
	Upload

	bucket string
	parts  map[int]*Part
}

// Begin begins an upload and returns its id.
func (s *Store) Begin(name string, u Upload) (id string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.bucket(name); err != nil {
		return "", err
	}
	o := &Object{Key: u.Key, Headers: u.Headers, Tags: u.Tags}
	if err := check(o); err != nil {
		return "", err
	}
	if len(s.uploads) >= maxUploads || s.bytes+o.cost() > maxBytes {
		return "", ErrStorageFull
	}
	s.begun++
	s.bytes += o.cost()
	u.ID = fmt.Sprintf("upload-%06d", s.begun)
	s.uploads[u.ID] = &upload{Upload: u, bucket: name, parts: map[int]*Part{}}
	return u.ID, nil
}

func (u *upload) cost() int {
	return (&Object{Key: u.Key, Headers: u.Headers, Tags: u.Tags}).cost()
}

// upload finds an upload.
func (s *Store) upload(name, key, id string) (*upload, error) {
	if _, err := s.bucket(name); err != nil {
		return nil, err
	}
	if u := s.uploads[id]; u != nil && u.bucket == name && u.Key == key {
		return u, nil
	}
	return nil, ErrNoSuchUpload
}

// Upload returns an upload and its parts in order.
func (s *Store) Upload(name, key, id string) (*Upload, []*Part, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u, err := s.upload(name, key, id)
	if err != nil {
		return nil, nil, err
	}
	list := slices.SortedFunc(maps.Values(u.parts), func(a, b *Part) int { return cmp.Compare(a.Number, b.Number) })
	return &u.Upload, list, nil
}

// Uploads lists the uploads to a bucket, by key.
func (s *Store) Uploads(name string) ([]Upload, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.bucket(name); err != nil {
		return nil, err
	}
	var list []Upload
	for _, u := range s.uploads {
		if u.bucket == name {
			list = append(list, u.Upload)
		}
	}
	slices.SortFunc(list, func(a, b Upload) int { return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.ID, b.ID)) })
	return list, nil
}

// PutPart stores what arrived as a part.
func (s *Store) PutPart(name, key, id string, d *Draft, p *Part) (*Part, error) {
	data, held, err := d.claim()
	if err != nil {
		return nil, err
	}
	stored := *p
	stored.Data, stored.ETag = data, digest(data)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes -= held
	return &stored, s.putPart(name, key, id, &stored)
}

// CopyPart stores bytes of an object as a part.
func (s *Store) CopyPart(name, key, id string, data []byte, p *Part) (*Part, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.spend(len(data)); err != nil {
		return nil, err
	}
	stored := *p
	stored.Data, stored.ETag = data, digest(data)
	return &stored, s.putPart(name, key, id, &stored)
}

func (s *Store) putPart(name, key, id string, p *Part) error {
	u, err := s.upload(name, key, id)
	if err != nil {
		return err
	}
	if p.Number < 1 || p.Number > maxPart {
		return ErrInvalidArgument
	}
	was, old := 0, u.parts[p.Number]
	if old != nil {
		was = overhead + len(old.Data)
	}
	now := overhead + len(p.Data)
	if old == nil && s.parts >= maxParts || s.bytes-was+now > maxBytes {
		return ErrStorageFull
	}
	if old == nil {
		s.parts++
	}
	s.bytes += now - was
	u.parts[p.Number] = p
	return nil
}

// Abort ends an upload.
func (s *Store) Abort(name, key, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.upload(name, key, id); err != nil {
		return err
	}
	s.end(id)
	return nil
}

// held is what an upload costs with its parts.
func (u *upload) held() int {
	n := u.cost()
	for _, p := range u.parts {
		n += overhead + len(p.Data)
	}
	return n
}

func (s *Store) end(id string) {
	u := s.uploads[id]
	s.bytes -= u.held()
	s.parts -= len(u.parts)
	delete(s.uploads, id)
}
