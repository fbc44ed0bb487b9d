package blob

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestPutAndOpen(t *testing.T) {
	large := make([]byte, 30<<20)
	rand.Read(large)
	each(t, func(t *testing.T, s subject) {
		for name, text := range map[string]string{
			"empty":                    "",
			"jobs/1/1/report.json":     "{}\n",
			"jobs/1/1/größe + %20 ☃.x": "a name with everything in it",
			"jobs/1/1/traffic.pcapng":  string(large),
			"exact":                    string(large[:partSize]),
			"exact-and-one":            string(large[:partSize+1]),
			strings.Repeat("x", 255) + "/" + strings.Repeat("y", 255): "long",
		} {
			put(t, s, name, text)
			if got := get(t, s, name); got != text {
				t.Errorf("%s: %d bytes are not the %d that were put", name, len(got), len(text))
			}
		}
		put(t, s, "empty", "not any more")
		if got := get(t, s, "empty"); got != "not any more" {
			t.Errorf("what was put again is %q", got)
		}
		for _, none := range []string{"none", "jobs/1", "jobs", "empty/below", "jobs/1/1/report"} {
			if f, err := s.Open(t.Context(), none); !errors.Is(err, ErrNotFound) {
				t.Errorf("%s: %v, %v", none, f, err)
			}
		}
		if left := s.leftovers(t); left != nil {
			t.Errorf("left over: %v", left)
		}
	})
}

func TestNames(t *testing.T) {
	each(t, func(t *testing.T, s subject) {
		put(t, s, "a", "kept")
		for _, name := range []string{
			"", "/", "/a", "..", "../a", "a/../../b", "./a", "a/./b", "a//b", "a/", ".a", "a/.b", ".incoming/x", "..a", "a/..b",
			"a\x00b", "a\nb", "a\x7fb", "a\u202eb", "a\u200bb", "a\xffb", `a\..\b`, strings.Repeat("x", 256), strings.Repeat("x/", 300) + "x",
		} {
			if n, err := s.Put(t.Context(), name, strings.NewReader("x")); !errors.Is(err, ErrName) {
				t.Errorf("put %q: %d, %v", name, n, err)
			}
			if _, err := s.Open(t.Context(), name); !errors.Is(err, ErrName) {
				t.Errorf("opened %q: %v", name, err)
			}
			if found, err := s.List(t.Context(), name); !errors.Is(err, ErrName) {
				t.Errorf("listed %q: %v, %v", name, found, err)
			}
			err := s.Remove(t.Context(), name)
			if !errors.Is(err, ErrName) {
				t.Errorf("removed %q: %v", name, err)
			}
			if strings.ContainsAny(fmt.Sprint(err), "\n\x00\u202e") {
				t.Errorf("the message for %q repeats it", name)
			}
		}
		// The root is a directory, and cannot be a file.
		if _, err := s.Put(t.Context(), ".", strings.NewReader("x")); !errors.Is(err, ErrName) {
			t.Errorf("put the root: %v", err)
		}
		if err := s.Remove(t.Context(), "."); !errors.Is(err, ErrName) {
			t.Errorf("removed the root: %v", err)
		}
		if got := list(t, s, "."); !cmp.Equal(got, []string{"a"}) {
			t.Errorf("there is %v", got)
		}
	})
}

func TestListAndRemove(t *testing.T) {
	each(t, func(t *testing.T, s subject) {
		if got := list(t, s, "."); got != nil {
			t.Errorf("in a new one is %v", got)
		}
		for _, name := range []string{"jobs/10/1/b", "jobs/1/2/a", "jobs/1/1/b", "jobs/1/1/a", "jobs/1-x", "uploads/ff", "top"} {
			put(t, s, name, name)
		}
		all := []string{"jobs/1-x", "jobs/1/1/a", "jobs/1/1/b", "jobs/1/2/a", "jobs/10/1/b", "top", "uploads/ff"}
		for dir, want := range map[string][]string{
			".": all, "jobs": all[:5], "jobs/1": all[1:4], "jobs/1/1": all[1:3], "jobs/10": all[4:5],
			"top": nil, "jobs/1/1/a": nil, "none": nil, "none/at/all": nil, "top/below": nil,
		} {
			if got := list(t, s, dir); !cmp.Equal(got, want) {
				t.Errorf("below %s is %v, not %v", dir, got, want)
			}
		}
		found, err := s.List(t.Context(), "uploads")
		if want := []Info{{"uploads/ff", int64(len("uploads/ff"))}}; err != nil || !cmp.Equal(found, want) {
			t.Errorf("%v, %v", found, err)
		}
		for _, step := range []struct {
			name string
			want []string
		}{
			{"none", all},
			{"none/at/all", all},
			{"top/below", all},
			{"jobs/1", []string{"jobs/1-x", "jobs/10/1/b", "top", "uploads/ff"}},
			{"jobs/1", []string{"jobs/1-x", "jobs/10/1/b", "top", "uploads/ff"}},
			{"uploads/ff", []string{"jobs/1-x", "jobs/10/1/b", "top"}},
			{"jobs", []string{"top"}},
			{"top", nil},
		} {
			if err := s.Remove(t.Context(), step.name); err != nil {
				t.Errorf("removing %s: %v", step.name, err)
			}
			if got := list(t, s, "."); !cmp.Equal(got, step.want) {
				t.Errorf("after removing %s there is %v", step.name, got)
			}
		}
	})
}

// More files than a bucket lists in one answer.
func TestListMany(t *testing.T) {
	const many = 1100
	each(t, func(t *testing.T, s subject) {
		for i := range many {
			put(t, s, fmt.Sprintf("jobs/%d/report.json", i), "")
		}
		if got := list(t, s, "jobs"); len(got) != many {
			t.Errorf("of %d files %d are listed", many, len(got))
		}
		if err := s.Remove(t.Context(), "jobs"); err != nil {
			t.Error(err)
		}
		if got := list(t, s, "."); got != nil {
			t.Errorf("%d files are left", len(got))
		}
	})
}

func TestSeek(t *testing.T) {
	text := []byte(strings.Repeat("0123456789", 1000))
	each(t, func(t *testing.T, s subject) {
		put(t, s, "x", string(text))
		f, err := s.Open(t.Context(), "x")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := iotest.TestReader(f, text); err != nil {
			t.Error(err)
		}
		for _, c := range []struct {
			offset int64
			whence int
			at     int64
			read   string
		}{
			{5, io.SeekStart, 5, "567"}, {-3, io.SeekCurrent, 5, "567"}, {1, io.SeekCurrent, 9, "901"},
			{-2, io.SeekEnd, 9998, "89"}, {0, io.SeekStart, 0, "012"}, {0, io.SeekEnd, 10000, ""}, {7, io.SeekEnd, 10007, ""},
		} {
			at, err := f.Seek(c.offset, c.whence)
			if err != nil || at != c.at {
				t.Errorf("seeking %d by %d: %d, %v", c.offset, c.whence, at, err)
			}
			got := make([]byte, 3)
			n, _ := io.ReadFull(f, got)
			if string(got[:n]) != c.read {
				t.Errorf("at %d there is %q, not %q", c.at, got[:n], c.read)
			}
		}
		if at, err := f.Seek(-1, io.SeekStart); err == nil {
			t.Errorf("sought to %d", at)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if _, err := f.Read(make([]byte, 1)); err == nil {
			t.Error("what is closed was read")
		}
	})
}

// A failed Put leaves no new file and does not remove the old one.
func TestPutFails(t *testing.T) {
	broken := errors.New("the pipe broke")
	for _, size := range []int{0, 1000, partSize, partSize + 1, 2*partSize + 1000} {
		start := bytes.Repeat([]byte("x"), size)
		each(t, func(t *testing.T, s subject) {
			put(t, s, "old", "old")
			for _, name := range []string{"old", "some/where/new"} {
				_, err := s.Put(t.Context(), name, io.MultiReader(bytes.NewReader(start), iotest.ErrReader(broken)))
				if !errors.Is(err, broken) {
					t.Errorf("%s: %v", name, err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				ends := reader(func(p []byte) (int, error) { cancel(); p[0] = 'x'; return 1, nil })
				if _, err := s.Put(ctx, name, io.MultiReader(bytes.NewReader(start), ends)); !errors.Is(err, context.Canceled) {
					t.Errorf("%s, cancelled: %v", name, err)
				}
			}
			if got := get(t, s, "old"); got != "old" {
				t.Errorf("the old file is %d bytes now", len(got))
			}
			if got := list(t, s, "."); !cmp.Equal(got, []string{"old"}) {
				t.Errorf("there is %v", got)
			}
			if left := s.leftovers(t); left != nil {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	each(t, func(t *testing.T, s subject) {
		put(t, s, "x", "x")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, put := s.Put(ctx, "y", strings.NewReader("y"))
		_, opened := s.Open(ctx, "x")
		_, listed := s.List(ctx, ".")
		for what, err := range map[string]error{"put": put, "opened": opened, "listed": listed, "removed": s.Remove(ctx, "x")} {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", what, err)
			}
		}
		if got := list(t, s, "."); !cmp.Equal(got, []string{"x"}) {
			t.Errorf("there is %v", got)
		}
	})
}

// Of concurrent writers one wins completely; a reader never sees a mix.
func TestPutAtOnce(t *testing.T) {
	const size = 100_000
	each(t, func(t *testing.T, s subject) {
		put(t, s, "x", strings.Repeat("z", size))
		var writers, readers sync.WaitGroup
		done := make(chan struct{})
		for w := range 6 {
			writers.Go(func() {
				for range 5 {
					if _, err := s.Put(t.Context(), "x", strings.NewReader(strings.Repeat(string(rune('a'+w)), size))); err != nil {
						t.Error(err)
					}
				}
			})
		}
		for range 3 {
			readers.Go(func() {
				for {
					select {
					case <-done:
						return
					default:
						readWhole(t, s, size)
					}
				}
			})
		}
		writers.Wait()
		close(done)
		readers.Wait()
		readWhole(t, s, size)
		if left := s.leftovers(t); left != nil {
			t.Errorf("left over: %v", left)
		}
	})
}

func readWhole(t *testing.T, s subject, size int) {
	f, err := s.Open(t.Context(), "x")
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	got, err := io.ReadAll(f)
	if err != nil && strings.Contains(err.Error(), "replaced meanwhile") {
		return
	}
	if err != nil || len(got) != size || strings.Count(string(got), string(got[:1])) != size {
		t.Errorf("%d bytes that nobody put together: %v", len(got), err)
	}
}

// One process puts a file into a directory that another empties.
func TestPutWhereSomebodyRemoves(t *testing.T) {
	each(t, func(t *testing.T, s subject) {
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() {
				name := fmt.Sprintf("a/b/%d", w)
				for range 50 {
					if _, err := s.Put(t.Context(), name, strings.NewReader("x")); err != nil {
						t.Error(err)
					}
					if err := s.Remove(t.Context(), name); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if got := list(t, s, "."); got != nil {
			t.Errorf("there is %v", got)
		}
	})
}

func FuzzName(f *testing.F) {
	for _, name := range []string{"jobs/1/1/report.json", "../x", "a/.b", "a\u202eb", "", ".", "a//b"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if check(name) != nil {
			return
		}
		if bad := strings.Contains("/"+name, "/.") || strings.HasPrefix(name, "/") || strings.ContainsAny(name, "\\\x00\n\r\x1b\u202e\u200b") || len(name) > maxName; bad || name == "" {
			t.Errorf("%q is a name", name)
		}
		b := &bucket{prefix: "p"}
		if got := b.file(b.key(name)); got != name {
			t.Errorf("%q comes back as %q", name, got)
		}
	})
}
