package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/drive/sse"
)

// reading describes the stream of one API.
type reading struct {
	// last recognises the event that ends a reply.
	last func(name string, data []byte) bool
	// failed recognises an event that reports a failure.
	failed func(name string, data []byte) *told
	// named says that events have names, which the SDK needs.
	named bool
	// whole turns an answer that is no stream into events.
	whole func(data []byte) []byte
}

// events is a stream in the form that an SDK can read: one line of JSON for
// each event, no comments, nothing after the last event. It returns an error if
// the stream ends too early, reports a failure, or is too large.
type events struct {
	d      *doer
	in     io.Reader
	close  io.Closer
	parser sse.Parser
	out    bytes.Buffer
	left   int64
	whole  bool
	tail   bool // the stream has ended; the rest is no event
	err    error
	buf    [16 << 10]byte
}

func newEvents(d *doer, in *bufio.Reader, c io.Closer, whole bool) *events {
	e := &events{d: d, in: in, close: c, left: d.limits.stream, whole: whole}
	e.parser = sse.Parser{Max: d.limits.event, Head: 1, Emit: e.emit}
	return e
}

func (e *events) Read(p []byte) (int, error) {
	for e.out.Len() == 0 {
		if e.err != nil {
			return 0, e.err
		}
		if e.whole {
			e.readWhole()
		} else {
			e.fill()
		}
	}
	return e.out.Read(p)
}

func (e *events) Close() error { return e.close.Close() }

func (e *events) fill() {
	n, err := e.in.Read(e.buf[:])
	if e.left -= int64(n); e.left < 0 {
		e.err = failf(KindSize, "its reply is larger than %d bytes", e.d.limits.stream)
		return
	}
	e.parser.Feed(e.buf[:n])
	if err == nil || e.err != nil {
		return
	}
	if !errors.Is(err, io.EOF) {
		e.err = err
		return
	}
	e.tail = true
	e.parser.Feed([]byte("\n\n")) // some servers forget to end the last event
	if e.err == nil {
		e.err = failf(KindConnection, "its reply ended in the middle")
	}
}

// emit passes one event on.
func (e *events) emit(ev sse.Event) {
	data := bytes.TrimSpace(ev.Data)
	if e.err != nil || len(data) == 0 {
		return
	}
	if ev.Cut {
		e.err = failf(KindSize, "its reply has an event of more than %d bytes", e.d.limits.event)
		return
	}
	done := e.d.reading.last(ev.Name, data)
	if !done || data[0] == '{' {
		if e.check(ev.Name, data); e.err != nil {
			return
		}
	}
	if done {
		e.err = io.EOF
	}
	name := ev.Name
	if name == "" && e.d.reading.named {
		name = eventType(data)
	}
	// JSON has line breaks only between its tokens.
	e.write(name, bytes.ReplaceAll(data, []byte("\n"), []byte(" ")))
}

// check rejects what the SDK must not see.
func (e *events) check(name string, data []byte) {
	switch {
	case document.Depth(data) > e.d.limits.depth:
		e.err = failf(KindReply, "its reply nests too deep")
	case json.Valid(data):
		if t := e.d.reading.failed(name, data); t != nil {
			e.err = e.d.broken(t)
		}
	case e.tail:
		e.err = failf(KindConnection, "its reply ended in the middle")
	default:
		e.err = failf(KindReply, "its reply has an event that is no JSON, beginning %q", clean(string(data[:min(len(data), 60)])))
	}
}

func (e *events) write(name string, data []byte) {
	if name != "" && e.d.reading.named {
		e.out.WriteString("event: " + name + "\n")
	}
	e.out.WriteString("data: ")
	e.out.Write(data)
	e.out.WriteString("\n\n")
}

// readWhole reads answers of servers that do not stream although asked to.
func (e *events) readWhole() {
	data, err := readUpTo(e.in, int64(e.d.limits.event)+1)
	switch {
	case err != nil:
		e.err = err
		return
	case len(data) > e.d.limits.event:
		e.err = failf(KindSize, "its reply is larger than %d bytes", e.d.limits.event)
		return
	}
	if e.check("", data); e.err != nil {
		return
	}
	e.out.Write(e.d.reading.whole(bytes.ReplaceAll(data, []byte("\n"), []byte(" "))))
	e.err = io.EOF
}

// broken is a failure that a provider reports inside a reply.
func (d *doer) broken(t *told) *Error {
	kind := KindServer
	for _, word := range []string{t.Type, t.Code} {
		switch word {
		case "rate_limit_error", "rate_limit_exceeded", "insufficient_quota", "billing_error":
			kind = KindRate
		case "invalid_request_error", "BadRequestError", "invalid_prompt":
			kind = KindRefused
		case "authentication_error", "permission_error":
			kind = KindKey
		}
	}
	e := failf(kind, "it failed within its reply: %s", d.scrub(clean(t.Message)))
	e.said, e.param, e.final = t.Message, t.Param, t.broke()
	return e
}
