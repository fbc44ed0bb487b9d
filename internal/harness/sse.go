package harness

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// maxEventID is the longest event id that is remembered: it goes back in a
// header.
const maxEventID = 1 << 10

// event is one event of a stream of the server.
type event struct {
	name string
	data []byte // valid until the next call to the parser
	size int64  // bytes of the stream it took
	cut  bool   // data is only its beginning
}

// events cuts a text/event-stream into events. It keeps at most max bytes of
// one, and head of a longer one.
type events struct {
	max, head int
	emit      func(event)

	// What the stream said of itself so far: where to go on after it broke
	// off, and when to try.
	last  string
	retry time.Duration

	name  string
	data  []byte
	line  []byte
	lost  bool // the current line is too long and line is its beginning
	cut   bool
	some  bool // there was a data field, perhaps an empty one
	cr    bool // the byte before was a carriage return
	begun bool
	size  int64
}

// feed takes the next bytes of the stream.
func (e *events) feed(p []byte) {
	for len(p) > 0 {
		if e.cr && p[0] == '\n' {
			e.size++
			p = p[1:]
		}
		e.cr = false
		n := bytes.IndexAny(p, "\r\n")
		if n < 0 {
			e.add(p)
			return
		}
		e.add(p[:n])
		e.cr = p[n] == '\r'
		e.size++
		e.endLine()
		p = p[n+1:]
	}
}

func (e *events) add(p []byte) {
	e.size += int64(len(p))
	if !e.lost {
		e.line, e.lost = e.keep(e.line, p)
	}
}

// keep appends to what is kept, within the limit.
func (e *events) keep(to, p []byte) (kept []byte, cut bool) {
	if len(to)+len(p) <= e.max {
		return append(to, p...), false
	}
	// A new small buffer, so that the large one is not held for the rest.
	kept = append(make([]byte, 0, e.head), to[:min(len(to), e.head)]...)
	return append(kept, p[:min(len(p), e.head-len(kept))]...), true
}

func (e *events) endLine() {
	line := e.line
	if !e.begun {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
		e.begun = true
	}
	if len(line) == 0 {
		e.dispatch()
	} else {
		name, value, _ := bytes.Cut(line, []byte(":"))
		e.field(string(name[:min(len(name), maxField)]), bytes.TrimPrefix(value, []byte(" ")))
	}
	e.line, e.lost = e.line[:0], false
}

// maxField is longer than the name of any field.
const maxField = 16

func (e *events) field(name string, value []byte) {
	switch name {
	case "data":
		e.join(value)
	case "event":
		e.name, _ = clip(string(value), maxMethod)
	case "id":
		if id := string(value); fitsHeader(id) && !e.lost {
			e.last = id
		}
	case "retry":
		if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
			e.retry = time.Duration(ms) * time.Millisecond
		}
	}
}

func (e *events) join(value []byte) {
	if e.cut {
		return
	}
	if e.some {
		e.data, e.cut = e.keep(e.data, []byte("\n"))
	}
	e.some = true
	if !e.cut {
		e.data, e.cut = e.keep(e.data, value)
	}
	e.cut = e.cut || e.lost
}

func (e *events) dispatch() {
	if e.some {
		e.emit(event{name: e.name, data: e.data, size: e.size, cut: e.cut})
	}
	e.data = e.data[:0]
	if cap(e.data) > keepBuffer {
		e.data = nil
	}
	if cap(e.line) > keepBuffer {
		e.line = nil
	}
	e.name, e.some, e.cut, e.size = "", false, false, 0
}

// fitsHeader tells whether a value of the server's can go back in a header.
func fitsHeader(v string) bool {
	return len(v) <= maxEventID && strings.IndexFunc(v, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}
