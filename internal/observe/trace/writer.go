package trace

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Writer writes events as JSON Lines. It is not safe for concurrent use.
type Writer struct {
	out  *bufio.Writer
	line []byte
	last int64
	err  error
}

// Create returns a writer that appends to w. It buffers: call [Writer.Close].
func Create(w io.Writer) *Writer {
	return &Writer{out: bufio.NewWriterSize(w, 1<<16)}
}

// Write appends an event, whose number must follow the last one. After an error
// every further call returns the same error: a trace with a gap must not look
// complete.
//
// A message too large for a line loses its body and is marked as truncated.
func (t *Writer) Write(e mcpsf.Event) error {
	if t.err == nil {
		t.err = t.append(e)
	}
	return t.err
}

// write does the same and returns the event as it will be read.
func (t *Writer) write(e mcpsf.Event) (mcpsf.Event, error) {
	if err := t.Write(e); err != nil {
		return e, err
	}
	var back mcpsf.Event
	if err := json.Unmarshal(t.line, &back); err != nil {
		t.err = fmt.Errorf("writing the trace: event %d cannot be read: %w", e.Seq, err)
		return e, t.err
	}
	return back, nil
}

// Close flushes the buffer. It does not close the underlying writer.
func (t *Writer) Close() error {
	if t.err != nil {
		return t.err
	}
	if err := t.out.Flush(); err != nil {
		t.err = fmt.Errorf("writing the trace: %w", err)
	}
	return t.err
}

func (t *Writer) append(e mcpsf.Event) error {
	if e.Seq != t.last+1 {
		return fmt.Errorf("writing the trace: event %d after event %d", e.Seq, t.last)
	}
	if err := t.encode(&e); err != nil {
		return err
	}
	if len(t.line) > MaxLine && e.MCP != nil {
		short := *e.MCP
		short.ID, short.Body, short.Truncated = nil, nil, true
		e.MCP = &short
		if err := t.encode(&e); err != nil {
			return err
		}
	}
	if len(t.line) > MaxLine {
		return fmt.Errorf("writing the trace: event %d has %d bytes, more than a line may have", e.Seq, len(t.line))
	}
	if _, err := t.out.Write(t.line); err != nil {
		return fmt.Errorf("writing the trace: %w", err)
	}
	t.last = e.Seq
	return nil
}

// encode makes the line of an event. It is ASCII: people look at a trace in a
// terminal, and bodies have what the server sent.
func (t *Writer) encode(e *mcpsf.Event) (err error) {
	if t.line, err = safetext.JSONLine(e); err != nil {
		return fmt.Errorf("encoding event %d: %w", e.Seq, err)
	}
	return nil
}
