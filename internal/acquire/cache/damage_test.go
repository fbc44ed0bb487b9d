package cache

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tampering lists changes that others can make to an entry; dir is the entry's
// own directory.
func tampering() map[string]func(dir string) error {
	in := func(dir string, names ...string) string {
		return filepath.Join(append([]string{dir, contentName}, names...)...)
	}
	replace := func(path string, then func() error) error { return errors.Join(os.RemoveAll(path), then()) }
	return map[string]func(dir string) error{
		"other byte":  func(d string) error { return os.WriteFile(in(d, "lib", "a.js"), []byte("x"), 0o644) },
		"longer file": func(d string) error { return os.WriteFile(in(d, "lib", "a.js"), []byte("ab"), 0o644) },
		"empty file":  func(d string) error { return os.Truncate(in(d, "run"), 0) },
		"executable":  func(d string) error { return os.Chmod(in(d, "lib", "a.js"), 0o755) },
		"writable":    func(d string) error { return os.Chmod(in(d, "lib", "a.js"), 0o666) },
		"setuid":      func(d string) error { return os.Chmod(in(d, "run"), 0o755|os.ModeSetuid) },
		"not entered": func(d string) error { return os.Chmod(in(d, "lib"), 0o600) },
		"open to all": func(d string) error { return os.Chmod(in(d), 0o777) },
		"extra file":  func(d string) error { return os.WriteFile(in(d, "extra"), nil, 0o644) },
		"extra in an empty directory": func(d string) error {
			return os.WriteFile(in(d, "lib", "empty", "extra"), nil, 0o644)
		},
		"extra directory":   func(d string) error { return os.Mkdir(in(d, "lib", "extra"), 0o755) },
		"missing file":      func(d string) error { return os.Remove(in(d, "lib", "a.js")) },
		"missing link":      func(d string) error { return os.Remove(in(d, "link")) },
		"missing directory": func(d string) error { return os.Remove(in(d, "lib", "empty")) },
		"renamed":           func(d string) error { return os.Rename(in(d, "lib", "a.js"), in(d, "lib", "c.js")) },
		"link elsewhere": func(d string) error {
			return replace(in(d, "link"), func() error { return os.Symlink("lib/b.js", in(d, "link")) })
		},
		"file became a link": func(d string) error {
			return replace(in(d, "lib", "a.js"), func() error { return os.Symlink("../run", in(d, "lib", "a.js")) })
		},
		"link became the file": func(d string) error {
			return replace(in(d, "link"), func() error { return os.WriteFile(in(d, "link"), []byte("a"), 0o644) })
		},
		"directory became a link to its like": func(d string) error {
			return errors.Join(os.Rename(in(d, "lib"), filepath.Join(d, "lib")), os.Symlink("../lib", in(d, "lib")))
		},
		"file became a pipe": func(d string) error {
			return replace(in(d, "run"), func() error { return syscall.Mkfifo(in(d, "run"), 0o755) })
		},
		"file became a directory": func(d string) error {
			return replace(in(d, "run"), func() error { return os.Mkdir(in(d, "run"), 0o755) })
		},
		"content is gone": func(d string) error { return os.RemoveAll(in(d)) },
		"content became a link": func(d string) error {
			return errors.Join(os.Rename(in(d), filepath.Join(d, "real")), os.Symlink("real", in(d)))
		},
		"no manifest":    func(d string) error { return os.Remove(filepath.Join(d, manifestName)) },
		"empty manifest": func(d string) error { return os.Truncate(filepath.Join(d, manifestName), 0) },
		"cut manifest":   func(d string) error { return os.Truncate(filepath.Join(d, manifestName), 80) },
		"manifest is a directory": func(d string) error {
			path := filepath.Join(d, manifestName)
			return replace(path, func() error { return os.MkdirAll(filepath.Join(path, "x"), 0o755) })
		},
		"manifest is a pipe": func(d string) error {
			path := filepath.Join(d, manifestName)
			return replace(path, func() error { return syscall.Mkfifo(path, 0o600) })
		},
		"manifest is a link": func(d string) error {
			path := filepath.Join(d, manifestName)
			return errors.Join(os.Rename(path, path+"2"), os.Symlink(manifestName+"2", path))
		},
		"empty entry": func(d string) error {
			return replace(d, func() error { return os.Mkdir(d, 0o755) })
		},
		"entry is a file": func(d string) error {
			return replace(d, func() error { return os.WriteFile(d, nil, 0o644) })
		},
		"entry is a link": func(d string) error {
			elsewhere := filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(d))), "elsewhere")
			return errors.Join(os.Rename(d, elsewhere), os.Symlink(elsewhere, d))
		},
		"entry may not be entered": func(d string) error { return os.Chmod(d, 0) },
	}
}

func TestDamagedTreeIsBuiltAgain(t *testing.T) {
	for name, tamper := range tampering() {
		t.Run(name, func(t *testing.T) {
			if name == "entry may not be entered" && os.Getuid() == 0 {
				t.Skip("root may; see TestAsOrdinaryUser")
			}
			logger, log := capture()
			c := newCache(t)
			c.entries.logger = logger
			_, release := mustTree(t, c, "key", sample)
			release()
			before, _ := c.Entries()
			if err := tamper(c.dir.entry(nameOf(KindTree, "key"))); err != nil {
				t.Fatal(err)
			}
			if err := c.Verify(t.Context(), before[0]); !damaged(err) {
				t.Errorf("verified: %v, want damage", err)
			}
			built := 0
			dir, _ := mustTree(t, c, "key", func(ctx context.Context, dir string) ([]byte, error) {
				built++
				return sample(ctx, dir)
			})
			if built != 1 {
				t.Error("it was used as it is")
			}
			if diff := cmp.Diff(sampleListing(), listing(t, dir)); diff != "" {
				t.Errorf("rebuilt (-want +got):\n%s", diff)
			}
			if !strings.Contains(log.String(), "damaged") {
				t.Errorf("the log does not say so: %q", log)
			}
			if err := c.Verify(t.Context(), before[0]); err != nil {
				t.Error(err)
			}
			tidy(t, c)
		})
	}
}

func TestDamagedTreeCanBeCleared(t *testing.T) {
	for name, tamper := range tampering() {
		t.Run(name, func(t *testing.T) {
			c := newCache(t)
			_, release := mustTree(t, c, "key", sample)
			release()
			if err := tamper(c.dir.entry(nameOf(KindTree, "key"))); err != nil {
				t.Fatal(err)
			}
			if _, _, err := c.Clear(t.Context(), func(Entry) bool { return true }); err != nil {
				t.Error(err)
			}
			if name == "entry is a link" {
				elsewhere := filepath.Join(filepath.Dir(c.Dir()), "elsewhere", contentName)
				if diff := cmp.Diff(sampleListing(), listing(t, elsewhere)); diff != "" {
					t.Errorf("what the link led to was touched (-want +got):\n%s", diff)
				}
			}
			if left, err := c.Entries(); err != nil || len(left) != 0 {
				t.Errorf("left %v, %v", left, err)
			}
			tidy(t, c)
		})
	}
}

// TestDamagedWhileInUse has a damaged tree that a process has mounted: it is
// moved away, but its files stay until that process releases it.
func TestDamagedWhileInUse(t *testing.T) {
	c := newCache(t)
	dir, release := mustTree(t, c, "key", sample)
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := os.WriteFile(filepath.Join(dir, "lib", "a.js"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	mustTree(t, c, "key", sample)
	if _, err := root.Stat("run"); err != nil {
		t.Errorf("its files were removed under its user: %v", err)
	}
	openCache(t, c.Dir())
	if _, err := root.Stat("run"); err != nil {
		t.Errorf("its files were swept under its user: %v", err)
	}
	release()
	tidy(t, openCache(t, c.Dir()))
}
