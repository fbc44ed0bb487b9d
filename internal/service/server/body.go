package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/document"
)

// maxDepth is how deep a request may nest.
const maxDepth = 16

func badRequest(format string, args ...any) *problem {
	return refuse(http.StatusBadRequest, "bad-request", format, args...)
}

// readJSON reads the body of a request into v.
func (s *Server) readJSON(w http.ResponseWriter, r *http.Request, v any) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return refuse(http.StatusUnsupportedMediaType, "content-type", "send application/json")
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.pace.answer)
	defer cancel()
	body, done := s.body(w, r.WithContext(ctx), s.o.Limits.Body)
	defer done()
	return decode(body, v)
}

// body is what a client sends, within a size and piece by piece in time.
func (s *Server) body(w http.ResponseWriter, r *http.Request, most int64) (body *patient, done func()) {
	control := http.NewResponseController(w)
	return &patient{
			r: http.MaxBytesReader(w, r.Body, most), each: s.pace.read, stop: r.Context().Err,
			wait: func(until time.Time) { _ = control.SetReadDeadline(until) }, // not every kind of connection has one
		}, func() {
			// It would end the connection while we answer.
			_ = control.SetReadDeadline(time.Time{})
		}
}

// patient waits for each piece, but not for ever.
type patient struct {
	r    io.Reader
	each time.Duration
	wait func(until time.Time)
	stop func() error
	// least are the bytes that have to come in a second since begun, after the
	// time for one piece; 0 does not look.
	least int64
	begun time.Time
	read  int64
}

func (p *patient) Read(b []byte) (int, error) {
	if err := p.stop(); errors.Is(err, context.DeadlineExceeded) {
		return 0, os.ErrDeadlineExceeded // the client's fault, not ours
	} else if err != nil {
		return 0, err
	}
	until := time.Now().Add(p.each)
	if p.least > 0 {
		last := p.begun.Add(p.each + time.Duration(p.read/p.least)*time.Second)
		if time.Now().After(last) {
			return 0, os.ErrDeadlineExceeded
		}
		if last.Before(until) {
			until = last
		}
	}
	p.wait(until)
	n, err := p.r.Read(b)
	p.read += int64(n)
	return n, err
}

// decode reads one JSON value and nothing else. What it does not know is a
// mistake: a client that misspells an option must not believe that it has it.
func decode(r io.Reader, v any) error {
	var text bytes.Buffer
	if _, err := text.ReadFrom(r); err != nil {
		return fmt.Errorf("reading a request: %w", cutOff(err))
	}
	if document.Depth(text.Bytes()) > maxDepth {
		return badRequest("the JSON is nested deeper than %d", maxDepth)
	}
	d := json.NewDecoder(&text)
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return badRequest("%s", mistake(err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return badRequest("there is something behind the JSON")
	}
	return nil
}

// cutOff makes of a body that ended too early the client's fault.
func cutOff(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return badRequest("the request is cut off")
	}
	return err
}

// mistake says what is wrong with a JSON text in one line.
func mistake(err error) string {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("%s cannot be a JSON %s", wrong.Field, wrong.Value)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "the JSON is cut off"
	}
	return "this is no request: " + strings.TrimPrefix(err.Error(), "json: ")
}
