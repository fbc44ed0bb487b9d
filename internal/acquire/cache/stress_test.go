package cache

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

// TestEverythingAtOnce has several caches in one directory, like several
// processes, which build, use, damage, clear and sweep the same few keys.
func TestEverythingAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	scratch := t.TempDir()
	var group sync.WaitGroup
	for worker := range 6 {
		c := openCache(t, dir)
		c.SetLimit(3 * block) // evicts most of the time
		group.Go(func() {
			for round := range 40 {
				key := strconv.Itoa((worker + round) % 3)
				if err := step(t.Context(), c, (worker+round)%6, key, filepath.Join(scratch, fmt.Sprint(worker, "-", round))); err != nil {
					t.Errorf("worker %d, round %d: %v", worker, round, err)
				}
			}
		})
	}
	group.Wait()
	c := openCache(t, dir)
	for _, key := range []string{"0", "1", "2"} {
		kept, _ := mustTree(t, c, key, keyed(key))
		if data, err := os.ReadFile(filepath.Join(kept, "file")); string(data) != key {
			t.Errorf("%s: read %q, %v", key, data, err)
		}
	}
	tidy(t, c)
}

func keyed(key string) func(context.Context, string) ([]byte, error) {
	return func(_ context.Context, dir string) ([]byte, error) {
		return []byte(key), os.WriteFile(filepath.Join(dir, "file"), []byte(key), 0o600)
	}
}

func step(ctx context.Context, c *Cache, what int, key, scratch string) error {
	switch what {
	case 0: // clear
		_, _, err := c.Clear(ctx, func(e Entry) bool { return e.Key == key })
		if _, ok := errors.AsType[*InUseError](err); ok {
			return nil
		}
		return err
	case 1: // sweep
		_, err := Open(c.Dir(), nil)
		return err
	case 2: // list and verify; some are damaged
		entries, err := c.Entries()
		for _, e := range entries {
			if verr := c.Verify(ctx, e); verr != nil && !damaged(verr) {
				err = errors.Join(err, verr)
			}
		}
		return err
	case 3: // put and get
		if err := os.WriteFile(scratch, []byte(key), 0o600); err != nil {
			return err
		}
		path, err := c.Put(key, scratch, nil)
		if err != nil {
			return err
		}
		defer c.Close()
		data, err := os.ReadFile(path)
		// Another cache may have put the same bytes under another name.
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if string(data) != key {
			return fmt.Errorf("the file has %q: %w", data, err)
		}
		return nil
	}
	dir, note, release, err := c.Tree(ctx, key, keyed(key))
	if err != nil {
		return err
	}
	defer release()
	data, err := os.ReadFile(filepath.Join(dir, "file"))
	// A damaged entry in use may be replaced, but never by another key's.
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil || string(note) != key || string(data) != key && string(data) != "x" {
		return fmt.Errorf("the tree has %q with note %q: %w", data, note, err)
	}
	if what == 5 {
		err := errors.Join(os.WriteFile(scratch, []byte("x"), 0o600), os.Rename(scratch, filepath.Join(dir, "file")))
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	}
	return nil
}
