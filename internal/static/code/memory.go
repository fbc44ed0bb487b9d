package code

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"github.com/mcpsf/mcpsf"
)

// Memory stores the results for dependencies. Most dependencies are the same,
// byte for byte, from one run to the next. An implementation must not return
// results of another version of the analyses.
type Memory interface {
	Get(key string) (value []byte, ok bool)
	Put(key string, value []byte)
}

// told is the stored result for a dependency.
type told struct {
	Facts  []mcpsf.Fact           `json:"facts,omitempty"`
	Powers []mcpsf.CapabilityKind `json:"powers,omitempty"`
	// Source is its number of source files, Read how many of them are text,
	// Parsed how many were parsed completely.
	Source int   `json:"source"`
	Read   int   `json:"read"`
	Parsed int   `json:"parsed"`
	Bytes  int64 `json:"bytes"`
}

// reuse takes over the stored results, and returns the packages that must be
// read and how many files were skipped.
func (r *reading) reuse(ctx context.Context, parcels []*parcel) (unread []*parcel, read int) {
	if r.set.Memory == nil {
		return parcels, 0
	}
	for _, p := range parcels {
		t, ok := r.remembered(ctx, p)
		if !ok {
			unread = append(unread, p)
			continue
		}
		read += t.Read
		files := &r.result.Files
		files.Source, files.Parsed, files.Bytes = files.Source+t.Source, files.Parsed+t.Parsed, files.Bytes+t.Bytes
		r.tell(p, t)
	}
	return unread, read
}

func (r *reading) remembered(ctx context.Context, p *parcel) (*told, bool) {
	if ctx.Err() != nil {
		return nil, false
	}
	key, err := r.keyOf(p)
	if err != nil {
		return nil, false // reported when the file is read
	}
	p.key = key
	value, ok := r.set.Memory.Get(key)
	if !ok {
		return nil, false
	}
	t := &told{}
	return t, json.Unmarshal(value, t) == nil && t.Source == len(p.entries)
}

func (r *reading) remember(p *parcel, t *told) {
	if r.set.Memory == nil || p.key == "" {
		return
	}
	if value, err := json.Marshal(t); err == nil {
		r.set.Memory.Put(p.key, value)
	}
}

// keyOf returns a hash over everything that the result depends on: the content
// and the path of every file that is read.
func (r *reading) keyOf(p *parcel) (string, error) {
	whole := sha256.New()
	fmt.Fprintf(whole, "%q\n", p.purl)
	buf := make([]byte, 64<<10)
	for _, e := range p.entries {
		sum, err := r.digest(e.path, buf)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(whole, "%q %q %t %x\n", e.path, e.lang, e.markup, sum)
	}
	return hex.EncodeToString(whole.Sum(nil)), nil
}

// summed is a tree that knows the SHA-256 of its files.
type summed interface {
	Sum(name string) (sum [32]byte, ok bool)
}

func (r *reading) digest(path string, buf []byte) ([]byte, error) {
	if tree, ok := r.fsys.(summed); ok {
		if sum, ok := tree.Sum(path); ok {
			return sum[:], nil
		}
	}
	f, err := r.fsys.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	// A dependency's file is smaller than that, unless it grows meanwhile.
	if _, err := io.CopyBuffer(h, struct{ io.Reader }{io.LimitReader(f, maxLoose)}, buf); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}
