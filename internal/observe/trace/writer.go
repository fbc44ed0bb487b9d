package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/mcpsf/mcpsf"
)

// Writer writes events as JSON Lines. It is not safe for concurrent use.
type Writer struct {
	out  *bufio.Writer
	line bytes.Buffer
	enc  *json.Encoder
	last int64
	err  error
}

// Create returns a writer that appends to w. It buffers: call [Writer.Close].
func Create(w io.Writer) *Writer {
	t := &Writer{out: bufio.NewWriterSize(w, 1<<16)}
	t.enc = json.NewEncoder(&t.line)
	t.enc.SetEscapeHTML(false) // the code that displays it escapes it
	return t
}

// Write appends an event, whose number must follow the last one. After an error
// every further call returns the same error: a trace with a gap must not look
// complete.
//
// A message too large for a line loses its body and is marked as truncated.
func (t *Writer) Write(e mcpsf.Event) error {
	if t.err == nil {
		t.err = t.write(e)
	}
	return t.err
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

func (t *Writer) write(e mcpsf.Event) error {
	if e.Seq != t.last+1 {
		return fmt.Errorf("writing the trace: event %d after event %d", e.Seq, t.last)
	}
	if err := t.encode(&e); err != nil {
		return err
	}
	if t.line.Len() > MaxLine && e.MCP != nil {
		short := *e.MCP
		short.ID, short.Body, short.Truncated = nil, nil, true
		e.MCP = &short
		if err := t.encode(&e); err != nil {
			return err
		}
	}
	if t.line.Len() > MaxLine {
		return fmt.Errorf("writing the trace: event %d has %d bytes, more than a line may have", e.Seq, t.line.Len())
	}
	if _, err := t.out.Write(t.line.Bytes()); err != nil {
		return fmt.Errorf("writing the trace: %w", err)
	}
	t.last = e.Seq
	return nil
}

func (t *Writer) encode(e *mcpsf.Event) error {
	t.line.Reset()
	if err := t.enc.Encode(e); err != nil {
		return fmt.Errorf("encoding event %d: %w", e.Seq, err)
	}
	return nil
}
