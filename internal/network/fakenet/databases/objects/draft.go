package objects

import "sync"

// Draft is a body while it arrives. Its bytes count as those of the store from the
// beginning, so that many bodies at once need no more than many objects. All methods
// work on a nil draft, which keeps nothing. It is safe for concurrent use.
type Draft struct {
	store *Store

	mu     sync.Mutex
	data   []byte
	held   int // bytes that count in the store
	full   bool
	broken bool
	ended  bool
}

// Draft begins a body.
func (s *Store) Draft() *Draft { return &Draft{store: s} }

// Write implements [io.Writer]. It never fails: what has no room is left out, and the
// body can then not be stored.
func (d *Draft) Write(p []byte) (int, error) {
	if d == nil {
		return len(p), nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.full || d.ended {
		return len(p), nil
	}
	if !d.store.hold(len(p)) {
		d.full = true
		d.drop()
		return len(p), nil
	}
	d.held += len(p)
	d.data = append(d.data, p...)
	return len(p), nil
}

// Break records that the body is not as its client announced it.
func (d *Draft) Break() {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.broken = true
}

// Body returns what arrived. It is an error if that is not all.
func (d *Draft) Body() ([]byte, error) {
	if d == nil {
		return nil, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.full:
		return nil, ErrEntityTooLarge
	case d.broken:
		return nil, ErrIncompleteBody
	}
	return d.data, nil
}

// Narrow makes something else the body, which is not longer.
func (d *Draft) Narrow(part []byte) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.full && !d.ended {
		d.data = part
	}
}

// claim takes the bytes out of the draft, and how many of the store's they are.
func (d *Draft) claim() (data []byte, held int, err error) {
	if data, err = d.Body(); d == nil || err != nil {
		return nil, 0, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	held = d.held
	d.data, d.held, d.ended = nil, 0, true
	return data, held, nil
}

// Discard ends the draft. What was stored meanwhile stays.
func (d *Draft) Discard() {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drop()
	d.ended = true
}

func (d *Draft) drop() {
	d.store.release(d.held)
	d.data, d.held = nil, 0
}

func (s *Store) hold(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bytes+n > maxBytes {
		return false
	}
	s.bytes += n
	return true
}

func (s *Store) release(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes -= n
}
