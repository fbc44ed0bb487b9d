package objects

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
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
		return "", StorageFull
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
	return nil, NoSuchUpload
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
		return InvalidArgument
	}
	was, old := 0, u.parts[p.Number]
	if old != nil {
		was = overhead + len(old.Data)
	}
	now := overhead + len(p.Data)
	if old == nil && s.parts >= maxParts || s.bytes-was+now > maxBytes {
		return StorageFull
	}
	if old == nil {
		s.parts++
	}
	s.bytes += now - was
	u.parts[p.Number] = p
	return nil
}

// Chosen is a part of which an object is put together.
type Chosen struct {
	Number int
	ETag   string
}

// Complete puts an object together.
func (s *Store) Complete(name, key, id string, chosen []Chosen, at time.Time, only Condition) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u, err := s.upload(name, key, id)
	if err != nil {
		return nil, err
	}
	parts, err := u.choose(chosen)
	if err != nil {
		return nil, err
	}
	o := &Object{Key: key, Modified: at, Headers: u.Headers, Tags: u.Tags}
	var sums []byte
	o.Data = make([]byte, 0, u.held())
	for _, p := range parts {
		if err := s.spend(len(p.Data)); err != nil {
			return nil, err
		}
		o.Data = append(o.Data, p.Data...)
		o.Parts = append(o.Parts, len(p.Data))
		sum, err := hex.DecodeString(p.ETag)
		if err != nil { // cannot happen with a digest of ours
			return nil, InvalidPart
		}
		sums = append(sums, sum...)
	}
	o.ETag = digest(sums) + "-" + strconv.Itoa(len(parts))
	o.Checksum = u.sumOf(parts, o.Data)
	before := s.bytes
	s.bytes -= u.held()
	if err := s.replace(name, o, only); err != nil {
		s.bytes = before
		return nil, err
	}
	s.bytes += u.held()
	s.end(id)
	return o, nil
}

// choose finds the parts that a client names, which must be in order.
func (u *upload) choose(chosen []Chosen) ([]*Part, error) {
	for i := range chosen {
		if i > 0 && chosen[i].Number <= chosen[i-1].Number {
			return nil, InvalidPartOrder
		}
	}
	var list []*Part
	for i, c := range chosen {
		p := u.parts[c.Number]
		switch {
		case p == nil || p.ETag != c.ETag:
			return nil, InvalidPart
		case i < len(chosen)-1 && len(p.Data) < leastPart:
			return nil, EntityTooSmall
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, InvalidPart
	}
	return list, nil
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
