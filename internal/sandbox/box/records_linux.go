package box

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// records is the orchestrator's side of the ring in shared memory. The ring is
// unmapped once the box has stopped and nothing reads it any more.
type records struct {
	ring *os.File
	// handled is the position up to which records were handled.
	handled atomic.Uint64

	mu      sync.Mutex   // guards the fields below
	reader  *wire.Reader // nil once unmapped
	reading bool         // each is running
	stopped bool
	totals  wire.Totals // once the ring is unmapped
}

// newRecords makes the ring. fill writes the payload for the kernel's side.
func newRecords(fill func(io.Writer) error) (*records, error) {
	ring, err := wire.NewRing(fill)
	if err != nil {
		return nil, err
	}
	reader, err := wire.NewReader(ring)
	if err != nil {
		return nil, errors.Join(err, ring.Close())
	}
	return &records{ring: ring, reader: reader}, nil
}

// size returns how much memory the ring takes, including the initial files of
// the sandbox.
func (rs *records) size() int64 {
	info, err := rs.ring.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// hello waits for the observer's first record. Without the observer gVisor
// would run the target unwatched and only log a warning.
func (rs *records) hello(ctx context.Context) error {
	const patience = 10 * time.Second
	for deadline := time.Now().Add(patience); time.Now().Before(deadline) && ctx.Err() == nil; {
		if rs.reader.Totals().Committed > 0 {
			return nil
		}
		rs.reader.Wait()
	}
	return errors.New("the observer in the sandbox's kernel did not start")
}

// each passes every record to fn in order and returns when the sandbox is gone
// and the ring is empty.
func (rs *records) each(ctx context.Context, gone <-chan struct{}, fn func(*wire.Record) error) error {
	if !rs.beginReading() {
		return errors.New("the sandbox was stopped before its records were read")
	}
	defer rs.endReading()
	for {
		over := isClosed(gone)
		r, err := rs.reader.Next()
		switch {
		case err != nil:
			return err
		case r != nil:
			if r.Op == wire.OpStart {
				_ = wire.DropPayload(rs.ring) // the payload is unpacked by now
			}
			if err := fn(r); err != nil {
				return err
			}
			rs.handled.Store(rs.reader.Taken())
		case over:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		default:
			rs.reader.Wait()
		}
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func (rs *records) beginReading() bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.stopped {
		return false
	}
	rs.reading = true
	return true
}

func (rs *records) endReading() {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.reading = false
	rs.unmap()
}

// stop unmaps the ring as soon as each has returned.
func (rs *records) stop() {
	_ = rs.ring.Close()
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.stopped = true
	rs.unmap()
}

// unmap unmaps the ring once it is unused; the caller holds mu.
func (rs *records) unmap() {
	if rs.reader == nil || rs.reading || !rs.stopped {
		return
	}
	rs.totals = rs.reader.Totals()
	_ = rs.reader.Close()
	rs.reader = nil
}

// with calls fn with the ring's reader, unless it was unmapped.
func (rs *records) with(fn func(*wire.Reader)) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.reader != nil {
		fn(rs.reader)
	}
}

func (rs *records) count() wire.Totals {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.reader == nil {
		return rs.totals
	}
	return rs.reader.Totals()
}

// settled reports whether everything recorded so far was handled.
func (rs *records) settled() bool {
	settled := true
	rs.with(func(r *wire.Reader) { settled = rs.handled.Load() >= r.Written() })
	return settled
}

func (rs *records) stdinWritten(bytes int) {
	rs.with(func(r *wire.Reader) { r.StdinWritten(bytes) })
}
