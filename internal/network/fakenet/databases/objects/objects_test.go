package objects

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func at() time.Time { return time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC) }

// store puts a text under a key.
func (s *Store) store(name, key, text string) error {
	d := s.Draft()
	_, _ = d.Write([]byte(text))
	defer d.Discard()
	_, err := s.Put(name, key, d, &Object{Modified: at()}, nil)
	return err
}

func (s *Store) read(t *testing.T, name, key string) string {
	t.Helper()
	o, err := s.Get(name, key)
	if err != nil {
		t.Errorf("%s/%s: %v", name, key, err)
		return ""
	}
	return string(o.Data)
}

// counted is what the store should have counted.
func (s *Store) counted() (bytes, objects, parts int) {
	for _, b := range s.buckets {
		for _, o := range b.objects {
			bytes += o.cost()
		}
		for _, v := range b.settings {
			bytes += len(v)
		}
		objects += len(b.objects)
		if len(b.keys) != len(b.objects) || !slices.IsSorted(b.keys) {
			bytes = -1
		}
	}
	for _, u := range s.uploads {
		bytes += u.held()
		parts += len(u.parts)
	}
	return bytes, objects, parts
}

func checkCounts(t *testing.T, s *Store) {
	t.Helper()
	b, o, p := s.counted()
	if b != s.bytes || o != s.objects || p != s.parts || b > maxBytes || o > maxObjects || p > maxParts {
		t.Errorf("%d bytes, %d objects, %d parts; counted as %d, %d, %d", b, o, p, s.bytes, s.objects, s.parts)
	}
}

// The first objects are those of the files, and name only reserved hosts.
func TestSeed(t *testing.T) {
	s := New()
	n := 0
	err := fs.WalkDir(files, "seed", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		data, err := files.ReadFile(name)
		in, key, _ := strings.Cut(strings.TrimPrefix(name, "seed/"), "/")
		if s.read(t, in, key) != string(data) || kindOf(key) == "binary/octet-stream" {
			t.Errorf("%s is not there, or has no type", name)
		}
		for _, host := range regexp.MustCompile(`@[\w.-]+|://[\w.-]+`).FindAllString(string(data), -1) {
			if !strings.HasSuffix(host, ".example") {
				t.Errorf("%s: %s is no reserved name", name, host)
			}
		}
		if word := regexp.MustCompile(`(?i)passw|secret|token|key\b|[A-Za-z0-9+/]{32}`).Find(data); word != nil && !bytes.HasPrefix(data, []byte("\x89PNG")) {
			t.Errorf("%s: %s", name, word)
		}
		return err
	})
	if err != nil || n < 8 || s.objects != n || len(s.buckets) != 2 {
		t.Errorf("%v: %d files, %d objects in %d buckets", err, n, s.objects, len(s.buckets))
	}
	checkCounts(t, s)
}

func TestBuckets(t *testing.T) {
	s := New()
	for _, tt := range []struct {
		what string
		err  error
		want error
	}{
		{"create", s.Create(Bucket{Name: "mine"}), nil},
		{"again", s.Create(Bucket{Name: "mine"}), ErrBucketAlreadyOwnedByYou},
		{"of the first", s.Create(Bucket{Name: "app-exports"}), ErrBucketAlreadyOwnedByYou},
		{"upwards", s.Create(Bucket{Name: "../etc"}), ErrInvalidBucketName},
		{"short", s.Create(Bucket{Name: "ab"}), ErrInvalidBucketName},
		{"letters", s.Create(Bucket{Name: "Mine"}), ErrInvalidBucketName},
		{"address", s.Create(Bucket{Name: "10.0.0.1"}), ErrInvalidBucketName},
		{"dots", s.Create(Bucket{Name: "a..b"}), ErrInvalidBucketName},
		{"put", s.store("mine", "k", "v"), nil},
		{"put elsewhere", s.store("other", "k", "v"), ErrNoSuchBucket},
		{"delete", s.Delete("mine"), ErrBucketNotEmpty},
		{"setting", s.Set("mine", "policy", []byte("{}")), nil},
		{"setting of none", s.Set("other", "policy", nil), ErrNoSuchBucket},
		{"long setting", s.Set("mine", "cors", make([]byte, maxSetting+1)), ErrEntityTooLarge},
		{"remove", s.Remove("mine", "k", nil), nil},
		{"remove again", s.Remove("mine", "k", nil), nil},
		{"delete empty", s.Delete("mine"), nil},
		{"delete again", s.Delete("mine"), ErrNoSuchBucket},
	} {
		if !errors.Is(tt.err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.what, tt.err, tt.want)
		}
	}
	checkCounts(t, s)
}

// A client that names a bucket first was configured with it. One that has seen which
// there are made a mistake.
func TestNamed(t *testing.T) {
	s := New()
	s.Name("../x")
	s.Name("configured")
	s.Name("another")
	if s.read(t, "configured", "README.txt") == "" || s.read(t, "configured", "customers/customers.csv") == "" || s.Has("another") || len(s.buckets) != 3 {
		t.Errorf("%d buckets", len(s.buckets))
	}
	checkCounts(t, s)
	s = New()
	if len(s.Buckets("", "")) != 2 || len(s.Buckets("app-e", "")) != 1 || len(s.Buckets("", "app-documents")) != 1 {
		t.Error("the buckets are not listed")
	}
	s.Name("configured")
	s.Borrow("theirs", at())
	if s.Has("configured") || !s.Has("theirs") || len(s.Buckets("", "")) != 2 {
		t.Error("a bucket was made, or is listed")
	}
}

// A key is a name and nothing else.
func TestKeys(t *testing.T) {
	s := New()
	for _, key := range []string{"../../etc/passwd", "/", "//", "a\x00b", "a\nb\x1b[2J", "\u202ex", ".", "..", strings.Repeat("k", maxKey), "ä ö"} {
		if err := s.store("app-exports", key, key); err != nil || s.read(t, "app-exports", key) != key {
			t.Errorf("%q: %v", key, err)
		}
	}
	for key, want := range map[string]error{"": ErrInvalidURI, "a\xff": ErrInvalidURI, strings.Repeat("k", maxKey+1): ErrKeyTooLong} {
		if err := s.store("app-exports", key, ""); !errors.Is(err, want) {
			t.Errorf("%.9q: %v", key, err)
		}
	}
	checkCounts(t, s)
}

func TestHeadersAndTags(t *testing.T) {
	s := New()
	put := func(o Object) error {
		_, err := s.Put("app-exports", "k", s.Draft(), &o, nil)
		return err
	}
	long := strings.Repeat("x", maxHeaders)
	for want, list := range map[error][]Object{
		nil:                 {{Headers: []Pair{{"A", "b"}}, Tags: []Pair{{"a", "b"}, {"b", ""}}}},
		ErrMetadataTooLarge: {{Headers: []Pair{{"A", long}}}},
		ErrInvalidTag:       {{Tags: []Pair{{"a", "b"}, {"a", "c"}}}, {Tags: []Pair{{"", "b"}}}, {Tags: []Pair{{"a", long}}}, {Tags: make([]Pair, maxTags+1)}},
	} {
		for _, o := range list {
			if err := put(o); !errors.Is(err, want) {
				t.Errorf("%.60v: %v", o, err)
			}
		}
	}
	if err := s.Tag("app-exports", "k", []Pair{{"z", "1"}}); err != nil {
		t.Error(err)
	}
	if o, err := s.Get("app-exports", "k"); err != nil || o.Header("A") != "b" || !cmp.Equal(o.Tags, []Pair{{"z", "1"}}) {
		t.Errorf("%v, %v", o, err)
	}
	if err := s.Tag("app-exports", "none", nil); !errors.Is(err, ErrNoSuchKey) {
		t.Error(err)
	}
	checkCounts(t, s)
}

// naive lists a bucket in the plainest way.
func naive(keys []string, q Query) (names []string) {
	for _, k := range keys {
		if !strings.HasPrefix(k, q.Prefix) {
			continue
		}
		if i := strings.Index(k[len(q.Prefix):], q.Delimiter); q.Delimiter != "" && i >= 0 {
			k = k[:len(q.Prefix)+i+len(q.Delimiter)]
		}
		if k > q.After && !slices.Contains(names, k) {
			names = append(names, k)
		}
	}
	return names
}

// Pages of a list have everything once and in order, however they are cut.
func TestList(t *testing.T) {
	s := New()
	d := rand.New(rand.NewPCG(1, 2))
	if err := s.Create(Bucket{Name: "list"}); err != nil {
		t.Fatal(err)
	}
	for range 300 {
		var key strings.Builder
		for range 1 + d.IntN(5) {
			key.WriteString([]string{"a", "b", "/", "//", "-", "z"}[d.IntN(6)])
		}
		if err := s.store("list", key.String(), ""); err != nil {
			t.Fatal(err)
		}
	}
	keys := s.buckets["list"].keys
	for range 3000 {
		q := Query{Prefix: []string{"", "a", "a/", "/", "zz", "none"}[d.IntN(6)], Delimiter: []string{"", "/", "-", "//"}[d.IntN(4)], Most: 1 + d.IntN(7)}
		want := naive(keys, q)
		var got []string
		for {
			page, err := s.List("list", q)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range page.Objects {
				got = append(got, o.Key)
			}
			got = append(got, page.Prefixes...)
			if !page.More {
				break
			}
			q.After = page.Last
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%+v: %s", q, diff)
		}
	}
	if page, err := s.List("list", Query{Most: 0}); err != nil || page.More || page.Objects != nil {
		t.Errorf("%+v, %v", page, err)
	}
}

func TestConditions(t *testing.T) {
	s := New()
	never := func(*Object) error { return ErrInvalidArgument }
	if err := s.Remove("app-exports", "x", never); !errors.Is(err, ErrInvalidArgument) {
		t.Error(err)
	}
	d := s.Draft()
	_, _ = d.Write([]byte("x"))
	if _, err := s.Put("app-exports", "x", d, &Object{}, never); !errors.Is(err, ErrInvalidArgument) {
		t.Error(err)
	}
	checkCounts(t, s)
}

func TestChecksums(t *testing.T) {
	for algorithm, want := range map[string]string{ // of "123456789", as in the catalogues
		"CRC32": "y/Q5Jg==", "CRC32C": "4waSgw==", "CRC64NVME": "rosUhgp5mIg=", "SHA1": "98O8HYCOBHMq32eZZczDTKeuNEE=",
		"SHA256": "FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSOsiU=", "NONE": "",
	} {
		if got := Sum(algorithm, []byte("123456789")); got.Value != want {
			t.Errorf("%s: %s", algorithm, got.Value)
		}
	}
}

func FuzzList(f *testing.F) {
	f.Add("a/b\na/c\nd", "a", "/", "a/")
	f.Add("../x\n\x00\n//", "", "//", "")
	f.Fuzz(func(t *testing.T, keys, prefix, delimiter, after string) {
		s := New()
		_ = s.Create(Bucket{Name: "fuzz"})
		for key := range strings.SplitSeq(keys, "\n") {
			_ = s.store("fuzz", key, key)
		}
		_, err := s.List("fuzz", Query{Prefix: prefix, Delimiter: delimiter, After: after, Most: 3})
		if err != nil {
			t.Error(err)
		}
		checkCounts(t, s)
	})
}
