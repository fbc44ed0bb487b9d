package monitor

import (
	"context"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// maxOffset is more bytes than any stream carries; a larger count is a lie.
const maxOffset = 1 << 62

// stream holds what is known of one of the server's streams.
type stream struct {
	// queue are messages seen by the harness whose bytes no record has
	// reached yet, in order of their offset.
	queue []queued
	// reached is how far the kernel's records have come, consumed how far
	// the harness has.
	reached, consumed int64
	// before is how far they had come before the last that went on.
	before int64
}

type queued struct {
	mcpsf.Message
	// index is the order of observation over all streams.
	index uint64
	// seen is when the harness told of it.
	seen int64
	// leaks are what was found in it.
	leaks []mcpsf.LeakDetail
}

// Observe takes a message. The harness tells of a message to the server before
// it writes the first byte, and of one from the server before it tells of its
// bytes as [Monitor.Consumed].
func (m *Monitor) Observe(msg mcpsf.Message) {
	m.give(&msg)
	leaks := m.leaksIn(&msg)
	msg.Whole = nil
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed || int(msg.Stream) >= len(m.streams) {
		return
	}
	q := queued{Message: msg, index: m.observed, seen: m.opts.Now(), leaks: leaks}
	m.observed++
	if msg.Kind == mcpsf.MessageClose {
		m.timeline.closing = true
	}
	s := &m.streams[msg.Stream]
	if msg.Offset > s.reached {
		s.queue = append(s.queue, q)
		return
	}
	m.clock = q.seen
	m.place(&q, nil)
}

// Consumed says that the harness has taken in all bytes of the stream up to
// offset and told of every message that ends in them. At the end of a stream
// the harness says so with the largest offset there is, or a record of bytes
// it will never read would wait for ever.
func (m *Monitor) Consumed(s mcpsf.Stream, offset int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if int(s) >= len(m.streams) {
		return
	}
	if st := &m.streams[s]; offset > st.consumed {
		st.consumed = offset
		m.turn.Broadcast()
	}
}

// stdio places the messages that a read or write of the server has reached.
func (m *Monitor) stdio(ctx context.Context, r *wire.Record) error {
	if int(r.Stream) >= len(m.streams) || r.Total > maxOffset {
		return fmt.Errorf("monitor: record %d tells of stream %d at byte %d", r.Seq, r.Stream, r.Total)
	}
	s, total := mcpsf.Stream(r.Stream), offset(r.Total)
	if s == mcpsf.Stdin {
		m.reach(s, total, r)
		// A read of no bytes is the end only if the harness has ended it:
		// anybody can ask for zero bytes.
		if r.N == 0 && r.Errno == 0 && m.timeline.closing {
			m.timeline.stop(r.Nanos)
		}
		return nil
	}
	var err error
	if s != mcpsf.Served { // those bytes are of several connections, not read in order
		err = m.await(ctx, s, total)
	}
	m.clock = r.Nanos
	m.reach(s, total, r)
	return err
}

// await returns once the harness has consumed total bytes of s.
func (m *Monitor) await(ctx context.Context, s mcpsf.Stream, total int64) error {
	if m.streams[s].consumed >= total {
		return nil
	}
	defer context.AfterFunc(ctx, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.turn.Broadcast()
	})()
	for m.streams[s].consumed < total {
		if m.closed {
			return fmt.Errorf("monitor: closed before the harness had read byte %d of stream %d", total, s)
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("monitor: the harness has not read byte %d of stream %d: %w", total, s, err)
		}
		m.turn.Wait()
	}
	return nil
}

// reach notes that the server's side of s has come to offset and places the
// messages up to there.
func (m *Monitor) reach(s mcpsf.Stream, offset int64, r *wire.Record) {
	st := &m.streams[s]
	if offset > st.reached {
		st.before, st.reached = st.reached, offset
	}
	for len(st.queue) > 0 && st.queue[0].Offset <= st.reached {
		q := st.pop()
		if s == mcpsf.Stdin {
			m.placeBefore(q.index)
		}
		m.place(&q, r)
	}
}

// placeBefore places what the harness had from the server before it sent the
// message with that index. Those bytes were written before this message can
// have been read, although the record of the write may come later: a write is
// told when it returns, and the answer to it can be read first by another
// thread.
func (m *Monitor) placeBefore(index uint64) {
	for {
		st := m.oldest(mcpsf.Stdout, mcpsf.Stderr, mcpsf.Served)
		if st == nil || st.queue[0].index > index {
			return
		}
		q := st.pop()
		m.place(&q, nil)
	}
}

// placeRest places what no record reached, in the order it was observed.
func (m *Monitor) placeRest() {
	for st := m.oldest(mcpsf.Stdin, mcpsf.Stdout, mcpsf.Stderr, mcpsf.Served); st != nil; {
		q := st.pop()
		if q.Kind != mcpsf.MessageClose {
			m.totals.Unplaced++
		}
		m.place(&q, nil)
		st = m.oldest(mcpsf.Stdin, mcpsf.Stdout, mcpsf.Stderr, mcpsf.Served)
	}
}

// oldest returns the stream whose next message was observed first, nil if none
// has any.
func (m *Monitor) oldest(streams ...mcpsf.Stream) *stream {
	var first *stream
	for _, s := range streams {
		st := &m.streams[s]
		if len(st.queue) > 0 && (first == nil || st.queue[0].index < first.queue[0].index) {
			first = st
		}
	}
	return first
}

func (s *stream) pop() queued {
	q := s.queue[0]
	s.queue[0] = queued{} // let go of the body
	s.queue = s.queue[1:]
	return q
}
