package llmtest

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"
)

// sending is one answer while it is sent, with its fault.
type sending struct {
	h       *Handler
	w       http.ResponseWriter
	r       *http.Request
	request *Request
	answer  Answer
	fault   Fault
}

func (s *sending) send() {
	if s.answer.Fault == nil {
		s.fault.after = -2 // never
		s.reply()
		return
	}
	s.fault = *s.answer.Fault
	maps.Copy(s.w.Header(), s.fault.header)
	switch s.fault.kind {
	case refuse:
		writeJSON(s.w, s.fault.status, s.h.format.refuse(s.fault.status, s.fault.failure))
	case redirect:
		s.w.WriteHeader(s.fault.status)
	case page:
		s.w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(s.w, "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>data: {}</body></html>\n")
	case endless:
		s.forever(func() []byte { return s.encoded(s.h.format.more(s.request)) })
	case flood:
		s.forever(func() []byte { return bytes.Repeat([]byte("data: x"), 1000) })
	case nested:
		deep := strings.Repeat(`{"a":[`, 50_000) + strings.Repeat(`]}`, 50_000)
		s.stream([]frame{{"message_start", deep}})
	default:
		s.reply()
	}
}

// reply sends the answer, as a stream if requested.
func (s *sending) reply() {
	if s.request.Stream && !s.answer.Quirks.has(Whole) {
		s.stream(s.h.format.frames(s.request, s.answer))
		return
	}
	body := encode(s.h.format.whole(s.request, s.answer))
	s.w.Header().Set("Content-Type", "application/json")
	switch s.fault.kind {
	case hang:
		s.silence()
	case cut, end, garbage, within:
		s.w.Header().Set("Content-Length", "1000000")
		s.write(body[:len(body)/2])
		s.drop()
	case drip:
		s.dripping(body)
	default:
		_, _ = s.w.Write(body)
	}
}

func (s *sending) stream(frames []frame) {
	if s.fault.kind == hang && s.fault.after < 0 {
		s.silence()
		return
	}
	s.begin()
	for i, f := range frames {
		data := s.encoded(f)
		if i == s.fault.after && !s.strike(data) {
			return
		}
		if s.fault.kind == drip {
			s.dripping(data)
			continue
		}
		if s.answer.Quirks.has(Comments) {
			s.write([]byte(": keep-alive\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n"))
		}
		s.write(data)
	}
}

// strike causes the fault at its event; false if nothing follows.
func (s *sending) strike(next []byte) bool {
	switch s.fault.kind {
	case hang:
		s.silence()
	case cut:
		s.write(next[:len(next)/2])
		s.drop()
	case end:
	case garbage:
		s.write([]byte("data: {\"this is\": no JSON\n\n"))
		return true
	case within:
		failure := s.h.format.refuse(0, s.fault.failure)
		if s.request.Path == responsesPath {
			failure = responses{}.failure(s.fault.failure)
		}
		s.write(s.encoded(frame{"error", failure}))
	default:
		return true
	}
	return false
}

func (s *sending) begin() {
	s.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	s.w.Header().Set("Cache-Control", "no-cache")
	s.w.WriteHeader(http.StatusOK)
}

// forever writes until the client disconnects.
func (s *sending) forever(next func() []byte) {
	s.begin()
	for s.wanted() {
		s.write(next())
	}
}

func (s *sending) wanted() bool {
	select {
	case <-s.r.Context().Done():
		return false
	case <-s.h.stop:
		return false
	default:
		return true
	}
}

func (s *sending) silence() {
	if f, ok := s.w.(http.Flusher); ok && s.fault.after >= 0 {
		f.Flush()
	}
	select {
	case <-s.r.Context().Done():
	case <-s.h.stop:
	}
}

// drop breaks the connection.
func (s *sending) drop() {
	panic(http.ErrAbortHandler) // how net/http drops a connection
}

func (s *sending) dripping(data []byte) {
	for i := range data {
		if !s.wanted() {
			return
		}
		s.write(data[i : i+1])
		if s.fault.pause > 0 {
			time.Sleep(s.fault.pause)
		}
	}
}

func (s *sending) write(data []byte) {
	if _, err := s.w.Write(data); err != nil {
		return
	}
	if f, ok := s.w.(http.Flusher); ok {
		f.Flush()
	}
}

// encoded is an event on the wire.
func (s *sending) encoded(f frame) []byte {
	var b strings.Builder
	if f.name != "" && !s.answer.Quirks.has(NoNames) {
		b.WriteString("event: " + f.name + "\n")
	}
	b.WriteString("data: " + string(encode(f.data)) + "\n\n")
	if s.answer.Quirks.has(CRLF) {
		return []byte(strings.ReplaceAll(b.String(), "\n", "\r\n"))
	}
	return []byte(b.String())
}

// endlessText is repeated by an endless answer.
const endlessText = "and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on and so on "

// pieces splits a text like a model's tokens: a few letters at a time, never
// within a character.
func pieces(s string) []string {
	const letters = 6
	var all []string
	runes := []rune(s)
	for len(runes) > 0 {
		n := min(letters, len(runes))
		all = append(all, string(runes[:n]))
		runes = runes[n:]
	}
	return all
}
