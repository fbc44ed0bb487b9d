package host

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

// stream is one request on an HTTP/2 connection.
type stream struct {
	m      *multi
	id     uint32
	r      *request
	window int64 // bytes that may still be sent

	a       *services.Answer // nil until the request is complete
	pending []byte           // the rest of the answer's body
}

// sliceWriter collects a header block.
type sliceWriter []byte

func (w *sliceWriter) Write(p []byte) (int, error) {
	*w = append(*w, p...)
	return len(p), nil
}

// headers handles the frame that begins a request or ends it.
func (m *multi) headers(f *http2.HeadersFrame) error {
	id, last := f.StreamID, f.StreamEnded()
	fields, broken := m.fields(f)
	if st := m.streams[id]; st != nil && st.a == nil {
		return st.trailers(fields, last, broken)
	}
	r := requestOf(fields)
	m.web.locate(r)
	m.web.began(r)
	m.web.requests++
	st := &stream{m: m, id: id, r: r, window: m.initial}
	switch {
	case broken != nil:
		m.web.ended(r, nil)
		return broken
	case id%2 == 0 || id <= m.lastID || r.Method == "":
		m.web.ended(r, nil)
		return http2.ConnectionError(http2.ErrCodeProtocol)
	}
	m.lastID = id
	if len(m.streams) >= maxStreams || m.leaving {
		m.web.ended(r, nil)
		m.reset(id, http2.ErrCodeRefusedStream)
		return nil
	}
	m.streams[id] = st
	r.body = m.web.receive(r)
	if last {
		return st.finish()
	}
	if r.HasToken("Expect", "100-continue") {
		return m.writeHeaders(id, 100, nil, false)
	}
	return nil
}

// fields reads a header block, which may continue in further frames. With an
// error it returns the fields read so far. Those beyond the limit of a request
// are reported and not kept.
func (m *multi) fields(f *http2.HeadersFrame) (fields []services.Field, err error) {
	total, tooMany := 0, false
	m.decoder.SetEmitEnabled(true)
	m.decoder.SetEmitFunc(func(h hpack.HeaderField) {
		if total += int(h.Size()); total > maxHead {
			tooMany = true
			if total > maxHeadRead {
				m.decoder.SetEmitEnabled(false)
				return
			}
			m.web.sent("header "+h.Name, []byte(h.Value))
			return
		}
		fields = append(fields, services.Field{Name: h.Name, Value: h.Value})
	})
	fragment, ended, raw := f.HeaderBlockFragment(), f.HeadersEnded(), 0
	for {
		raw += len(fragment)
		if _, err := m.decoder.Write(fragment); err != nil {
			return fields, http2.ConnectionError(http2.ErrCodeCompression)
		}
		if max(raw, total) > maxHeadRead {
			m.web.unread()
			return fields, http2.ConnectionError(http2.ErrCodeEnhanceYourCalm)
		}
		if ended {
			break
		}
		m.idle++
		next, err := m.framer.ReadFrame()
		if err != nil {
			return fields, err
		}
		c, ok := next.(*http2.ContinuationFrame)
		if !ok || m.idle > maxIdle {
			return fields, http2.ConnectionError(http2.ErrCodeProtocol)
		}
		fragment, ended = c.HeaderBlockFragment(), c.HeadersEnded()
	}
	if m.decoder.Close() != nil {
		return fields, http2.ConnectionError(http2.ErrCodeCompression)
	}
	if tooMany {
		return fields, http2.ConnectionError(http2.ErrCodeEnhanceYourCalm)
	}
	return fields, nil
}

func requestOf(fields []services.Field) *request {
	r := &request{Request: services.Request{Version: "2"}}
	for _, f := range fields {
		switch f.Name {
		case ":method":
			r.Method = f.Value
		case ":path":
			r.Target = f.Value
		case ":authority":
			r.Host = f.Value
		case ":scheme":
		default:
			r.Fields = append(r.Fields, f)
		}
	}
	return r
}

func (st *stream) trailers(fields []services.Field, last bool, broken error) error {
	for _, f := range fields {
		st.m.web.sent("header "+f.Name, []byte(f.Value))
	}
	st.r.Fields = append(st.r.Fields, fields...)
	if broken != nil {
		return broken
	}
	if !last {
		return http2.ConnectionError(http2.ErrCodeProtocol)
	}
	return st.finish()
}

// data handles a part of a body.
func (m *multi) data(f *http2.DataFrame) error {
	p := f.Data()
	if len(p) == 0 && !f.StreamEnded() {
		m.idle++
	}
	if f.Length > 0 {
		if err := m.framer.WriteWindowUpdate(0, f.Length); err != nil {
			return err
		}
	}
	st := m.streams[f.StreamID]
	if st == nil || st.a != nil { // the stream has ended
		m.idle++
		m.web.sent("", p)
		return nil
	}
	switch ok := st.r.body.take(p); {
	case !ok:
		st.r.body.end()
		if err := st.respond(services.Page(http.StatusRequestEntityTooLarge)); err != nil {
			return err
		}
		delete(m.streams, st.id)
		return m.framer.WriteRSTStream(st.id, http2.ErrCodeNo)
	case f.StreamEnded():
		return st.finish()
	case f.Length > 0:
		return m.framer.WriteWindowUpdate(st.id, f.Length)
	}
	return nil
}

// finish answers a complete request.
func (st *stream) finish() error {
	st.r.body.end()
	return st.respond(st.m.web.answer(st.r))
}

func (st *stream) respond(a *services.Answer) error {
	w := st.m.web
	st.a = w.finish(st.r, a)
	w.ended(st.r, st.a)
	st.pending = st.a.Body
	empty := len(st.pending) == 0 && len(a.Trailers) == 0
	if err := st.m.writeHeaders(st.id, a.Status, a.Fields, empty); err != nil {
		return err
	}
	if empty {
		delete(st.m.streams, st.id)
		return nil
	}
	return st.push()
}

// push sends as much of the answer as the windows allow.
func (st *stream) push() error {
	m := st.m
	if st.a == nil {
		return nil
	}
	for len(st.pending) > 0 {
		n := min(ourFrame, st.window, m.window, int64(len(st.pending)))
		if n <= 0 {
			return nil
		}
		last := int(n) == len(st.pending) && len(st.a.Trailers) == 0
		if err := m.framer.WriteData(st.id, last, st.pending[:n]); err != nil {
			return err
		}
		st.window -= n
		m.window -= n
		st.pending = st.pending[n:]
	}
	delete(m.streams, st.id)
	if len(st.a.Trailers) > 0 {
		return m.writeHeaders(st.id, 0, st.a.Trailers, true)
	}
	return nil
}

// drop ends a stream without an answer.
func (st *stream) drop() {
	delete(st.m.streams, st.id)
	if st.a == nil {
		st.r.body.end()
		st.m.web.ended(st.r, nil)
	}
}

// writeHeaders sends a header block; without a status it sends trailers.
func (m *multi) writeHeaders(id uint32, status int, fields []services.Field, last bool) error {
	m.block = m.block[:0]
	var errs []error
	if status > 0 {
		errs = append(errs, m.encoder.WriteField(hpack.HeaderField{Name: ":status", Value: strconv.Itoa(status)}))
	}
	for _, f := range fields {
		errs = append(errs, m.encoder.WriteField(hpack.HeaderField{Name: strings.ToLower(f.Name), Value: f.Value}))
	}
	return errors.Join(append(errs, m.framer.WriteHeaders(http2.HeadersFrameParam{
		StreamID: id, BlockFragment: m.block, EndHeaders: true, EndStream: last,
	}))...)
}
