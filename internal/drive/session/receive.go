package session

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
)

// What can be wrong with a message, in the words of the report.
const (
	noteUTF8      = "sent text that is not valid UTF-8"
	noteNoTag     = "left out the jsonrpc field"
	noteWrongTag  = "sent a wrong jsonrpc version"
	noteNotRPC    = "wrote JSON that is not JSON-RPC to stdout"
	noteBatch     = "sent a batch, which the protocol does not allow"
	noteInexactID = "echoed a request id with another type"
	noteNoID      = "answered without a request id"
	noteUnknownID = "answered a request that was not made"
	noteTwice     = "answered a request twice"
	noteLate      = "answered after the timeout"
	noteLongID    = "used an oversized request id"
)

// Bounds of what is copied from a message beside its body.
const (
	maxID     = 256
	maxMethod = 256
)

// receive takes one frame of the server's output. It returns after the tap
// was told of every message in it.
func (s *session) receive(f frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case f.cut:
		s.oversized(f)
	case !f.message:
		s.junk(f.data, f.end, f.size, false)
	case f.data[0] == '[':
		s.batch(f)
	default:
		s.message(f.data, f.end, f.size)
	}
}

// batch takes the messages of an array one by one, each with its own offset.
func (s *session) batch(f frame) {
	if s.out.Protocol != batchVersion {
		s.noteLocked(noteBatch)
	}
	last, n := int64(0), 0
	_, all := elements(f.data, int(s.opts.MaxMessages), func(e json.RawMessage, end int64) {
		n++
		at := f.end // of a body that may be packed it is not known better
		if s.stream != mcpsf.Served {
			at += end - f.size
		}
		if isObject(e) {
			s.message(e, at, end-last)
		} else {
			s.noteLocked(noteNotRPC)
			s.junk(e, at, end-last, false)
		}
		last = end
	})
	if n == 0 || !all {
		s.junk(f.data[last:], f.end, f.size-last, false)
	}
}

func (s *session) message(data []byte, end, size int64) {
	if !utf8.Valid(data) {
		s.noteLocked(noteUTF8)
		data = bytes.ToValidUTF8(data, []byte("\ufffd"))
	}
	var e envelope
	if json.Unmarshal(data, &e) != nil || e.kind() == mcpsf.MessageJunk {
		s.noteLocked(noteNotRPC)
		s.junk(data, end, size, false)
		return
	}
	switch {
	case e.Version == nil:
		s.noteLocked(noteNoTag)
	case string(e.Version) != `"2.0"`:
		s.noteLocked(noteWrongTag)
	}
	m := s.inbound(&e, end, size)
	if m.Kind == mcpsf.MessageResponse {
		s.response(&e, m, "")
		return
	}
	method, _ := asString(e.Method)
	m.Method, _ = clip(method, maxMethod)
	m.Whole = e.Params
	m.Body, m.Truncated = body(e.Params, s.opts.MaxBody)
	if x := s.reported(m.Method, e.Params); x != nil {
		m.Call, m.Tool = x.call, x.tool
	}
	s.tap.observe(m)
	if m.Kind == mcpsf.MessageNotification && strings.HasSuffix(m.Method, "/list_changed") && len(s.news) < maxIrregularities {
		s.news[m.Method] = true
	}
	if m.Kind == mcpsf.MessageRequest {
		s.serve(m, e.Params)
	}
}

// inbound fills in what all messages of the server have in common.
func (s *session) inbound(e *envelope, end, size int64) mcpsf.Message {
	m := mcpsf.Message{
		Stream: s.stream, Offset: end, Size: size, Kind: e.kind(), Phase: s.phase, ID: e.ID,
	}
	if len(m.ID) > maxID {
		s.noteLocked(noteLongID)
		m.ID = nil
	}
	return m
}

// response matches an answer with its request. A second, late or unknown
// answer is observed like any other; it just changes nothing.
func (s *session) response(e *envelope, m mcpsf.Message, garbled string) {
	x := s.match(e)
	m.Failed = e.failed() || saysError(e.Result)
	content := e.Result
	if e.failed() {
		content = e.Error
	}
	if garbled == "" {
		m.Whole = content
		m.Body, m.Truncated = body(content, s.opts.MaxBody)
	}
	if x != nil {
		m.Call, m.Method, m.Tool = x.call, x.method, x.tool
		m.Seconds = time.Since(x.sent).Seconds()
		m.Attack = shownIn(x.attack, content)
	}
	s.tap.observe(m)
	if x == nil {
		return
	}
	switch x.state {
	case answered:
		s.noteLocked(noteTwice)
	case expired:
		s.noteLocked(noteLate)
	case waiting:
		x.state = answered
		a := answer{result: e.Result, garbled: garbled}
		if e.failed() || garbled != "" {
			a.result, a.failure = nil, e.Error
		}
		x.answer <- a
	}
}

// match finds the request an answer belongs to, nil if there is none.
func (s *session) match(e *envelope) *exchange {
	if !e.hasID() {
		s.noteLocked(noteNoID)
		if s.odd != nil && s.odd.state == waiting && e.failed() {
			return s.odd
		}
		// Requests are made one at a time: an error that names none can only
		// be about the one that waits.
		if n := len(s.exchanges); n > 0 && e.failed() && s.exchanges[n-1].state == waiting {
			return s.exchanges[n-1]
		}
		return nil
	}
	id, exact, ok := e.number()
	if !ok || id < 1 || id > int64(len(s.exchanges)) {
		s.noteLocked(noteUnknownID)
		return nil
	}
	if !exact {
		s.noteLocked(noteInexactID)
	}
	return s.exchanges[id-1]
}

// oversized takes the beginning of a message that was not read whole. If that
// says which request it answers, the request need not wait for its timeout.
func (s *session) oversized(f frame) {
	e := peek(f.data)
	if e.kind() != mcpsf.MessageResponse {
		s.junk(f.data, f.end, f.size, true)
		return
	}
	m := s.inbound(&e, f.end, f.size)
	m.Whole = f.data
	m.Body, _ = text(f.data, s.opts.MaxBody)
	m.Truncated = true
	s.response(&e, m, noteCut)
}

// junk tells of output that is no message; cut says data is not all of it.
func (s *session) junk(data []byte, end, size int64, cut bool) {
	m := mcpsf.Message{
		Stream: s.stream, Offset: end, Size: size, Kind: mcpsf.MessageJunk, Phase: s.phase,
	}
	m.Whole = data
	m.Body, m.Truncated = text(bytes.TrimRight(data, "\r\n"), s.opts.MaxBody)
	m.Truncated = m.Truncated || cut
	s.tap.observe(m)
}

// saysError reports whether a tool's result is marked as an error.
func saysError(result json.RawMessage) bool {
	var r struct {
		IsError json.RawMessage `json:"isError"`
	}
	return isObject(result) && json.Unmarshal(result, &r) == nil && isTrue(r.IsError)
}
