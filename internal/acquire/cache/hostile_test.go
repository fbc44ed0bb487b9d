package cache

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// hostile fills a directory with what only an attacker creates.
func hostile(_ context.Context, dir string) ([]byte, error) {
	in := func(name string) string { return dir + "/" + name }
	long := strings.Repeat("n", 255)
	err := errors.Join(
		os.WriteFile(in("a\nb"), []byte("1"), 0o600),
		os.WriteFile(in("\x1b]0;owned\x07"), []byte("2"), 0o600),
		os.WriteFile(in("\xff\xfe"), []byte("3"), 0o600),
		os.WriteFile(in("\u202e"), []byte("4"), 0o600),
		os.WriteFile(in(long), []byte("5"), 0o600),
		os.WriteFile(in("-rf"), []byte("6"), 0o600),
		os.WriteFile(in("!"), []byte("7"), 0o600),
		os.WriteFile(in("..."), []byte("8"), 0o600),
		os.WriteFile(in("secret"), []byte("9"), 0o600),
		os.WriteFile(in("setuid"), []byte("10"), 0o600),
		os.Symlink("../../../../../../etc", in("up")),
		os.Symlink(".", in("self")),
		os.Symlink("loop", in("loop")),
		os.Symlink(strings.Repeat("x/", 2000), in("far")),
		os.Symlink("a\n\xff", in("odd")),
		os.MkdirAll(in("\xffdir/\ninner"), 0o700),
		os.WriteFile(in("\xffdir/\ninner/f"), []byte("11"), 0o600),
		os.MkdirAll(in(strings.Repeat("d/", 100)), 0o700),
		os.Mkdir(in("wide"), 0o700),
	)
	for i := range 700 { // more than one chunk
		err = errors.Join(err, os.WriteFile(in("wide/"+strconv.Itoa(i)), nil, 0o600))
	}
	return nil, errors.Join(err,
		os.Chmod(in("setuid"), 0o755|os.ModeSetuid|os.ModeSetgid),
		os.Chmod(in("secret"), 0),
		os.Chmod(in("wide"), 0o777|os.ModeSticky),
		os.Chmod(in("\xffdir/\ninner"), 0),
		os.Chmod(in("\xffdir"), 0o111),
	)
}

func TestHostileTree(t *testing.T) {
	c := newCache(t)
	// After a failed build, all of that has to be removed.
	failure := errors.New("no")
	_, _, _, err := c.Tree(t.Context(), "key", func(ctx context.Context, dir string) ([]byte, error) {
		_, err := hostile(ctx, dir)
		return nil, errors.Join(failure, err, os.Chmod(dir, 0))
	})
	if !errors.Is(err, failure) {
		t.Fatal(err)
	}
	tidy(t, c)
	dir, release := mustTree(t, c, "key", hostile)
	got := listing(t, dir)
	for name, want := range map[string]string{
		"secret": "-rw-r--r-- 9", "setuid": "-rwxr-xr-x 10", "wide": "drwxr-xr-x", "\xffdir": "drwxr-xr-x",
		"\xffdir/\ninner": "drwxr-xr-x", "\xffdir/\ninner/f": "-rw-r--r-- 11", "odd": "Lrwxrwxrwx a\n\xff", "!": "-rw-r--r-- 7",
	} {
		if got[name] != want {
			t.Errorf("%q is %q, want %q", name, got[name], want)
		}
	}
	again, other := mustTree(t, c, "key", noBuild)
	if diff := cmp.Diff(got, listing(t, again)); diff != "" {
		t.Errorf("reused (-want +got):\n%s", diff)
	}
	if err := os.WriteFile(dir+"/\xffdir/\ninner/f", []byte("1x"), 0o600); err != nil {
		t.Fatal(err)
	}
	entries, _ := c.Entries()
	if err := c.Verify(t.Context(), entries[0]); !damaged(err) || strings.Contains(err.Error(), "\n") || !utf8.ValidString(err.Error()) {
		t.Errorf("verified: %q, want damage in one clean line", err)
	}
	release()
	other()
	if removed, _, err := c.Clear(t.Context(), func(Entry) bool { return true }); removed != 1 || err != nil {
		t.Errorf("removed %d, %v", removed, err)
	}
	tidy(t, c)
}

func TestRefusedTrees(t *testing.T) {
	for name, build := range map[string]func(dir string) error{
		"pipe":   func(d string) error { return syscall.Mkfifo(d+"/x\n", 0o600) },
		"device": func(d string) error { return unix.Mknod(d+"/x", unix.S_IFCHR|0o600, 0) },
		"deep": func(d string) error {
			return os.MkdirAll(d+"/"+strings.Repeat("d/", maxDepth+1), 0o700)
		},
		"link in place of the directory": func(d string) error {
			return errors.Join(os.Remove(d), os.Symlink("/etc", d))
		},
		"nothing in place of the directory": os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			c := newCache(t)
			_, _, _, err := c.Tree(t.Context(), "key", func(_ context.Context, dir string) ([]byte, error) { return nil, build(dir) })
			if err == nil || strings.ContainsAny(err.Error(), "\n") {
				t.Errorf("got %v, want one line", err)
			}
			if c.Has("key") {
				t.Error("it was kept")
			}
			tidy(t, c)
		})
	}
}

// TestForeignOwner has files with foreign owners, as in images that root
// unpacks: their owner on this machine could change them.
func TestForeignOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give away files")
	}
	c := newCache(t)
	dir, _ := mustTree(t, c, "key", func(ctx context.Context, dir string) ([]byte, error) {
		_, err := sample(ctx, dir)
		return nil, errors.Join(err, os.Chown(dir+"/run", 1000, 1000), os.Chmod(dir+"/run", 0o755|os.ModeSetuid),
			os.Chown(dir, 1000, 1000), os.Lchown(dir+"/link", 1000, 1000))
	})
	for _, name := range []string{".", "run", "link"} {
		info, err := os.Lstat(filepath.Join(dir, name))
		if err != nil || info.Sys().(*syscall.Stat_t).Uid != 0 || info.Mode()&os.ModeSetuid != 0 {
			t.Errorf("%s is %v, %v", name, info, err)
		}
	}
	if err := os.Chown(filepath.Join(dir, "run"), 1000, -1); err != nil {
		t.Fatal(err)
	}
	entries, _ := c.Entries()
	if err := c.Verify(t.Context(), entries[0]); !damaged(err) {
		t.Errorf("verified: %v, want damage", err)
	}
}
