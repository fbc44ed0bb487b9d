package host

import (
	"bufio"
	"io"
	"maps"
	"net/http"
	"slices"
)

// Exchange is a request that somebody else answers. Its methods may be called
// by several goroutines.
type Exchange struct {
	e      *Ear
	r      *request
	from   *http.Request
	answer *intake
	status int
	size   int64
	ended  bool
}

// Request tells of a request's head. End must be called.
func (e *Ear) Request(from *http.Request) *Exchange {
	r := &request{method: from.Method, target: from.RequestURI, host: from.Host, version: "1.1", fields: fieldsOf(from.Header)}
	switch {
	case from.ProtoMajor == 2:
		r.version = "2"
	case from.ProtoMinor == 0:
		r.version = "1.0"
	}
	if from.ProtoMajor < 2 && from.Host != "" {
		r.fields = append([]field{{"Host", from.Host}}, r.fields...)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.s.locate(r)
	e.s.began(r)
	e.s.requests++
	r.upgrade = isSocket(r)
	r.body = e.s.newIntake(r.encodings())
	return &Exchange{e: e, r: r, from: from}
}

// Enough says that the connection is to have no more requests.
func (e *Ear) Enough() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.s.requests >= maxRequests
}

// IsSocket says that a WebSocket was asked for.
func (x *Exchange) IsSocket() bool { return x.r.upgrade }

// Domain is the host that was asked for, without its port.
func (x *Exchange) Domain() string { return x.r.domain() }

// Sent adds to the request's body, as it was sent. It returns false when that
// was too much.
func (x *Exchange) Sent(p []byte) bool {
	x.e.mu.Lock()
	defer x.e.mu.Unlock()
	return !x.ended && x.r.body.take(p)
}

// Trailers tells of what came after the body, once that has ended.
func (x *Exchange) Trailers() {
	x.e.mu.Lock()
	defer x.e.mu.Unlock()
	if x.ended {
		return
	}
	for _, f := range fieldsOf(x.from.Trailer) {
		x.r.fields = append(x.r.fields, f)
		x.e.s.sent("header "+f.name, []byte(f.value))
	}
}

// Answered notes how the answer begins.
func (x *Exchange) Answered(status int, header http.Header) {
	x.e.mu.Lock()
	defer x.e.mu.Unlock()
	x.status = status
	if x.answer == nil {
		quiet := &session{h: x.e.s.h, v: &Visit{}}
		x.answer = quiet.newIntake(encodingsOf(header.Values("Content-Encoding")...))
	}
}

// Received adds to the body of the answer.
func (x *Exchange) Received(p []byte) {
	x.e.mu.Lock()
	defer x.e.mu.Unlock()
	x.size += int64(len(p))
	if x.answer != nil && !x.ended && len(x.answer.kept) < keptInEvent {
		x.answer.take(p)
	}
}

// End tells of the request and how it was answered.
func (x *Exchange) End() {
	x.e.mu.Lock()
	defer x.e.mu.Unlock()
	if x.ended {
		return
	}
	x.ended = true
	x.r.body.end()
	var a *answer
	if x.answer != nil {
		x.answer.end()
		a = &answer{status: x.status, shown: x.answer.kept}
	}
	s := &session{h: x.e.s.h, v: &Visit{Tell: func(o Observation) {
		if o.HTTP != nil {
			o.HTTP.AnswerSize = x.size // of which only the beginning is kept
		}
		x.e.s.tell(o)
	}}}
	s.ended(x.r, a)
	x.e.s.cut = x.e.s.cut || s.cut
}

// Cut says that more was sent than was told.
func (e *Ear) Cut() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.s.cut
}

// fieldsOf puts headers into an order that does not change.
func fieldsOf(h http.Header) []field {
	var list []field
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			list = append(list, field{name, value})
		}
	}
	return list
}

// Frames takes what a client sends over a WebSocket, and tells what it says.
// It must be closed.
func (e *Ear) Frames() io.WriteCloser {
	in, out := io.Pipe()
	f := &frames{PipeWriter: out, done: make(chan struct{})}
	go func() {
		defer close(f.done)
		e.frames(bufio.NewReader(in))
		_, _ = io.Copy(rawFrames{e}, in) // what makes no sense any more is told, too
	}()
	return f
}

type frames struct {
	*io.PipeWriter
	done chan struct{}
}

// Close waits until everything is told.
func (f *frames) Close() error {
	err := f.PipeWriter.Close()
	<-f.done
	return err
}

func (e *Ear) frames(in *bufio.Reader) {
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

type rawFrames struct{ e *Ear }

func (r rawFrames) Write(p []byte) (int, error) {
	r.e.Sent("", p)
	return len(p), nil
}
