package cache

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/mcpsf/mcpsf"
)

// mounted is a small file system.
func mounted(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skip("cannot mount a small file system:", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

func TestFullDisk(t *testing.T) {
	c := openCache(t, filepath.Join(mounted(t, "size=1m"), "cache"))
	_, _, _, err := c.Tree(t.Context(), "key", func(_ context.Context, dir string) ([]byte, error) {
		return nil, os.WriteFile(filepath.Join(dir, "big"), make([]byte, 2<<20), 0o600)
	})
	wantLine(t, err, mcpsf.CodeUnavailable, "mcpsf cache clear")
	// The disk is full when the manifest is written.
	_, _, _, err = c.Tree(t.Context(), "key", func(_ context.Context, dir string) ([]byte, error) {
		for i := 0; ; i++ {
			if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), make([]byte, 4096), 0o600); err != nil {
				return make([]byte, 64<<10), nil
			}
		}
	})
	wantLine(t, err, mcpsf.CodeUnavailable, "mcpsf cache clear")
	from := filepath.Join(t.TempDir(), "big")
	if err := os.WriteFile(from, make([]byte, 2<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = c.Put("key", from, nil)
	wantLine(t, err, mcpsf.CodeUnavailable, "mcpsf cache clear")
	if _, err := os.Stat(from); err != nil {
		t.Errorf("the file that was not kept is gone: %v", err)
	}
	if entries, err := c.Entries(); len(entries) != 0 || err != nil {
		t.Errorf("half an entry stayed: %v, %v", entries, err)
	}
	tidy(t, c)
	// A full cache can be used and cleared.
	_, release := mustTree(t, c, "key", sample)
	_ = os.WriteFile(filepath.Join(filepath.Dir(c.Dir()), "rest"), make([]byte, 2<<20), 0o600)
	release()
	_, release = mustTree(t, openCache(t, c.Dir()), "key", noBuild)
	release()
	if removed, _, err := c.Clear(t.Context(), func(Entry) bool { return true }); removed != 1 || err != nil {
		t.Errorf("removed %d from the full disk, %v", removed, err)
	}
}

func TestReadOnlyFileSystem(t *testing.T) {
	base := mounted(t, "size=1m")
	c := openCache(t, filepath.Join(base, "cache"))
	if err := unix.Mount("", base, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skip("cannot remount:", err)
	}
	_, _, _, err := c.Tree(t.Context(), "key", sample)
	wantLine(t, err, mcpsf.CodeUsage, "MCPSF_CACHE")
	wantLine(t, opened(filepath.Join(base, "other")), mcpsf.CodeUsage, "MCPSF_CACHE")
}
