package cache

import (
	"log/slog"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// entryStore makes, verifies and removes the entries of a cache.
type entryStore struct {
	dir    *cacheDir
	logger *slog.Logger
	now    func() time.Time
}

// reuse verifies the entry called name and takes it into use. It fails with
// [errAbsent], with [errInUse] if a process is removing the entry, or with a
// damage.
func (s *entryStore) reuse(kind Kind, key, name string, stop func() error) (*handle, error) {
	if !s.dir.there() {
		return nil, errAbsent
	}
	err := s.dir.ready()
	if err != nil {
		return nil, err
	}
	h := &handle{dir: s.dir.entry(name)}
	if h.lock, err = openManifest(h.dir, unix.LOCK_SH); err != nil {
		return nil, err
	}
	h.m, err = readManifest(h.lock)
	if err == nil && (h.m.Kind != kind || string(h.m.Key) != key || kind == KindFile && !h.m.single()) {
		err = &damage{manifestName, "belongs to another key"}
	}
	if err == nil {
		err = verify(h.dir, h.m, s.dir.uid, stop)
	}
	if err != nil {
		h.close()
		return nil, err
	}
	now := s.now()
	_ = os.Chtimes(h.lock.Name(), now, now) // the time of last use; see Entries
	return h, nil
}

// renew is reuse for a caller that holds the lock of the name, so that it can
// move a damaged entry away. If it returns [errAbsent], no entry has that name.
func (s *entryStore) renew(kind Kind, key, name string, stop func() error) (*handle, error) {
	h, err := s.reuse(kind, key, name, stop)
	if !damaged(err) {
		return h, err
	}
	s.logger.Warn("a damaged cache entry is thrown away", "key", key, "damage", err)
	if err := s.discard(name); err != nil {
		return nil, err
	}
	return nil, errAbsent
}

// produce builds the entry called name, whose lock the caller holds. before is
// the existing entry or nil: it stays if fill produces the same content.
func (s *entryStore) produce(kind Kind, key, name string, before *handle, stop func() error, fill func(dir string) ([]byte, error)) (*handle, error) {
	b, err := s.newBuilding()
	if err != nil {
		return nil, err
	}
	done := false
	defer func() {
		if !done {
			s.abandon(b)
		}
	}()
	m, err := s.fill(b, stop, fill)
	if err != nil {
		return nil, s.dir.full(err)
	}
	m.Kind, m.Key, m.Made = kind, []byte(key), s.now().UTC()
	if before != nil {
		if before.m.same(m) {
			return before, nil
		}
		before.close()
		if err := s.discard(name); err != nil {
			return nil, err
		}
	}
	if err := s.finish(b, m, name); err != nil {
		return nil, s.dir.full(err)
	}
	done = true
	return &handle{dir: s.dir.entry(name), lock: b.manifest, m: m}, nil
}

func (s *entryStore) fill(b *building, stop func() error, fill func(dir string) ([]byte, error)) (*manifest, error) {
	note, err := fill(b.content())
	if err != nil {
		return nil, err
	}
	if len(note) > maxNote {
		return nil, refuse("what is to be kept with a cache entry is larger than %d bytes", maxNote)
	}
	m, err := newManifest(b.dir, s.dir.uid, stop)
	if err != nil {
		return nil, err
	}
	m.note = note
	return m, nil
}
