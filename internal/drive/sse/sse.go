// Package sse splits streams of server-sent events into events. The bytes of a
// hostile server come in as they arrive; events of bounded size go out.
package sse

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// maxEventID is the longest event id that is kept: it is sent back in a header.
// no gap: what is longer is malformed output, which is an event
const maxEventID = 1 << 10

// maxName is the longest event name, keepBuffer the largest buffer kept between
// events.
// no gap: what is longer is malformed output, which is an event
const maxName, keepBuffer = 256, 1 << 20

// Event is one event of a stream.
type Event struct {
	Name string
	Data []byte // valid until Emit returns
	Size int64  // bytes it took in the stream
	Cut  bool   // Data is only its beginning
}

// Parser splits a text/event-stream into events. It keeps at most Max bytes of
// one, and Head of a longer one.
type Parser struct {
	Max, Head int
	Emit      func(Event)

	// Last event id and retry delay from the stream: where and when to resume
	// after it broke off.
	Last  string
	Retry time.Duration

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

// Feed takes the next bytes of the stream.
func (e *Parser) Feed(p []byte) {
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

func (e *Parser) add(p []byte) {
	e.size += int64(len(p))
	if !e.lost {
		e.line, e.lost = e.keep(e.line, p)
	}
}

// keep appends p within the limit.
func (e *Parser) keep(to, p []byte) (kept []byte, cut bool) {
	if len(to)+len(p) <= e.Max {
		return append(to, p...), false
	}
	// A new small buffer, so that the large one is not held for the rest.
	kept = append(make([]byte, 0, e.Head), to[:min(len(to), e.Head)]...)
	return append(kept, p[:min(len(p), e.Head-len(kept))]...), true
}

func (e *Parser) endLine() {
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

// maxField is longer than any field name.
// no gap: what is longer is malformed output, which is an event
const maxField = 16

func (e *Parser) field(name string, value []byte) {
	switch name {
	case "data":
		e.join(value)
	case "event":
		e.name = strings.ToValidUTF8(string(value[:min(len(value), maxName)]), "")
	case "id":
		if id := string(value); FitsHeader(id) && !e.lost {
			e.Last = id
		}
	case "retry":
		if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
			e.Retry = time.Duration(ms) * time.Millisecond
		}
	}
}

func (e *Parser) join(value []byte) {
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

func (e *Parser) dispatch() {
	if e.some {
		e.Emit(Event{Name: e.name, Data: e.data, Size: e.size, Cut: e.cut})
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

// FitsHeader reports whether a server's value can be sent in a header.
func FitsHeader(v string) bool {
	return len(v) <= maxEventID && strings.IndexFunc(v, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}
