package transport

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/mcpsf/mcpsf"
)

// Meter is a [Tap] that enforces the output limits before another: it bounds a
// server's output in bytes and in messages. Reaching a limit is reported, so
// nothing is lost silently.
type Meter struct {
	tap                   Tap
	maxBytes, maxMessages int64

	bytes, messages [4]atomic.Int64 // by stream
	errors          ErrorLog

	trip sync.Once
	full chan struct{} // closed when a limit was reached
	why  string        // set before full is closed
}

// NewMeter returns a meter in front of a tap.
func NewMeter(tap Tap, limits *Limits) *Meter {
	return &Meter{
		tap: tap, maxBytes: limits.MaxOutput, maxMessages: limits.MaxMessages,
		full: make(chan struct{}),
	}
}

// Changed passes on a change of the server's description.
func (m *Meter) Changed(call string, d mcpsf.ChangeDetail) { m.tap.Changed(call, d) }

// Observe passes the message on unless the server has reached a limit. Our own
// messages always pass.
func (m *Meter) Observe(msg mcpsf.Message) {
	n := m.messages[msg.Stream].Add(1)
	if msg.Stream != mcpsf.Stdin && n > m.maxMessages {
		m.reach(m.maxMessages, n, fmt.Sprintf("more than %d messages on %s", m.maxMessages, streamName(msg.Stream)))
		return
	}
	if msg.Kind == mcpsf.MessageStderr {
		m.errors.add(msg.Whole)
	}
	m.tap.Observe(msg)
}

// Errors are the last lines of standard error.
func (m *Meter) Errors() *ErrorLog { return &m.errors }

// admit counts n bytes and returns how many of them are within the limit.
func (m *Meter) admit(stream mcpsf.Stream, n int) int {
	total := m.bytes[stream].Add(int64(n))
	over := total - m.maxBytes
	if over <= 0 {
		return n
	}
	m.reach(m.maxBytes, total, fmt.Sprintf("more than %d bytes on %s", m.maxBytes, streamName(stream)))
	return int(max(0, int64(n)-over))
}

func (m *Meter) reach(limit, value int64, why string) {
	m.trip.Do(func() {
		m.tap.Limit(mcpsf.LimitDetail{Name: mcpsf.LimitOutput, Limit: limit, Value: value, Action: "killed"})
		m.why = why
		close(m.full)
	})
}

// Full is closed when a limit was reached.
func (m *Meter) Full() <-chan struct{} { return m.full }

func (m *Meter) reached() bool { return Closed(m.full) }

func (m *Meter) consumed(stream mcpsf.Stream, offset int64) { m.tap.Consumed(stream, offset) }

func streamName(s mcpsf.Stream) string {
	return [...]string{"stdin", "stdout", "stderr", "its connections"}[s]
}
