package objects

import (
	"encoding/hex"
	"strconv"
	"time"
)

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
			return nil, ErrInvalidPart
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
			return nil, ErrInvalidPartOrder
		}
	}
	var list []*Part
	for i, c := range chosen {
		p := u.parts[c.Number]
		switch {
		case p == nil || p.ETag != c.ETag:
			return nil, ErrInvalidPart
		case i < len(chosen)-1 && len(p.Data) < leastPart:
			return nil, ErrEntityTooSmall
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, ErrInvalidPart
	}
	return list, nil
}
