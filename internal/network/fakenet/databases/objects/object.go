package objects

import (
	"crypto/md5" //nolint:gosec // object storage identifies what it has by it
	"encoding/hex"
	"maps"
	"slices"
	"time"
	"unicode/utf8"
)

// Pair is a name and a value.
type Pair struct{ Name, Value string }

// Object is what is stored under a key. It never changes: what replaces it is another
// one.
type Object struct {
	Key  string
	Data []byte
	// ETag is a digest, without quotes.
	ETag     string
	Modified time.Time
	// Headers are those that belong to the object and go with it.
	Headers  []Pair
	Tags     []Pair
	Checksum Checksum
	// Parts are the sizes of the parts that it was put together of.
	Parts []int
}

// Header is the value of a header of the object, "" if it has none.
func (o *Object) Header(name string) string {
	for _, h := range o.Headers {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

func (o *Object) cost() int {
	return overhead + len(o.Key) + len(o.Data) + sizeOf(o.Headers) + sizeOf(o.Tags)
}

func sizeOf(list []Pair) int {
	n := 0
	for _, p := range list {
		n += len(p.Name) + len(p.Value)
	}
	return n
}

// Condition decides whether an object may be replaced or removed; it gets nil if there
// is none. A nil condition allows everything.
type Condition func(old *Object) error

func digest(p []byte) string {
	sum := md5.Sum(p) //nolint:gosec // as above
	return hex.EncodeToString(sum[:])
}

// Get returns an object.
func (s *Store) Get(name, key string) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, err := s.bucket(name)
	if err != nil {
		return nil, err
	}
	if o := b.objects[key]; o != nil {
		return o, nil
	}
	return nil, ErrNoSuchKey
}

// Put stores what arrived as an object with the headers, tags, checksum and time that
// o has.
func (s *Store) Put(name, key string, d *Draft, o *Object, only Condition) (*Object, error) {
	data, held, err := d.claim()
	if err != nil {
		return nil, err
	}
	stored := *o
	stored.Key, stored.Data, stored.ETag = key, data, digest(data)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes -= held
	return &stored, s.replace(name, &stored, only)
}

// Copy stores the bytes of an object under another key, with the headers, tags,
// checksum and time that o has.
func (s *Store) Copy(from *Object, name, key string, o *Object, only Condition) (*Object, error) {
	stored := *o
	stored.Key, stored.Data, stored.ETag, stored.Parts = key, from.Data, from.ETag, from.Parts
	s.mu.Lock()
	defer s.mu.Unlock()
	return &stored, s.replace(name, &stored, only)
}

// Tag changes the tags of an object.
func (s *Store) Tag(name, key string, tags []Pair) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, err := s.bucket(name)
	if err != nil {
		return err
	}
	old := b.objects[key]
	if old == nil {
		return ErrNoSuchKey
	}
	tagged := *old
	tagged.Tags = tags
	return s.replace(name, &tagged, nil)
}

// Remove removes an object. It is no error if there is none.
func (s *Store) Remove(name, key string, only Condition) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, err := s.bucket(name)
	if err != nil {
		return err
	}
	old := b.objects[key]
	if only != nil {
		if err := only(old); err != nil {
			return err
		}
	}
	if old == nil {
		return nil
	}
	s.bytes -= old.cost()
	s.objects--
	delete(b.objects, key)
	if i, found := slices.BinarySearch(b.keys, key); found {
		b.keys = slices.Delete(b.keys, i, i+1)
	}
	return nil
}

func (s *Store) replace(name string, o *Object, only Condition) error {
	b, err := s.bucket(name)
	if err != nil {
		return err
	}
	if only != nil {
		if err := only(b.objects[o.Key]); err != nil {
			return err
		}
	}
	if err := check(o); err != nil {
		return err
	}
	return s.put(b, o.Key, o)
}

// check refuses what no object may have.
func check(o *Object) error {
	switch {
	case len(o.Key) > maxKey:
		return ErrKeyTooLong
	case o.Key == "" || !utf8.ValidString(o.Key):
		return ErrInvalidURI
	case sizeOf(o.Headers) > maxHeaders:
		return ErrMetadataTooLarge
	case len(o.Tags) > maxTags:
		return ErrInvalidTag
	}
	seen := map[string]bool{}
	for _, t := range o.Tags {
		if t.Name == "" || len(t.Name)+len(t.Value) > maxTag || seen[t.Name] {
			return ErrInvalidTag
		}
		seen[t.Name] = true
	}
	return nil
}

// put stores an object if there is room.
func (s *Store) put(b *bucket, key string, o *Object) error {
	old, was := b.objects[key], 0
	if old != nil {
		was = old.cost()
	}
	if old == nil && s.objects >= maxObjects || s.bytes-was+o.cost() > maxBytes {
		return ErrStorageFull
	}
	if old == nil {
		s.objects++
		i, _ := slices.BinarySearch(b.keys, key)
		b.keys = slices.Insert(b.keys, i, key)
	}
	s.bytes += o.cost() - was
	b.objects[key] = o
	return nil
}

// Tagged makes tags of names and values.
func Tagged(values map[string][]string) []Pair {
	var list []Pair
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, v := range values[name] {
			list = append(list, Pair{name, v})
		}
	}
	return list
}
