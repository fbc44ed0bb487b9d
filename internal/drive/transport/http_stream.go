package transport

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/sse"
	"github.com/mcpsf/mcpsf/internal/pause"
)

// no gap: what is longer is malformed output or ends the connection, which is an event
const (
	// maxReturns is how often a broken stream is resumed.
	maxReturns = 20
	// The default delay before a stream is resumed, and the bounds of the
	// server's own value.
	returnAfter, soonest, latest = time.Second, 20 * time.Millisecond, 10 * time.Second
	// maxEndpoint is the longest message address that a server may name.
	maxEndpoint = 8 << 10
)

// Defects of a stream, worded for the report.
const (
	noteEvent    = "sent an event that is not of the protocol"
	noteEndpoint = "wants messages to be sent to another origin"
)

var errStreamEnd = errors.New("the stream ended before the answer")

// streams reads the event streams of a server.
type streams struct {
	at     *endpoint
	bodies *bodies
	peer   Peer
	// ended is called when the one stream of an older server has ended.
	ended func(why string)
	// hearing is set while there is a stream for messages outside any request.
	hearing atomic.Bool
}

// events reads the events of a stream; after is called after each.
func (s *streams) events(in *intake, after func()) *sse.Parser {
	limits := s.bodies.limits
	return &sse.Parser{Max: int(limits.MaxFrame), Head: limits.MaxBody, Retry: returnAfter, Emit: func(e sse.Event) {
		s.event(in, e)
		after()
	}}
}

// event handles one event. An empty one only updates the event id.
func (s *streams) event(in *intake, e sse.Event) {
	if len(e.Data) == 0 {
		return
	}
	f := jsonrpc.Frame{End: in.offset(), Size: e.Size, Data: e.Data, Cut: e.Cut}
	if e.Cut {
		s.peer.Note(jsonrpc.NoteCut)
	} else if f.Data, f.Message = s.bodies.single(e.Data); !f.Message {
		s.peer.Note(noteNoJSON)
	}
	if e.Name != "" && e.Name != "message" {
		s.peer.Note(noteEvent)
	}
	s.peer.Receive(f)
}

// resume resumes a stream that ended without the answer. An error says that the
// answer did not come.
func (s *streams) resume(ctx context.Context, f *flight, e *sse.Parser) error {
	if f.Request == nil {
		return nil
	}
	for n := 0; n < maxReturns && e.Last != "" && f.Request.Waits(); n++ {
		if !waitAsTold(ctx, e.Retry) {
			return nil
		}
		resp, err := s.at.get(ctx, s.at.messages(), e.Last)
		if err != nil {
			continue
		}
		in := s.bodies.open(resp)
		again := s.events(in, f.letGo)
		again.Last, again.Retry = e.Last, e.Retry
		stream := resp.StatusCode == http.StatusOK && IsStream(resp)
		if stream {
			in.each(again.Feed)
		}
		closeBody(resp)
		if !stream {
			break
		}
		e = again
	}
	if f.Request.Waits() && ctx.Err() == nil {
		return errStreamEnd
	}
	return nil
}

// waitAsTold waits as long as the server asks, within bounds.
func waitAsTold(ctx context.Context, d time.Duration) bool {
	return pause.For(ctx, min(max(d, soonest), latest)) == nil
}

// hear reads the server's own stream, as long as the server allows. It closes
// heard once that is known.
func (s *streams) hear(ctx context.Context, heard chan<- struct{}) {
	last, retry := "", returnAfter
	for n := range maxReturns {
		resp, err := s.at.get(ctx, s.at.messages(), last)
		if n == 0 {
			close(heard)
		}
		if err != nil {
			return
		}
		if resp.StatusCode != http.StatusOK || !IsStream(resp) {
			closeBody(resp)
			return
		}
		s.hearing.Store(true)
		in := s.bodies.open(resp)
		e := s.events(in, func() {})
		e.Last, e.Retry = last, retry
		in.each(e.Feed)
		closeBody(resp)
		s.hearing.Store(false)
		last, retry = e.Last, e.Retry
		if !waitAsTold(ctx, retry) {
			return
		}
	}
}

// follow reads the one stream of an older server. It passes on the address in
// its first event, nil if there is none.
func (s *streams) follow(resp *http.Response, found chan<- *url.URL) {
	defer closeBody(resp)
	in := s.bodies.open(resp)
	named := false
	e := s.events(in, func() {})
	emit := e.Emit
	e.Emit = func(ev sse.Event) {
		if ev.Name != "endpoint" {
			emit(ev)
			return
		}
		if to := s.endpoint(ev); to != nil && !named {
			named = true
			found <- to
		}
	}
	in.each(e.Feed)
	if !named {
		found <- nil
		return
	}
	s.ended("the server closed its stream")
}

// endpoint reads the address for messages.
func (s *streams) endpoint(e sse.Event) *url.URL {
	if e.Cut || len(e.Data) > maxEndpoint {
		return nil
	}
	to, err := s.at.base.Parse(string(e.Data))
	if err != nil {
		s.peer.Note(noteEvent)
		return nil
	}
	if !sameOrigin(s.at.base, to) {
		s.peer.Note(noteEndpoint)
		return nil
	}
	return to
}
