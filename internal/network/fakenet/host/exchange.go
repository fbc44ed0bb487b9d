package host

import (
	"bufio"
	"io"
	"maps"
	"net/http"
	"slices"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

// Exchange is a request that a real host answers. Its methods are safe for
// concurrent use.
type Exchange struct {
	e      *Observer
	r      *request
	from   *http.Request
	answer *intake
	status int
	size   int64
	ended  bool
}

// Request reports the head of a request. End must be called.
func (e *Observer) Request(from *http.Request) *Exchange {
	r := &request{Request: services.Request{
		Method: from.Method, Target: from.RequestURI, Host: from.Host, Version: "1.1", Fields: fieldsOf(from.Header),
	}}
	switch {
	case from.ProtoMajor == 2:
		r.Version = "2"
	case from.ProtoMinor == 0:
		r.Version = "1.0"
	}
	if from.ProtoMajor < 2 && from.Host != "" {
		r.Fields = append([]services.Field{{Name: "Host", Value: from.Host}}, r.Fields...)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.web.locate(r)
	e.web.began(r)
	e.web.requests++
	r.Upgrade = isSocket(r)
	r.body = e.web.newIntake(r.encodings())
	return &Exchange{e: e, r: r, from: from}
}

// Enough says that the connection must not carry more requests.
func (e *Observer) Enough() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.web.requests >= maxRequests
}

// IsSocket says that the client asked for a WebSocket.
func (x *Exchange) IsSocket() bool { return x.r.Upgrade }

// Domain is the requested host without its port.
func (x *Exchange) Domain() string { return x.r.Domain() }

// Sent adds bytes to the request's body, as sent. It returns false if the body
// is too large.
func (x *Exchange) Sent(p []byte) bool {
	x.e.mu.Lock()
	defer x.e.mu.Unlock()
	return !x.ended && x.r.body.take(p)
}

// Trailers reports the headers after the body, once the body has ended.
func (x *Exchange) Trailers() {
	x.e.mu.Lock()
	defer x.e.mu.Unlock()
	if x.ended {
		return
	}
	for _, f := range fieldsOf(x.from.Trailer) {
		x.r.Fields = append(x.r.Fields, f)
		x.e.web.sent("header "+f.Name, []byte(f.Value))
	}
}

// Answered records the status and headers of the answer.
func (x *Exchange) Answered(status int, header http.Header) {
	x.e.mu.Lock()
	defer x.e.mu.Unlock()
	x.status = status
	if x.answer == nil {
		quiet := &web{session: &session{h: x.e.web.h, v: &Visit{}}}
		x.answer = quiet.newIntake(encodingsOf(header.Values("Content-Encoding")...))
	}
}

// Received adds bytes to the body of the answer.
func (x *Exchange) Received(p []byte) {
	x.e.mu.Lock()
	defer x.e.mu.Unlock()
	x.size += int64(len(p))
	if x.answer != nil && !x.ended && len(x.answer.kept) < keptInEvent {
		x.answer.take(p)
	}
}

// End reports the request and its answer.
func (x *Exchange) End() {
	x.e.mu.Lock()
	defer x.e.mu.Unlock()
	if x.ended {
		return
	}
	x.ended = true
	x.r.body.end()
	var a *services.Answer
	if x.answer != nil {
		x.answer.end()
		a = &services.Answer{Status: x.status, Shown: x.answer.kept}
	}
	w := &web{session: &session{h: x.e.web.h, v: &Visit{Tell: func(o Observation) {
		if o.HTTP != nil {
			o.HTTP.AnswerSize = x.size // only the beginning of the body is kept
		}
		x.e.web.tell(o)
	}}}}
	w.ended(x.r, a)
	x.e.web.cut = x.e.web.cut || w.cut
}

// Cut says that the client sent more than was reported.
func (e *Observer) Cut() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.web.cut
}

// fieldsOf sorts headers, so that their order is always the same.
func fieldsOf(h http.Header) []services.Field {
	var list []services.Field
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			list = append(list, services.Field{Name: name, Value: value})
		}
	}
	return list
}

// Frames receives what a client sends over a WebSocket and reports its
// messages. It must be closed.
func (e *Observer) Frames() io.WriteCloser {
	in, out := io.Pipe()
	f := &frames{PipeWriter: out, done: make(chan struct{})}
	go func() {
		defer close(f.done)
		e.frames(bufio.NewReader(in))
		_, _ = io.Copy(rawFrames{e}, in) // bytes that are no valid frames are reported, too
	}()
	return f
}

type frames struct {
	*io.PipeWriter
	done chan struct{}
}

// Close waits until everything is reported.
func (f *frames) Close() error {
	err := f.PipeWriter.Close()
	<-f.done
	return err
}

func (e *Observer) frames(in *bufio.Reader) {
	for {
		f, err := readFrame(in)
		if err == nil {
			err = f.read(in, f.size, func(p []byte) { e.Sent("frame", p) })
		}
		if err != nil {
			e.Sent("", buffered(in))
			return
		}
	}
}

type rawFrames struct{ e *Observer }

func (r rawFrames) Write(p []byte) (int, error) {
	r.e.Sent("", p)
	return len(p), nil
}
