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
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/document"
)

// maxDepth is how deep the JSON of a request may nest.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxDepth = 16

// maxForm is how large a form without a file may be, in bytes.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxForm = 64 << 10

// bodyReader reads bodies of requests within limits of size and time.
type bodyReader struct {
	timeouts *timeouts
	// maxBody bounds JSON, and all fields of a form that are no file.
	maxBody int64
}

// json reads a JSON body into v.
func (b *bodyReader) json(w http.ResponseWriter, r *http.Request, v any) error {
	if err := requireType(r, "application/json"); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), b.timeouts.request)
	defer cancel()
	body, done := b.open(w, r.WithContext(ctx), b.maxBody)
	defer done()
	return decode(body, v)
}

// form reads a form without a file.
func (b *bodyReader) form(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	if err := requireType(r, "application/x-www-form-urlencoded"); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), b.timeouts.request)
	defer cancel()
	body, done := b.open(w, r.WithContext(ctx), maxForm)
	defer done()
	var text bytes.Buffer
	if _, err := text.ReadFrom(body); err != nil {
		return nil, incomplete(err)
	}
	fields, err := url.ParseQuery(text.String())
	if err != nil {
		return nil, badRequest("invalid form data")
	}
	return fields, nil
}

func requireType(r *http.Request, want string) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != want {
		return refuse(http.StatusUnsupportedMediaType, "content-type", "Content-Type must be %s", want)
	}
	return nil
}

// open returns a body of at most so many bytes. done has to be called before the
// answer is written.
func (b *bodyReader) open(w http.ResponseWriter, r *http.Request, most int64) (body *deadlineReader, done func()) {
	control := http.NewResponseController(w)
	return &deadlineReader{
			r: http.MaxBytesReader(w, r.Body, most), each: b.timeouts.read, stop: r.Context().Err,
			setDeadline: func(until time.Time) { _ = control.SetReadDeadline(until) }, // not every kind of connection has one
		}, func() {
			// It would end the connection while we answer.
			_ = control.SetReadDeadline(time.Time{})
		}
}

// deadlineReader bounds the wait for each read and, if wanted, the average rate.
type deadlineReader struct {
	r           io.Reader
	each        time.Duration
	setDeadline func(until time.Time)
	stop        func() error
	// minRate is how many bytes have to come in a second since begun, after the
	// time for one read; 0 is no minimum.
	minRate int64
	begun   time.Time
	read    int64
}

func (p *deadlineReader) Read(b []byte) (int, error) {
	if err := p.stop(); errors.Is(err, context.DeadlineExceeded) {
		return 0, os.ErrDeadlineExceeded // the client is too slow, not we
	} else if err != nil {
		return 0, err
	}
	until := time.Now().Add(p.each)
	if p.minRate > 0 {
		last := p.begun.Add(p.each + time.Duration(p.read/p.minRate)*time.Second)
		if time.Now().After(last) {
			return 0, os.ErrDeadlineExceeded
		}
		if last.Before(until) {
			until = last
		}
	}
	p.setDeadline(until)
	n, err := p.r.Read(b)
	p.read += int64(n)
	return n, err
}

// decode reads one JSON value and nothing else. Unknown fields are an error: a
// client that misspells an option must not believe that it is set.
func decode(r io.Reader, v any) error {
	var text bytes.Buffer
	if _, err := text.ReadFrom(r); err != nil {
		return fmt.Errorf("reading a request: %w", incomplete(err))
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
		return badRequest("unexpected data after the JSON value")
	}
	return nil
}

// incomplete reports a body that ended too early as an error of the client.
func incomplete(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return badRequest("the request body is incomplete")
	}
	return err
}

// mistake says in one line what is wrong with a JSON text.
func mistake(err error) string {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("%s cannot be a JSON %s", wrong.Field, wrong.Value)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "the JSON is incomplete"
	}
	return "invalid request: " + strings.TrimPrefix(err.Error(), "json: ")
}
