package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestDefaultDir(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  map[string]string
		uid  int
		want string
	}{
		{"root", map[string]string{"HOME": "/root", "XDG_CACHE_HOME": "/x"}, 0, "/var/cache/mcpsf"},
		{"xdg", map[string]string{"HOME": "/home/u", "XDG_CACHE_HOME": "/x"}, 1000, "/x/mcpsf"},
		{"relative xdg", map[string]string{"HOME": "/home/u", "XDG_CACHE_HOME": "x"}, 1000, "/home/u/.cache/mcpsf"},
		{"home", map[string]string{"HOME": "/home/u"}, 1000, "/home/u/.cache/mcpsf"},
		{"own", map[string]string{"HOME": "/home/u", "XDG_CACHE_HOME": "/x", "MCPSF_CACHE": "/c"}, 1000, "/c"},
		{"own, root", map[string]string{"MCPSF_CACHE": "/c/"}, 0, "/c"},
		{"none", nil, 1000, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := DefaultDir(func(name string) string { return tt.env[name] }, tt.uid)
			if got != tt.want || (err != nil) != (tt.want == "") {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

func TestOpenMakesIt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	c := openCache(t, dir)
	want := os.FileMode(0o700)
	if os.Getuid() == 0 {
		want = 0o755
	}
	kept, _ := mustTree(t, c, "key", sample)
	for path := filepath.Dir(kept); len(path) >= len(dir); path = filepath.Dir(path) {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v; want %v", path, info.Mode(), err, want)
		}
	}
	if tag, err := os.ReadFile(filepath.Join(dir, "CACHEDIR.TAG")); err != nil || !strings.HasPrefix(string(tag), "Signature: 8a477f597d28d172789f06886806bc55") {
		t.Errorf("the tag is %q, %v", tag, err)
	}
}

// Opening a missing cache does not create it.
func TestOpenLeavesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	c := openCache(t, dir)
	if _, _, ok := c.Get("key"); ok || c.Has("key") {
		t.Error("an absent cache holds something")
	}
	if entries, err := c.Entries(); err != nil || len(entries) > 0 {
		t.Errorf("entries %v, %v", entries, err)
	}
	if _, _, err := c.Clear(t.Context(), func(Entry) bool { return true }); err != nil {
		t.Error(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(filepath.Dir(dir)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the cache was made: %v", err)
	}
}

// The advisory database has a place in the cache, is not counted and not
// cleared, and does not make the directory count as foreign.
func TestAdvisoriesDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	c := openCache(t, dir)
	want := filepath.Join(dir, "advisories")
	if got := c.AdvisoriesDir(); got != want || c.dir.there() {
		t.Errorf("directory %s, want %s, and nothing made", got, want)
	}
	if got, err := c.MakeAdvisoriesDir(); err != nil || got != want {
		t.Fatalf("directory %s, %v, want %s", got, err, want)
	}
	file := filepath.Join(want, "npm.advisories")
	if err := os.WriteFile(file, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Clear(t.Context(), func(Entry) bool { return true }); err != nil {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(dir, "version")); err != nil { // as if the cache were made later
		t.Fatal(err)
	}
	if entries, err := openCache(t, dir).Entries(); err != nil || len(entries) > 0 {
		t.Errorf("entries %v, %v", entries, err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

// A directory that another process made between opening and first use is
// checked like one that existed before.
func TestMadeMeanwhile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	c := openCache(t, dir)
	if err := errors.Join(os.Mkdir(dir, 0o755), os.Chmod(dir, 0o777)); err != nil {
		t.Fatal(err)
	}
	_, _, _, err := c.Tree(t.Context(), "key", sample)
	var told *mcpsf.Error
	if !errors.As(err, &told) || told.Code != mcpsf.CodeUsage {
		t.Errorf("got %v, want a refusal", err)
	}
}

func TestOpenByMany(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			if err := opened(dir); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

func TestRefusedDirectories(t *testing.T) {
	for name, prepare := range map[string]func(dir string) error{
		"writable by others": func(d string) error { return errors.Join(os.Mkdir(d, 0o755), os.Chmod(d, 0o777)) },
		"a file":             func(d string) error { return os.WriteFile(d, nil, 0o600) },
		"a link":             func(d string) error { return errors.Join(os.Mkdir(d+"2", 0o700), os.Symlink(d+"2", d)) },
		"other content":      func(d string) error { return errors.Join(os.Mkdir(d, 0o700), os.Mkdir(d+"/Documents", 0o700)) },
		"another version": func(d string) error {
			return errors.Join(os.Mkdir(d, 0o700), os.WriteFile(d+"/version", []byte("999\n"), 0o600))
		},
		"entries are a link": func(d string) error {
			return errors.Join(os.Mkdir(d, 0o700), os.Mkdir(d+"2", 0o700), os.Symlink(d+"2", d+"/entries"))
		},
		"below a file": func(d string) error { return os.WriteFile(filepath.Dir(d), nil, 0o600) },
		"another owner": func(d string) error {
			return errors.Join(os.Mkdir(d, 0o700), os.Chown(d, os.Getuid()+1, -1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "another owner" && os.Getuid() != 0 {
				t.Skip("only root can give away a directory")
			}
			dir := filepath.Join(t.TempDir(), "a", "\x1b[31mcache\n")
			if name != "below a file" {
				if err := os.Mkdir(filepath.Dir(dir), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if err := prepare(dir); err != nil {
				t.Fatal(err)
			}
			wantLine(t, opened(dir), mcpsf.CodeUsage, "MCPSF_CACHE")
		})
	}
}

// opened opens a cache and creates it, as the first entry would.
func opened(dir string) error {
	c, err := Open(dir, nil)
	if err != nil {
		return err
	}
	return c.dir.ready()
}

// wantLine checks for an error of one line that says what to do.
func wantLine(t *testing.T, err error, code mcpsf.Code, want string) {
	t.Helper()
	if err == nil || mcpsf.ErrorCode(err) != code || !strings.Contains(err.Error(), want) || strings.ContainsAny(err.Error(), "\n\x1b") {
		t.Errorf("got %q of code %q, want %q and %q", fmt.Sprint(err), mcpsf.ErrorCode(err), code, want)
	}
}

func TestReadOnlyDirectory(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("nothing is read only for root; see TestAsOrdinaryUser")
	}
	parent := t.TempDir()
	if err := os.Chmod(parent, 0o500); err != nil {
		t.Fatal(err)
	}
	wantLine(t, opened(filepath.Join(parent, "cache")), mcpsf.CodeUsage, "MCPSF_CACHE")
	// A cache that becomes read-only later.
	c := newCache(t)
	if err := c.dir.ready(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{buildingDir, locksDir, entriesDir} {
		path := filepath.Join(c.Dir(), name)
		if err := os.Chmod(path, 0o500); err != nil {
			t.Fatal(err)
		}
		_, _, _, err := c.Tree(t.Context(), "key", sample)
		wantLine(t, err, mcpsf.CodeUsage, "MCPSF_CACHE")
		if err := os.Chmod(path, 0o700); err != nil {
			t.Fatal(err)
		}
		tidy(t, c)
	}
	mustTree(t, c, "key", sample)
}
