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
//
// With a writer the log keeps what a reader of the file will get: a path that is
// not UTF-8, half a surrogate pair and a body that is too long for a line are
// judged as they are written, or whoever judges the file again would come to
// another result.
func (l *Log) Append(e mcpsf.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.writer != nil && l.err == nil {
		e, l.err = l.writer.write(e)
	}
	l.events = append(l.events, e)
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
