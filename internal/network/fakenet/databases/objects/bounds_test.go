package objects

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"
)

// A client that stores without end gets errors, and what is kept stays small.
func TestStoreIsBounded(t *testing.T) {
	s := New()
	large := bytes.Repeat([]byte("x"), 1<<20)
	var last error
	for i := range maxObjects + 100 {
		last = s.store("app-exports", fmt.Sprint("k", i), "x")
	}
	if !errors.Is(last, ErrStorageFull) {
		t.Error(last)
	}
	checkCounts(t, s)
	s = New()
	for i := range 2 * maxBuckets {
		last = s.Create(Bucket{Name: fmt.Sprint("bucket-", i)})
		s.Borrow(fmt.Sprint("theirs-", i), at())
		s.Serve(fmt.Sprint("host-", i))
		_ = s.Set("app-exports", fmt.Sprint("setting", i), large[:maxSetting])
	}
	if !errors.Is(last, ErrTooManyBuckets) || len(s.buckets) > maxBuckets || len(s.endpoints) > maxEndpoints || len(s.buckets["app-exports"].settings) > maxSettings {
		t.Errorf("%v: %d buckets, %d hosts", last, len(s.buckets), len(s.endpoints))
	}
	checkCounts(t, s)
	s = New()
	for i := range 3 * maxBytes >> 20 {
		last = s.store("app-exports", fmt.Sprint("k", i), string(large))
	}
	if !errors.Is(last, ErrEntityTooLarge) && !errors.Is(last, ErrStorageFull) {
		t.Error(last)
	}
	checkCounts(t, s)
}

// A page of long keys is short, and the next ones have the rest.
func TestPagesAreBounded(t *testing.T) {
	s := New()
	const many = 600
	for i := range many {
		if err := s.store("app-exports", fmt.Sprintf("long/%0*d", maxKey-len("long/"), i), ""); err != nil {
			t.Fatal(err)
		}
	}
	q, keys := Query{Prefix: "long/", Most: 1000}, 0
	for more := true; more; {
		page, err := s.List("app-exports", q)
		if err != nil || len(page.Objects) > maxPage/maxKey+1 {
			t.Fatalf("%v: %d keys", err, len(page.Objects))
		}
		keys += len(page.Objects)
		q.After, more = page.Last, page.More
	}
	if keys != many {
		t.Errorf("%d of %d keys", keys, many)
	}
}

// A copy counts like what it is a copy of.
func TestCopiesAreBounded(t *testing.T) {
	s := New()
	if err := s.store("app-exports", "k", string(make([]byte, 4<<20))); err != nil {
		t.Fatal(err)
	}
	from, _ := s.Get("app-exports", "k")
	var last error
	for i := range 100 {
		_, last = s.Copy(from, "app-exports", fmt.Sprint("copy", i), &Object{}, nil)
	}
	if !errors.Is(last, ErrStorageFull) {
		t.Error(last)
	}
	checkCounts(t, s)
	id, err := s.Begin("app-exports", Upload{Key: "u"})
	s.work = maxWork - 5<<20
	for range 10 { // each digests the bytes again
		_, last = s.CopyPart("app-exports", "u", id, from.Data[:1<<20], &Part{Number: 1})
	}
	if !errors.Is(last, ErrSlowDown) {
		t.Errorf("%v, %v", err, last)
	}
}

// Bodies that are on their way count, too, and are forgotten when they end.
func TestDraftsAreBounded(t *testing.T) {
	s := New()
	before := s.bytes
	piece := make([]byte, 64<<10)
	var drafts []*Draft
	var all sync.WaitGroup
	for range 50 {
		d := s.Draft()
		drafts = append(drafts, d)
		all.Go(func() {
			for range 32 {
				_, _ = d.Write(piece)
			}
		})
	}
	all.Wait()
	held, full := 0, 0
	for _, d := range drafts {
		if held += cap(d.data); d.full {
			full++
		}
	}
	if s.bytes > maxBytes || held > maxBytes*3/2 || full == 0 {
		t.Errorf("%d bytes, %d held, %d full", s.bytes, held, full)
	}
	for _, d := range drafts {
		d.Discard()
		d.Discard()
	}
	if s.bytes != before {
		t.Errorf("%d bytes are left of %d", s.bytes, before)
	}
	var none *Draft
	_, _ = none.Write(piece)
	none.Break()
	none.Narrow(nil)
	none.Discard()
	if data, err := none.Body(); data != nil || err != nil {
		t.Error(data, err)
	}
}

// What did not arrive as a whole is not stored.
func TestBrokenDraft(t *testing.T) {
	s := New()
	d := s.Draft()
	_, _ = d.Write([]byte("half"))
	d.Break()
	if _, err := s.Put("app-exports", "k", d, &Object{}, nil); !errors.Is(err, ErrIncompleteBody) {
		t.Error(err)
	}
	d.Discard()
	checkCounts(t, s)
}

func (s *Store) part(id string, number int, data []byte) (string, error) {
	d := s.Draft()
	defer d.Discard()
	_, _ = d.Write(data)
	p, err := s.PutPart("app-exports", "big", id, d, &Part{Number: number})
	if err != nil {
		return "", err
	}
	return p.ETag, nil
}

func TestUpload(t *testing.T) {
	s := New()
	id, err := s.Begin("app-exports", Upload{Key: "big", Headers: []Pair{{"A", "b"}}, Algorithm: "CRC32"})
	if err != nil {
		t.Fatal(err)
	}
	first := bytes.Repeat([]byte("1"), leastPart)
	_, _ = s.part(id, 1, []byte("replaced"))
	one, err := s.part(id, 1, first)
	two, err2 := s.part(id, 7, []byte("end"))
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	if _, list, err := s.Upload("app-exports", "big", id); err != nil || len(list) != 2 || list[1].Number != 7 {
		t.Errorf("%v, %v", list, err)
	}
	for _, tt := range []struct {
		name, key, id string
		chosen        []Chosen
		want          error
	}{
		{"another key", "other", id, []Chosen{{1, one}}, ErrNoSuchUpload},
		{"another upload", "big", "upload-9", []Chosen{{1, one}}, ErrNoSuchUpload},
		{"nothing", "big", id, nil, ErrInvalidPart},
		{"order", "big", id, []Chosen{{7, two}, {1, one}}, ErrInvalidPartOrder},
		{"twice", "big", id, []Chosen{{7, two}, {7, two}}, ErrInvalidPartOrder},
		{"another digest", "big", id, []Chosen{{1, two}}, ErrInvalidPart},
		{"no part", "big", id, []Chosen{{2, two}}, ErrInvalidPart},
		{"good", "big", id, []Chosen{{1, one}, {7, two}}, nil},
		{"again", "big", id, []Chosen{{1, one}}, ErrNoSuchUpload},
	} {
		if _, err := s.Complete("app-exports", tt.key, tt.id, tt.chosen, at(), nil); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	o, err := s.Get("app-exports", "big")
	if err != nil || !bytes.Equal(o.Data, append(first, "end"...)) || o.Header("A") != "b" || o.ETag[32:] != "-2" || !o.Checksum.Composite {
		t.Errorf("%v", err)
	}
	checkCounts(t, s)
}

// Uploads and parts without end get errors.
func TestUploadsAreBounded(t *testing.T) {
	s := New()
	var id string
	var err error
	for range 2 * maxUploads {
		next, failed := s.Begin("app-exports", Upload{Key: "big"})
		if err = failed; err == nil {
			id = next
		}
	}
	if !errors.Is(err, ErrStorageFull) || len(s.uploads) > maxUploads {
		t.Errorf("%v: %d uploads", err, len(s.uploads))
	}
	for i := range maxParts + 10 {
		_, err = s.part(id, i+1, nil)
	}
	if !errors.Is(err, ErrStorageFull) {
		t.Error(err)
	}
	for _, number := range []int{0, -1, maxPart + 1} {
		if _, err := s.part(id, number, nil); !errors.Is(err, ErrInvalidArgument) {
			t.Errorf("part %d: %v", number, err)
		}
	}
	checkCounts(t, s)
	if err := s.Delete("app-exports"); !errors.Is(err, ErrBucketNotEmpty) {
		t.Error(err)
	}
	list, _ := s.Uploads("app-exports")
	for _, u := range list {
		if err := s.Abort("app-exports", u.Key, u.ID); err != nil {
			t.Error(err)
		}
	}
	small := []byte("small")
	id, err = s.Begin("app-exports", Upload{Key: "big"})
	one, _ := s.part(id, 1, small)
	two, _ := s.part(id, 2, small)
	if _, err := s.Complete("app-exports", "big", id, []Chosen{{1, one}, {2, two}}, at(), nil); !errors.Is(err, ErrEntityTooSmall) {
		t.Error(err)
	}
	if checkCounts(t, s); err != nil || len(s.uploads) != 1 {
		t.Errorf("%v: %d uploads", err, len(s.uploads))
	}
}
