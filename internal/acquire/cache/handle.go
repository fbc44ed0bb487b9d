package cache

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// handle is an entry in use.
type handle struct {
	dir  string
	lock *os.File // the manifest, locked
	m    *manifest
}

func (h *handle) content() string { return filepath.Join(h.dir, contentName) }

// close ends the use. Both a nil handle and a second call are fine.
func (h *handle) close() {
	if h != nil {
		_ = h.lock.Close()
	}
}

// reuse takes the entry called name into use after it has verified it. It
// fails with [errAbsent], with [errInUse] if somebody is removing the entry,
// or with a damage.
func (c *Cache) reuse(kind Kind, key, name string, stop func() error) (*handle, error) {
	if !c.there() {
		return nil, errAbsent
	}
	err := c.ready()
	if err != nil {
		return nil, err
	}
	h := &handle{dir: c.entry(name)}
	if h.lock, err = openManifest(h.dir, unix.LOCK_SH); err != nil {
		return nil, err
	}
	h.m, err = readManifest(h.lock)
	if err == nil && (h.m.Kind != kind || string(h.m.Key) != key || kind == KindFile && !h.m.single()) {
		err = &damage{manifestName, "belongs to another key"}
	}
	if err == nil {
		err = c.verify(h.dir, h.m, stop)
	}
	if err != nil {
		h.close()
		return nil, err
	}
	now := c.now()
	_ = os.Chtimes(h.lock.Name(), now, now) // when it was used last; see Entries
	return h, nil
}

// renew is reuse for somebody who holds the lock of the name and can take a
// damaged entry out of the way. Afterwards, if it says [errAbsent], there is
// nothing under that name.
func (c *Cache) renew(kind Kind, key, name string, stop func() error) (*handle, error) {
	h, err := c.reuse(kind, key, name, stop)
	if !damaged(err) {
		return h, err
	}
	c.logger.Warn("a damaged cache entry is thrown away", "key", key, "damage", err)
	if err := c.discard(name); err != nil {
		return nil, err
	}
	return nil, errAbsent
}

// produce makes the entry called name, whose lock the caller holds. before is
// what is there now, nil for nothing: it stays if fill comes to the same.
func (c *Cache) produce(kind Kind, key, name string, before *handle, stop func() error, fill func(dir string) ([]byte, error)) (*handle, error) {
	b, err := c.newBuilding()
	if err != nil {
		return nil, err
	}
	done := false
	defer func() {
		if !done {
			c.abandon(b)
		}
	}()
	m, err := c.fill(b, stop, fill)
	if err != nil {
		return nil, c.full(err)
	}
	m.Kind, m.Key, m.Made = kind, []byte(key), c.now().UTC()
	if before != nil {
		if before.m.same(m) {
			return before, nil
		}
		before.close()
		if err := c.discard(name); err != nil {
			return nil, err
		}
	}
	if err := c.finish(b, m, name); err != nil {
		return nil, c.full(err)
	}
	done = true
	return &handle{dir: c.entry(name), lock: b.manifest, m: m}, nil
}

func (c *Cache) fill(b *building, stop func() error, fill func(dir string) ([]byte, error)) (*manifest, error) {
	note, err := fill(b.content())
	if err != nil {
		return nil, err
	}
	if len(note) > maxNote {
		return nil, refuse("what is to be kept with a cache entry is larger than %d bytes", maxNote)
	}
	m, err := c.seal(b.dir, stop)
	if err != nil {
		return nil, err
	}
	m.note = note
	return m, nil
}

// settled reports whether err is an answer rather than a reason to look again
// or to build.
func settled(err error) bool {
	return !errors.Is(err, errAbsent) && !errors.Is(err, errInUse) && !damaged(err)
}
