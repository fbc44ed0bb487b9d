package cache

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func write(t testing.TB, path, content string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func put(t testing.TB, c *Cache, key, content string) string {
	t.Helper()
	path, err := c.Put(key, write(t, filepath.Join(t.TempDir(), "server-1.0.tgz"), content), []byte(`{"n":1}`))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func wantFile(t testing.TB, c *Cache, key, want string) {
	t.Helper()
	path, note, ok := c.Get(key)
	if !ok {
		t.Errorf("%q is not there", key)
		return
	}
	data, err := os.ReadFile(path)
	if err != nil || string(data) != want || string(note) != `{"n":1}` || filepath.Base(path) != "server-1.0.tgz" {
		t.Errorf("%q is %q at %s with note %q, %v; want %q", key, data, path, note, err, want)
	}
}

func TestFiles(t *testing.T) {
	c := newCache(t)
	if _, _, ok := c.Get("npm/x/1.0"); ok {
		t.Error("there is a file nobody put there")
	}
	from := write(t, filepath.Join(t.TempDir(), "server-1.0.tgz"), "one")
	first, err := c.Put("npm/x/1.0", from, []byte(`{"n":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(from); err == nil {
		t.Error("the file was not moved")
	}
	wantFile(t, c, "npm/x/1.0", "one")
	wantFile(t, openCache(t, c.Dir()), "npm/x/1.0", "one")
	if !c.Has("npm/x/1.0") {
		t.Error("Has does not know of it")
	}
	// The same file again stays in place, because it may be in use.
	before, _ := os.Stat(first)
	put(t, c, "npm/x/1.0", "one")
	if after, err := os.Stat(first); err != nil || !os.SameFile(before, after) {
		t.Error("the same file was replaced by itself")
	}
	put(t, c, "npm/x/1.0", "two")
	wantFile(t, c, "npm/x/1.0", "two")
	// A tree with the same key is another entry.
	mustTree(t, c, "npm/x/1.0", sample)
	wantFile(t, c, "npm/x/1.0", "two")
}

func TestFileInUseStays(t *testing.T) {
	c := newCache(t)
	put(t, c, "put", "one")
	reader := openCache(t, c.Dir())
	put(t, openCache(t, c.Dir()), "got", "two")
	path, _, _ := reader.Get("got")
	removed, _, err := c.Clear(t.Context(), func(Entry) bool { return true })
	if inUse, ok := errors.AsType[*InUseError](err); !ok || len(inUse.Entries) != 2 || removed != 0 {
		t.Errorf("removed %d, %v", removed, err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestDamagedFile(t *testing.T) {
	for name, tamper := range map[string]func(path string) error{
		"other byte": func(p string) error { return os.WriteFile(p, []byte("owned"), 0o644) },
		"cut":        func(p string) error { return os.Truncate(p, 1) },
		"gone":       os.Remove,
		"link": func(p string) error {
			return errors.Join(os.Rename(p, filepath.Join(filepath.Dir(p), "..", "x")), os.Symlink("../x", p))
		},
		"extra":    func(p string) error { return os.WriteFile(p+"2", nil, 0o644) },
		"manifest": func(p string) error { return os.Truncate(filepath.Join(filepath.Dir(p), "..", manifestName), 40) },
	} {
		t.Run(name, func(t *testing.T) {
			logger, log := capture()
			c := newCache(t)
			c.entries.logger = logger
			path := put(t, c, "key", "one")
			_ = c.Close()
			if err := tamper(path); err != nil {
				t.Fatal(err)
			}
			if path, _, ok := c.Get("key"); ok {
				t.Errorf("a damaged file was returned: %s", path)
			}
			if c.Has("key") || !strings.Contains(log.String(), "damaged") {
				t.Errorf("it was not removed, or not logged: %q", log)
			}
			tidy(t, c)
			put(t, c, "key", "one")
			wantFile(t, c, "key", "one")
		})
	}
}

func TestPutByMany(t *testing.T) {
	c := newCache(t)
	var group sync.WaitGroup
	for range 16 {
		from := write(t, filepath.Join(t.TempDir(), "server-1.0.tgz"), "one")
		group.Go(func() {
			path, err := c.Put("key", from, []byte(`{"n":1}`))
			if err != nil {
				t.Error(err)
				return
			}
			if data, err := os.ReadFile(path); string(data) != "one" {
				t.Errorf("read %q, %v", data, err)
			}
			wantFile(t, c, "key", "one")
		})
	}
	group.Wait()
	tidy(t, c)
}

func TestPutRefuses(t *testing.T) {
	c := newCache(t)
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink("/etc/passwd", link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, link, filepath.Join(dir, "missing")} {
		if got, err := c.Put("key", path, nil); err == nil {
			t.Errorf("%s was kept at %s", path, got)
		}
	}
	from := write(t, filepath.Join(dir, "x"), "x")
	if _, err := c.Put("key", from, make([]byte, maxNote+1)); err == nil {
		t.Error("a huge note was kept")
	}
	if _, err := os.Stat(from); err != nil {
		t.Errorf("a file that was not kept is gone: %v", err)
	}
	tidy(t, c)
}

func TestPutFromAnotherFileSystem(t *testing.T) {
	other, err := os.MkdirTemp("/dev/shm", "cache")
	if err != nil {
		t.Skip("no other file system:", err)
	}
	defer os.RemoveAll(other)
	c := newCache(t)
	var a, b unix.Stat_t
	if err := errors.Join(unix.Stat(other, &a), unix.Stat(c.Dir(), &b)); err != nil || a.Dev == b.Dev {
		t.Skip("no other file system:", err)
	}
	from := write(t, filepath.Join(other, "server-1.0.tgz"), "one")
	if _, err := c.Put("key", from, []byte(`{"n":1}`)); err != nil {
		t.Fatal(err)
	}
	wantFile(t, c, "key", "one")
	if _, err := os.Lstat(from); err == nil {
		t.Error("the file was not moved")
	}
}

func TestEviction(t *testing.T) {
	c := newCache(t)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c.entries.now = func() time.Time { at = at.Add(time.Minute); return at }
	for _, key := range []string{"a", "b", "c"} {
		put(t, c, key, key)
		_ = c.Close() // nothing is in use
		c.Get(key)    // updates the time of last use
		_ = c.Close()
	}
	c.Get("a") // the least recently used is now b
	_ = c.Close()
	entries, _ := c.Entries()
	one := entries[0].Bytes
	held := openCache(t, c.Dir())
	if _, _, ok := held.Get("b"); !ok {
		t.Fatal("b is not there")
	}
	old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	_ = os.Chtimes(filepath.Join(c.dir.entry(nameOf(KindFile, "b")), manifestName), old, old)
	c.SetLimit(3 * one)
	put(t, c, "d", "d")
	for key, want := range map[string]bool{"a": true, "b": true, "c": false, "d": true} {
		if c.Has(key) != want {
			t.Errorf("%s: there is %t, want %t", key, c.Has(key), want)
		}
	}
	// An entry larger than the limit stays while it is in use.
	c.SetLimit(0)
	dir, _ := mustTree(t, c, "tree", sample)
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
	for key, want := range map[string]bool{"a": false, "b": true, "d": true, "tree": true} {
		if c.Has(key) != want {
			t.Errorf("limit 0: %s: there is %t, want %t", key, c.Has(key), want)
		}
	}
	tidy(t, c)
}

func TestEntries(t *testing.T) {
	c := newCache(t)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	c.entries.now = func() time.Time { return at }
	mustTree(t, c, "tree", sample)
	put(t, c, "file", "x")
	at = at.Add(time.Hour)
	c.Get("file")
	if err := os.MkdirAll(c.dir.entry("junk"), 0o755); err != nil {
		t.Fatal(err)
	}
	entries, err := c.Entries()
	if err != nil || len(entries) != 3 {
		t.Fatalf("got %v, %v", entries, err)
	}
	junk, file, tree := entries[0], entries[1], entries[2]
	if !junk.Broken || junk.Key != "" {
		t.Errorf("junk is %+v", junk)
	}
	if file.Key != "file" || file.Kind != KindFile || file.Files != 1 || file.Bytes != block || !file.Used.Equal(at) {
		t.Errorf("the file is %+v", file)
	}
	if tree.Key != "tree" || tree.Kind != KindTree || tree.Files != 5 || tree.Bytes != 5*block || !tree.Made.Equal(at.Add(-time.Hour)) {
		t.Errorf("the tree is %+v", tree)
	}
}
