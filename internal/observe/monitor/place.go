package monitor

import (
	"context"
	"fmt"
	"sync"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// maxOffset is more bytes than any stream carries; a larger count is forged.
// no gap: a forged count, which is ignored
const maxOffset = 1 << 62

// conversation places the driver's messages among the kernel's records: each at
// the point where the server has read or written its last byte.
type conversation struct {
	attr  *attribution
	log   *eventLog
	folds *folds
	leaks *leakage

	streams  [4]stream
	observed uint64
	// ahead are events about calls whose requests no record has reached yet.
	ahead map[string][]func()

	turn   sync.Cond // the driver has consumed more, or the monitor closed
	closed bool
}

// stream is the state of one of the server's streams.
type stream struct {
	// queue are messages known to the driver whose bytes no record has reached
	// yet, in order of their offset.
	queue []queued
	// reached is the offset of the kernel's records, consumed that of the
	// driver.
	reached, consumed int64
	// before is the offset of the records before the last step.
	before int64
}

type queued struct {
	mcpsf.Message
	// index is the order of observation across all streams.
	index uint64
	// seen is when the driver reported it.
	seen int64
	// leaks are the leaks found in it.
	leaks []mcpsf.LeakDetail
	// opaque is what of it nobody can read.
	opaque *mcpsf.OpaqueDetail
	// digest is that of the whole body where it is cut.
	digest string
}

// Observe takes a message. The driver reports a message to the server before it
// writes the first byte, and one from the server before it reports its bytes as
// [Monitor.Consumed].
func (m *Monitor) Observe(msg mcpsf.Message) {
	m.leaks.give(&msg)
	leaks, unread := m.leaks.in(&msg), m.leaks.opaque(&msg)
	digest := digestOfCut(&msg)
	msg.Whole = nil
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.conv.closed && int(msg.Stream) < len(m.conv.streams) {
		m.conv.observe(queued{Message: msg, seen: m.now(), leaks: leaks, opaque: unread, digest: digest})
	}
}

// Consumed reports that the driver has read all bytes of the stream up to
// offset and reported every message that ends in them. At the end of a stream
// the driver passes the largest offset; otherwise a record of bytes it will
// never read would wait for ever.
func (m *Monitor) Consumed(s mcpsf.Stream, offset int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if int(s) < len(m.conv.streams) {
		m.conv.consume(s, offset)
	}
}

// observe places a message, or queues it until a record reaches it.
func (cv *conversation) observe(q queued) {
	q.index = cv.observed
	cv.observed++
	if q.Kind == mcpsf.MessageClose {
		cv.attr.timeline.closing = true
	}
	s := &cv.streams[q.Stream]
	if q.Offset > s.reached {
		s.queue = append(s.queue, q)
		return
	}
	cv.log.clock = q.seen
	cv.place(&q, nil)
}

func (cv *conversation) consume(s mcpsf.Stream, offset int64) {
	if st := &cv.streams[s]; offset > st.consumed {
		st.consumed = offset
		cv.turn.Broadcast()
	}
}

// stdio places the messages that a read or write of the server has reached.
func (cv *conversation) stdio(ctx context.Context, r *wire.Record) error {
	if int(r.Stream) >= len(cv.streams) || r.Total > maxOffset {
		return fmt.Errorf("monitor: record %d tells of stream %d at byte %d", r.Seq, r.Stream, r.Total)
	}
	s, total := mcpsf.Stream(r.Stream), offset(r.Total)
	if s == mcpsf.Stdin {
		cv.advance(s, total, r)
		// A read of zero bytes is the end of the stream only if the driver has
		// closed it: any program can request zero bytes.
		if r.N == 0 && r.Errno == 0 && cv.attr.timeline.closing {
			cv.attr.timeline.stop(r.Nanos)
		}
		return nil
	}
	var err error
	if s != mcpsf.Served { // these bytes come from several connections and are not in order
		err = cv.await(ctx, s, total)
	}
	cv.log.clock = r.Nanos
	cv.advance(s, total, r)
	return err
}

// await returns once the driver has consumed total bytes of s.
func (cv *conversation) await(ctx context.Context, s mcpsf.Stream, total int64) error {
	if cv.streams[s].consumed >= total {
		return nil
	}
	defer context.AfterFunc(ctx, func() {
		cv.turn.L.Lock()
		defer cv.turn.L.Unlock()
		cv.turn.Broadcast()
	})()
	for cv.streams[s].consumed < total {
		if cv.closed {
			return fmt.Errorf("monitor: closed before the driver had read byte %d of stream %d", total, s)
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("monitor: the driver has not read byte %d of stream %d: %w", total, s, err)
		}
		cv.turn.Wait()
	}
	return nil
}

// advance records that the server's side of s has reached offset and places the
// messages up to there.
func (cv *conversation) advance(s mcpsf.Stream, offset int64, r *wire.Record) {
	st := &cv.streams[s]
	if offset > st.reached {
		st.before, st.reached = st.reached, offset
		if s == mcpsf.Stdin {
			cv.attr.timeline.read = offset
		}
	}
	for len(st.queue) > 0 && st.queue[0].Offset <= st.reached {
		q := st.pop()
		if s == mcpsf.Stdin {
			cv.placeBefore(q.index)
		}
		cv.place(&q, r)
	}
}

// placeBefore places the messages that the driver had received before it sent
// the message with that index. The server wrote them before it can have read
// this message, but the record of the write may come later: a write is recorded
// when it returns, and another thread may read the next request before that.
func (cv *conversation) placeBefore(index uint64) {
	for {
		st := cv.oldest(mcpsf.Stdout, mcpsf.Stderr, mcpsf.Served)
		if st == nil || st.queue[0].index > index {
			return
		}
		q := st.pop()
		cv.place(&q, nil)
	}
}

// close places the remaining messages and releases waiting goroutines.
func (cv *conversation) close() {
	cv.placeRest()
	cv.catchUpAll()
	cv.closed = true
	cv.turn.Broadcast()
}

// placeRest places the messages that no record reached, in the order they were
// observed.
func (cv *conversation) placeRest() {
	for st := cv.oldest(mcpsf.Stdin, mcpsf.Stdout, mcpsf.Stderr, mcpsf.Served); st != nil; {
		q := st.pop()
		if q.Kind != mcpsf.MessageClose {
			cv.log.totals.Unplaced++
		}
		cv.place(&q, nil)
		st = cv.oldest(mcpsf.Stdin, mcpsf.Stdout, mcpsf.Stderr, mcpsf.Served)
	}
}

// oldest returns the stream whose next message was observed first, nil if none
// has any.
func (cv *conversation) oldest(streams ...mcpsf.Stream) *stream {
	var first *stream
	for _, s := range streams {
		st := &cv.streams[s]
		if len(st.queue) > 0 && (first == nil || st.queue[0].index < first.queue[0].index) {
			first = st
		}
	}
	return first
}

func (s *stream) pop() queued {
	q := s.queue[0]
	s.queue[0] = queued{} // frees the body
	s.queue = s.queue[1:]
	return q
}
