package transport

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
)

// no gap: what is longer is malformed output or ends the connection, which is an event
const (
	// courtesy is how long to wait for the response to a message that needs
	// none, so that messages arrive in order.
	courtesy = 2 * time.Second
	// attentive is how long the server may take to accept our stream.
	attentive = time.Second
	// maxBroken is how many requests in a row may fail to connect.
	maxBroken = 3
	// collapse is how long a server may take to exit after its connection
	// broke.
	collapse = 500 * time.Millisecond
	// maxNote bounds the text of an error in a note.
	maxNote = 400
)

// HTTP is the link to a server that listens: each message is an HTTP request,
// and the answer comes in its response or in a stream. One goroutine dispatches
// the messages, each of which has its own goroutine; Stop ends them all.
type HTTP struct {
	*process
	at        *endpoint
	queue     *queue
	leaves    *Departures
	flights   *flights
	streams   *streams
	responses *responses

	cancel context.CancelFunc // cancels all requests
	quit   chan struct{}      // closed when our side has closed
	fail   chan string        // why the server is gone; has room for one
	lost   chan struct{}      // closed when no more answers can come
	reason string             // the reason, set before lost is closed
	broken atomic.Int64       // failed requests in a row

	others sync.WaitGroup
}

var _ Link = (*HTTP)(nil)

// NewHTTP makes the link. It reads and writes nothing before Start. A nil
// process means a remote server.
func NewHTTP(p Process, peer Peer, tap *Meter, opts *Options) (*HTTP, error) {
	at, err := newEndpoint(opts, peer)
	if err != nil {
		return nil, err
	}
	if p == nil {
		p = newAbsent()
	}
	w := &HTTP{
		process: newProcess(p, peer, tap, opts), at: at,
		queue: newQueue(), leaves: &Departures{tap: tap}, flights: newFlights(),
		quit: make(chan struct{}), fail: make(chan string, 1), lost: make(chan struct{}),
	}
	bodies := &bodies{tap: tap, peer: peer, limits: &opts.Limits}
	w.streams = &streams{at: at, bodies: bodies, peer: peer, ended: w.giveUp}
	w.responses = &responses{at: at, bodies: bodies, streams: w.streams, peer: peer, tap: tap}
	return w, nil
}

// Start implements [Link].
func (w *HTTP) Start(ctx context.Context) {
	ctx, w.cancel = context.WithCancel(ctx)
	w.others.Go(func() { w.dispatch(ctx) })
	w.others.Go(w.watch)
	l := w.liner(mcpsf.Stdout)
	w.read(l.feed, l.finish)
}

// Locate implements [Link].
func (w *HTTP) Locate(ctx context.Context) error { return w.at.locate(ctx) }

// Stream implements [Link].
func (*HTTP) Stream() mcpsf.Stream { return mcpsf.Served }

// Send implements [Link].
func (w *HTTP) Send(m *Outbound) error { return w.queue.put(m) }

// Busy implements [Link].
func (w *HTTP) Busy() (bool, int) { return w.queue.busy() }

// Agree implements [Link].
func (w *HTTP) Agree(revision string) { w.at.agree(revision) }

// Gone implements [Link].
func (w *HTTP) Gone() <-chan struct{} { return w.lost }

// Why implements [Link].
func (w *HTTP) Why() string { return w.reason }

// URL returns the address where the server was found.
func (w *HTTP) URL() string { return w.at.base.String() }

// Leaves reports requests that are made beside the link.
func (w *HTTP) Leaves() *Departures { return w.leaves }

// dispatch sends the queued messages. A request has its own timeout; for a
// message without an answer it waits briefly.
func (w *HTTP) dispatch(ctx context.Context) {
	for {
		select {
		case <-w.quit:
			return
		case m := <-w.queue.messages:
			if m.isMark() {
				close(m.Written)
				continue
			}
			if w.hungUp(m) {
				w.queue.drop(m)
				continue
			}
			done := make(chan struct{})
			w.others.Go(func() {
				defer close(done)
				w.deliver(ctx, m)
				w.queue.drop(m)
			})
			if m.Request == nil {
				w.await(done, courtesy)
			}
		}
	}
}

// await waits for done, a time limit or the end of the link.
func (w *HTTP) await(done <-chan struct{}, limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	case <-w.quit:
	}
}

// hungUp handles a cancellation without sending it where possible: without
// sessions, closing the connection cancels a request.
func (w *HTTP) hungUp(m *Outbound) bool {
	if !w.at.stateless() || m.Message.Method != protocol.MethodCancelled {
		return false
	}
	w.flights.hangUp(m.Cancels)
	return true
}

// deliver sends one message and handles the response.
func (w *HTTP) deliver(ctx context.Context, m *Outbound) {
	flown, hangUp := context.WithCancel(ctx)
	if m.Request == nil {
		flown, hangUp = context.WithTimeout(ctx, w.opts.CallTimeout)
	}
	defer hangUp()
	if m.Request != nil {
		id := string(m.Message.ID)
		w.flights.begin(id, hangUp)
		defer w.flights.end(id)
	}
	post := func() (*http.Response, error) { return w.post(flown, m) }
	resp, err := post() //nolint:bodyclose // take closes it
	if err == nil && m.Message.Method == protocol.MethodInitialize && !w.at.isOlder() && looksOlder(resp) {
		resp, err = w.goOlder(ctx, flown, resp, post) //nolint:bodyclose // likewise
	}
	if err != nil {
		w.breakDown(m, err)
		return
	}
	w.broken.Store(0)
	f := &flight{Outbound: m, hangUp: hangUp}
	if err := w.responses.take(flown, f, resp); err != nil {
		w.breakDown(m, err)
	}
	if f.leave != nil {
		f.leave.Stop()
	}
	if m.Message.Method == protocol.MethodInitialized && !w.at.isOlder() {
		heard := make(chan struct{})
		w.others.Go(func() { w.streams.hear(ctx, heard) })
		w.await(heard, attentive) // otherwise early messages of the server are lost
	}
}

// post sends a message to the endpoint.
func (w *HTTP) post(ctx context.Context, m *Outbound) (*http.Response, error) {
	head := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	for name, value := range m.Headers {
		head.Set(name, value)
	}
	return w.at.do(ctx, http.MethodPost, w.at.messages(), head, m.Wire, func(offset, size int64) {
		if w.leaves.at(m, offset, size) && !Closed(m.Written) { // a message can be sent again, to another address
			close(m.Written)
		}
	})
}

// breakDown handles a message without a response. If the server is exiting,
// that is the reason.
func (w *HTTP) breakDown(m *Outbound, err error) {
	w.opts.Logger.Debug("sending to the server", "method", m.Message.Method, "error", err)
	if m.Request == nil {
		return
	}
	timer := time.NewTimer(collapse)
	defer timer.Stop()
	select {
	case <-w.proc.Done():
		return
	case <-w.quit:
		return
	case <-timer.C:
	}
	if w.broken.Add(1) >= maxBroken {
		w.giveUp("the server cannot be reached any more")
		return
	}
	short, _ := jsonrpc.Clip(err.Error(), maxNote)
	m.Request.Garble("no response: " + short)
}

// giveUp marks the server as gone.
func (w *HTTP) giveUp(why string) {
	select {
	case w.fail <- why:
	default:
	}
}
