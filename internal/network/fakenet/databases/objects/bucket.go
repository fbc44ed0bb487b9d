package objects

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Bucket describes a bucket.
type Bucket struct {
	Name string
	// Region is what the client asked for when it made the bucket, "" if nothing.
	Region  string
	Created time.Time
}

type bucket struct {
	Bucket

	// foreign is set for a bucket of somebody else, which is not listed.
	foreign  bool
	objects  map[string]*Object
	keys     []string // sorted
	settings map[string][]byte
}

var (
	bucketName = lazyregexp.New(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)
	addressed  = lazyregexp.New(`^\d+\.\d+\.\d+\.\d+$`)
)

func validName(name string) bool {
	return bucketName.MatchString(name) && !strings.Contains(name, "..") && !addressed.MatchString(name)
}

// Buckets lists the buckets whose names have a prefix and come after another.
func (s *Store) Buckets(prefix, after string) []Bucket {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settled = true
	var list []Bucket
	for _, name := range slices.Sorted(maps.Keys(s.buckets)) {
		if b := s.buckets[name]; !b.foreign && strings.HasPrefix(name, prefix) && name > after {
			list = append(list, b.Bucket)
		}
	}
	return list
}

// Bucket describes one.
func (s *Store) Bucket(name string) (Bucket, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, err := s.bucket(name)
	if err != nil {
		return Bucket{}, err
	}
	return b.Bucket, nil
}

// Has tells whether a bucket exists.
func (s *Store) Has(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buckets[name] != nil
}

func (s *Store) bucket(name string) (*bucket, error) {
	if b := s.buckets[name]; b != nil {
		return b, nil
	}
	if !validName(name) {
		return nil, ErrInvalidBucketName
	}
	return nil, ErrNoSuchBucket
}

// Create makes a bucket.
func (s *Store) Create(b Bucket) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settled = true
	if s.buckets[b.Name] != nil {
		return ErrBucketAlreadyOwnedByYou
	}
	_, err := s.create(b)
	return err
}

func (s *Store) create(b Bucket) (*bucket, error) {
	switch {
	case !validName(b.Name):
		return nil, ErrInvalidBucketName
	case len(s.buckets) >= maxBuckets:
		return nil, ErrTooManyBuckets
	}
	made := &bucket{Bucket: b, objects: map[string]*Object{}, settings: map[string][]byte{}}
	s.buckets[b.Name] = made
	return made, nil
}

// Delete removes an empty bucket.
func (s *Store) Delete(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, err := s.bucket(name)
	if err != nil {
		return err
	}
	if len(b.objects) > 0 {
		return ErrBucketNotEmpty
	}
	for id, u := range s.uploads {
		if u.bucket == name {
			s.end(id)
		}
	}
	for _, value := range b.settings {
		s.bytes -= len(value)
	}
	delete(s.buckets, name)
	return nil
}

// Name makes sure that a bucket exists which a client names before it has asked for
// any: it was configured with that name. The bucket has the first objects.
func (s *Store) Name(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.settled || s.buckets[name] != nil {
		return
	}
	b, err := s.create(Bucket{Name: name, Created: seeded()})
	if err != nil {
		return
	}
	s.settled = true
	for _, other := range slices.Sorted(maps.Keys(s.buckets)) {
		for key, o := range s.buckets[other].objects {
			if other != name {
				_ = s.put(b, key, o) // what there is at the beginning has room
			}
		}
	}
}

// Borrow makes sure that a bucket exists for which a client was given an address: it
// is somebody else's.
func (s *Store) Borrow(name string, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.buckets[name] != nil {
		return
	}
	if b, err := s.create(Bucket{Name: name, Created: at}); err == nil {
		b.foreign = true
	}
}

// Setting is a document that describes a bucket, nil if it has none of that name.
func (s *Store) Setting(name, setting string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, err := s.bucket(name)
	if err != nil {
		return nil, err
	}
	return b.settings[setting], nil
}

// Set stores such a document; nil removes it.
func (s *Store) Set(name, setting string, value []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, err := s.bucket(name)
	if err != nil {
		return err
	}
	was, found := b.settings[setting]
	switch {
	case len(value) > maxSetting:
		return ErrEntityTooLarge
	case !found && len(b.settings) >= maxSettings, s.bytes-len(was)+len(value) > maxBytes:
		return ErrStorageFull
	}
	s.bytes += len(value) - len(was)
	if b.settings[setting] = bytes.Clone(value); value == nil {
		delete(b.settings, setting)
	}
	return nil
}
