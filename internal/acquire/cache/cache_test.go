package cache

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if role := os.Getenv("CACHE_TEST_ROLE"); role != "" {
		os.Exit(play(role))
	}
	goleak.VerifyTestMain(m)
}

func newCache(t testing.TB) *Cache {
	t.Helper()
	return openCache(t, filepath.Join(t.TempDir(), "cache"))
}

func openCache(t testing.TB, dir string) *Cache {
	t.Helper()
	c, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// sample fills a directory with one entry of every type.
func sample(_ context.Context, dir string) ([]byte, error) {
	err := errors.Join(
		os.MkdirAll(filepath.Join(dir, "lib", "empty"), 0o777),
		os.WriteFile(filepath.Join(dir, "lib", "a.js"), []byte("a"), 0o600),
		os.WriteFile(filepath.Join(dir, "lib", "b.js"), []byte("b"), 0o600),
		os.WriteFile(filepath.Join(dir, "run"), []byte("#!"), 0o700),
		os.Symlink("lib/a.js", filepath.Join(dir, "link")),
		os.Symlink("/etc/passwd", filepath.Join(dir, "away")),
	)
	return []byte("note"), err
}

// noBuild is for trees that must already exist.
func noBuild(context.Context, string) ([]byte, error) {
	return nil, errors.New("built, but it should have been there")
}

func mustTree(t testing.TB, c *Cache, key string, build func(context.Context, string) ([]byte, error)) (string, func()) {
	t.Helper()
	dir, _, release, err := c.Tree(t.Context(), key, build)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(release)
	return dir, release
}

// listing describes a tree completely: types, modes, links and contents.
func listing(t testing.TB, dir string) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		text := info.Mode().String()
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += " " + string(data)
		case info.Mode()&fs.ModeSymlink != 0:
			target, _ := os.Readlink(path)
			text += " " + target
		}
		got[rel] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func sampleListing() map[string]string {
	return map[string]string{
		".": "drwxr-xr-x", "lib": "drwxr-xr-x", "lib/empty": "drwxr-xr-x",
		"lib/a.js": "-rw-r--r-- a", "lib/b.js": "-rw-r--r-- b", "run": "-rwxr-xr-x #!",
		"link": "Lrwxrwxrwx lib/a.js", "away": "Lrwxrwxrwx /etc/passwd",
	}
}

// tidy checks that building/ and locks/ are empty.
func tidy(t testing.TB, c *Cache) {
	t.Helper()
	for _, name := range []string{buildingDir, locksDir} {
		if left := readDir(filepath.Join(c.dir.path, name)); len(left) != 0 {
			t.Errorf("left in %s: %v", name, left)
		}
	}
}

// capture is a logger and what it logged.
func capture() (*slog.Logger, *strings.Builder) {
	var b strings.Builder
	return slog.New(slog.NewTextHandler(&b, nil)), &b
}

func TestTree(t *testing.T) {
	c := newCache(t)
	if c.Has("key") {
		t.Error("the cache has a key nobody put there")
	}
	first, _ := mustTree(t, c, "key", sample)
	if diff := cmp.Diff(sampleListing(), listing(t, first)); diff != "" {
		t.Errorf("built (-want +got):\n%s", diff)
	}
	other := openCache(t, c.Dir())
	dir, note, release, err := other.Tree(t.Context(), "key", noBuild)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	release() // a second release is harmless
	if dir != first || string(note) != "note" || !other.Has("key") {
		t.Errorf("got %q with note %q, want %q", dir, note, first)
	}
	if diff := cmp.Diff(sampleListing(), listing(t, dir)); diff != "" {
		t.Errorf("reused (-want +got):\n%s", diff)
	}
	tidy(t, c)
}

func TestTreeIsBuiltOnceByGoroutines(t *testing.T) {
	c := newCache(t)
	var built atomic.Int64
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			dir, _, release, err := c.Tree(t.Context(), "key", func(ctx context.Context, dir string) ([]byte, error) {
				built.Add(1)
				return sample(ctx, dir)
			})
			if err != nil {
				t.Error(err)
				return
			}
			defer release()
			if _, err := os.Stat(filepath.Join(dir, "lib", "a.js")); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if built.Load() != 1 {
		t.Errorf("built %d times, want once", built.Load())
	}
	tidy(t, c)
}

func TestFailedBuildLeavesNothing(t *testing.T) {
	c := newCache(t)
	failure := errors.New("no")
	fail := func(ctx context.Context, dir string) ([]byte, error) {
		_, _ = sample(ctx, dir)
		return nil, failure
	}
	if _, _, _, err := c.Tree(t.Context(), "key", fail); !errors.Is(err, failure) {
		t.Errorf("got %v, want the builder's own error", err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _, _, _ = c.Tree(t.Context(), "key", func(ctx context.Context, dir string) ([]byte, error) { panic("no") })
	}()
	ctx, cancel := context.WithCancel(t.Context())
	_, _, _, err := c.Tree(ctx, "key", func(ctx context.Context, dir string) ([]byte, error) {
		cancel()
		return sample(ctx, dir)
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
	tidy(t, c)
	if c.Has("key") {
		t.Error("a failed build was kept")
	}
	mustTree(t, c, "key", sample)
}

func TestWaitingHonoursContext(t *testing.T) {
	c := newCache(t)
	synctest.Test(t, func(t *testing.T) {
		building, finish, done := make(chan struct{}), make(chan struct{}), make(chan error)
		go func() {
			_, _, release, err := c.Tree(t.Context(), "key", func(ctx context.Context, dir string) ([]byte, error) {
				close(building)
				<-finish
				return sample(ctx, dir)
			})
			if err == nil {
				release()
			}
			done <- err
		}()
		<-building
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, _, _, err := c.Tree(ctx, "key", noBuild); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the deadline", err)
		}
		close(finish)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// TestEndlessFile has a sparse file, which a hostile package creates instantly
// and nobody can read to its end.
func TestEndlessFile(t *testing.T) {
	c := newCache(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, _, _, err := c.Tree(ctx, "key", func(_ context.Context, dir string) ([]byte, error) {
		if err := os.WriteFile(filepath.Join(dir, "sparse"), nil, 0o600); err != nil {
			return nil, err
		}
		time.AfterFunc(10*time.Millisecond, cancel)
		return nil, os.Truncate(filepath.Join(dir, "sparse"), 8<<40)
	})
	if !errors.Is(err, context.Canceled) || c.Has("key") {
		t.Errorf("got %v, want the context's error", err)
	}
	tidy(t, c)
}

func TestHostileKeys(t *testing.T) {
	c := newCache(t)
	keys := []string{"../../x", "/etc/passwd", "a\x00b", "a\nb", "\xff\xfe", "a/../a", "a", strings.Repeat("x", maxKey)}
	for _, key := range keys {
		dir, _ := mustTree(t, c, key, func(_ context.Context, dir string) ([]byte, error) {
			return nil, os.WriteFile(filepath.Join(dir, "key"), []byte(key), 0o600)
		})
		if rel, err := filepath.Rel(filepath.Join(c.Dir(), entriesDir), dir); err != nil || !filepath.IsLocal(rel) {
			t.Errorf("key %q led to %q", key, dir)
		}
	}
	entries, err := c.Entries()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, e := range entries {
		got[e.Key] = true
	}
	for _, key := range keys {
		dir, _ := mustTree(t, c, key, noBuild)
		if data, _ := os.ReadFile(filepath.Join(dir, "key")); string(data) != key || !got[key] {
			t.Errorf("key %q has the content of %q", key, data)
		}
	}
	for _, key := range []string{"", strings.Repeat("x", maxKey+1)} {
		if _, _, _, err := c.Tree(t.Context(), key, sample); err == nil {
			t.Errorf("a key of %d bytes was accepted", len(key))
		}
	}
}

func TestEmptyTree(t *testing.T) {
	c := newCache(t)
	empty := func(context.Context, string) ([]byte, error) { return nil, nil }
	dir, _ := mustTree(t, c, "key", empty)
	mustTree(t, c, "key", noBuild)
	if err := os.WriteFile(filepath.Join(dir, "extra"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	rebuilt := false
	mustTree(t, c, "key", func(context.Context, string) ([]byte, error) { rebuilt = true; return nil, nil })
	if !rebuilt {
		t.Error("a file in an empty tree was not noticed")
	}
}

func TestDigestOfLongFile(t *testing.T) {
	c := newCache(t)
	data := make([]byte, 300<<10)
	for i := range data {
		data[i] = byte(i >> 8)
	}
	mustTree(t, c, "key", func(_ context.Context, dir string) ([]byte, error) {
		return nil, os.WriteFile(filepath.Join(dir, "long"), data, 0o600)
	})
	h, err := c.entries.reuse(KindTree, "key", nameOf(KindTree, "key"), never)
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	if h.m.dirs[0].items[0].sum != sha256.Sum256(data) {
		t.Error("the digest of a file longer than the buffer is wrong")
	}
}
