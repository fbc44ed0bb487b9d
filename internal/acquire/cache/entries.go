package cache

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Entry describes what is kept for one key.
type Entry struct {
	// Key is "" if the entry is too broken to read it.
	Key  string
	Kind Kind
	// Bytes is its size on disk, Files the number of its files and links.
	Bytes int64
	Files int
	// Made and Used are the times of creation and last use.
	Made, Used time.Time
	// Broken says that the entry's manifest is unreadable. Its content is not
	// checked; see [Cache.Verify].
	Broken bool

	name string
}

// InUseError lists the entries that [Cache.Clear] kept because they are in use.
type InUseError struct{ Entries []Entry }

func (e *InUseError) Error() string {
	return fmt.Sprintf("%d cache entries are in use and were left", len(e.Entries))
}

// Has reports whether something is kept for key, without verifying it.
func (c *Cache) Has(key string) bool {
	for _, kind := range []Kind{KindTree, KindFile} {
		if _, err := os.Lstat(filepath.Join(c.dir.entry(nameOf(kind, key)), manifestName)); err == nil {
			return true
		}
	}
	return false
}

// Entries lists the entries, sorted by key. Entries that are being built are
// not listed.
func (c *Cache) Entries() ([]Entry, error) {
	list, err := os.ReadDir(filepath.Join(c.dir.path, entriesDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, unusable(c.dir.path, err)
	}
	var entries []Entry
	for _, e := range list {
		if entry, ok := c.entries.describe(e.Name()); ok {
			entries = append(entries, entry)
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.Key, b.Key), strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.name, b.name))
	})
	return entries, nil
}

func (s *entryStore) describe(name string) (e Entry, ok bool) {
	f, err := os.OpenFile(filepath.Join(s.dir.entry(name), manifestName), os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		_, err := os.Lstat(s.dir.entry(name))
		return Entry{name: name, Broken: true}, err == nil
	}
	defer f.Close()
	h, err := readHeader(f)
	if err != nil || nameOf(h.Kind, string(h.Key)) != name {
		return Entry{name: name, Broken: true}, true
	}
	e = Entry{name: name, Key: string(h.Key), Kind: h.Kind, Bytes: h.Bytes, Files: h.Files, Made: h.Made}
	if info, err := f.Stat(); err == nil {
		e.Used = info.ModTime()
	}
	return e, true
}

// Verify compares one entry with its manifest and returns what is wrong. It
// removes nothing: a damaged entry is removed when it is next needed. A missing
// entry is no error.
func (c *Cache) Verify(ctx context.Context, e Entry) error {
	f, err := openManifest(c.dir.entry(e.name), unix.LOCK_SH)
	if errors.Is(err, errAbsent) || errors.Is(err, errInUse) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	m, err := readManifest(f)
	if err != nil {
		return err
	}
	if nameOf(m.Kind, string(m.Key)) != e.name {
		return &damage{manifestName, "belongs to another key"}
	}
	return verify(c.dir.entry(e.name), m, c.dir.uid, ctx.Err)
}

// Clear removes the matching entries, and returns their number and size. Those
// in use stay and are listed in an [InUseError].
func (c *Cache) Clear(ctx context.Context, match func(Entry) bool) (removed int, bytes int64, err error) {
	entries, err := c.Entries()
	if err != nil {
		return 0, 0, err
	}
	var inUse []Entry
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return removed, bytes, err
		}
		if !match(e) {
			continue
		}
		err := c.entries.remove(e.name)
		switch {
		case err == nil:
			removed++
			bytes += e.Bytes
		case errors.Is(err, errInUse):
			inUse = append(inUse, e)
		case !errors.Is(err, errAbsent):
			return removed, bytes, err
		}
	}
	if len(inUse) > 0 {
		return removed, bytes, &InUseError{inUse}
	}
	return removed, bytes, nil
}

// trim removes the least recently used entries until the rest is within the
// limit. If another process is trimming, it does nothing.
func (c *Cache) trim() {
	lock, err := c.dir.lock("trim")
	if err != nil {
		return
	}
	defer lock.release()
	entries, err := c.Entries()
	if err != nil {
		return
	}
	var total int64
	for _, e := range entries {
		total += e.Bytes
	}
	limit := c.Limit()
	slices.SortStableFunc(entries, func(a, b Entry) int { return a.Used.Compare(b.Used) })
	for _, e := range entries {
		if total <= limit {
			return
		}
		err := c.entries.remove(e.name)
		switch {
		case err == nil:
			total -= e.Bytes
			c.logger.Debug("removed from the full cache", "key", e.Key, "bytes", e.Bytes)
		case !errors.Is(err, errInUse) && !errors.Is(err, errAbsent):
			c.logger.Warn("cannot remove from the full cache", "key", e.Key, "error", err)
		}
	}
}
