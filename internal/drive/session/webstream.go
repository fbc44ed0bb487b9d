package session

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/mcpsf/mcpsf/internal/drive/sse"
)

const (
	// maxReturns is how often a stream that broke off is gone back to.
	maxReturns = 20
	// The time until that is done, unless the server says another, and what
	// it may say.
	returnAfter, soonest, latest = time.Second, 20 * time.Millisecond, 10 * time.Second
	// maxEndpoint is the longest address a server may send us to.
	maxEndpoint = 8 << 10
)

// events reads the events of a stream; after is called after each.
func (w *web) events(in *intake, after func()) *sse.Parser {
	return &sse.Parser{Max: int(w.opts.MaxFrame), Head: w.opts.MaxBody, Retry: returnAfter, Emit: func(e sse.Event) {
		w.event(in, e)
		after()
	}}
}

// event takes one event. An empty one only says where to go on.
func (w *web) event(in *intake, e sse.Event) {
	if len(e.Data) == 0 {
		return
	}
	f := frame{end: in.offset(), size: e.Size, data: e.Data, cut: e.Cut}
	if e.Cut {
		w.session.note(noteCut)
	} else if f.data, f.message = w.single(e.Data); !f.message {
		w.session.note(noteNoJSON)
	}
	if e.Name != "" && e.Name != "message" {
		w.session.note(noteEvent)
	}
	w.session.receive(f)
}

// resume goes back to a stream that ended without the answer.
func (w *web) resume(ctx context.Context, f *flight, e *sse.Parser) {
	if f.exchange == nil {
		return
	}
	for n := 0; n < maxReturns && e.Last != "" && w.session.awaits(f.exchange); n++ {
		if !w.pause(ctx, e.Retry) {
			return
		}
		resp, err := w.get(ctx, w.postAddress(), e.Last)
		if err != nil {
			continue
		}
		in := w.open(resp)
		again := w.events(in, func() { w.letGo(f) })
		again.Last, again.Retry = e.Last, e.Retry
		stream := resp.StatusCode == http.StatusOK && isStream(resp)
		if stream {
			in.each(again.Feed)
		}
		closeBody(resp)
		if !stream {
			break
		}
		e = again
	}
	if w.session.awaits(f.exchange) && ctx.Err() == nil {
		w.breakDown(f.outbound, errStreamEnd)
	}
}

// letGo hangs up some time after the answer has come.
func (w *web) letGo(f *flight) {
	if f.exchange != nil && f.leave == nil && !w.session.awaits(f.exchange) {
		f.leave = time.AfterFunc(lingering, f.hangUp)
	}
}

// pause waits as long as the server says, within reason.
func (w *web) pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(min(max(d, soonest), latest))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// get asks for a stream, from an event on if there was one.
func (w *web) get(ctx context.Context, from *url.URL, last string) (*http.Response, error) {
	head := http.Header{"Accept": {"text/event-stream"}}
	if last != "" {
		head.Set(headLast, last)
	}
	return w.do(ctx, http.MethodGet, from, head, nil, func(int64, int64) {})
}

// hear listens to what the server says by itself, as long as it lets us. It
// closes heard when that is known.
func (w *web) hear(ctx context.Context, heard chan<- struct{}) {
	last, retry := "", returnAfter
	for n := range maxReturns {
		resp, err := w.get(ctx, w.postAddress(), last)
		if n == 0 {
			close(heard)
		}
		if err != nil {
			return
		}
		if resp.StatusCode != http.StatusOK || !isStream(resp) {
			closeBody(resp)
			return
		}
		w.setHearing(true)
		in := w.open(resp)
		e := w.events(in, func() {})
		e.Last, e.Retry = last, retry
		in.each(e.Feed)
		closeBody(resp)
		w.setHearing(false)
		last, retry = e.Last, e.Retry
		if !w.pause(ctx, retry) {
			return
		}
	}
}

func (w *web) setHearing(yes bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hearing = yes
}

func (w *web) postAddress() *url.URL {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.address
}

func (w *web) isOlder() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.older
}

// looksOlder tells whether a server that answers a first message so may be
// one of before 2025, which are sent messages only after they were listened
// to.
func looksOlder(resp *http.Response) bool {
	switch resp.StatusCode {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable,
		http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusNotImplemented, http.StatusGone:
		return !isJSON(resp) || resp.StatusCode == http.StatusNotFound || resp.StatusCode == http.StatusMethodNotAllowed
	}
	return false
}

// goOlder listens first and then sends the message where the server says. If
// there is nothing to listen to, the response stands.
func (w *web) goOlder(ctx, flight context.Context, m *outbound, first *http.Response) (*http.Response, error) {
	resp, err := w.get(ctx, w.base, "")
	if err != nil {
		return first, nil
	}
	if resp.StatusCode != http.StatusOK || !isStream(resp) {
		closeBody(resp)
		return first, nil
	}
	found := make(chan *url.URL, 1)
	w.others.Go(func() { w.follow(resp, found) })
	timer := time.NewTimer(w.opts.CallTimeout)
	defer timer.Stop()
	select {
	case to := <-found:
		if to == nil {
			return first, nil
		}
		w.mu.Lock()
		w.older, w.address = true, to
		w.mu.Unlock()
	case <-timer.C:
		return first, nil
	case <-flight.Done():
		return first, nil
	}
	closeBody(first)
	again, err := w.post(flight, m)
	if err != nil {
		return nil, fmt.Errorf("sending to the address the server named: %w", err)
	}
	return again, nil
}

// follow reads the one stream of an older server. It tells the address that
// comes first in it, nil if none comes.
func (w *web) follow(resp *http.Response, found chan<- *url.URL) {
	defer closeBody(resp)
	in := w.open(resp)
	named := false
	e := w.events(in, func() {})
	emit := e.Emit
	e.Emit = func(ev sse.Event) {
		if ev.Name != "endpoint" {
			emit(ev)
			return
		}
		if to := w.endpoint(ev); to != nil && !named {
			named = true
			found <- to
		}
	}
	in.each(e.Feed)
	if !named {
		found <- nil
		return
	}
	w.giveUp("the server closed its stream")
}

// endpoint reads where messages are to be sent.
func (w *web) endpoint(e sse.Event) *url.URL {
	if e.Cut || len(e.Data) > maxEndpoint {
		return nil
	}
	to, err := w.base.Parse(string(e.Data))
	if err != nil {
		w.session.note(noteEvent)
		return nil
	}
	if !sameOrigin(w.base, to) {
		w.session.note(noteEndpoint)
		return nil
	}
	return to
}
