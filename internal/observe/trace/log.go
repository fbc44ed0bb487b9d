package trace

import (
	"slices"
	"sync"

	"github.com/mcpsf/mcpsf"
)

// Log keeps the events of a run in memory for the rules while a [Writer] puts
// them on disk. It is safe for concurrent use; the caller of Append keeps the
// order.
type Log struct {
	mu     sync.Mutex
	writer *Writer
	events []mcpsf.Event
	err    error
}

// NewLog returns an empty log that also writes to w, which may be nil.
func NewLog(w *Writer) *Log { return &Log{writer: w} }

// Append adds an event. It cannot return an error; [Log.Close] reports whether
// everything was written.
func (l *Log) Append(e mcpsf.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
	if l.writer != nil && l.err == nil {
		l.err = l.writer.Write(e)
	}
}

// Events returns the events so far. The caller must not change the values they
// point to.
func (l *Log) Events() []mcpsf.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clip(l.events)
}

// Close flushes the buffer and returns the first error of the writer. The
// events stay in memory.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.writer == nil || l.err != nil {
		return l.err
	}
	l.err = l.writer.Close()
	return l.err
}
