package session

import (
	"context"
	"fmt"
	"net/url"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf"
)

const (
	// courtesy is how long a message that needs no answer is waited for, so
	// that what is sent later arrives later.
	courtesy = 2 * time.Second
	// attentive is how long it may take to be listened to.
	attentive = time.Second
	// maxBroken is how many requests in a row may find nobody.
	maxBroken = 3
	// collapse is how long a server may take to end after its connection has.
	collapse = 500 * time.Millisecond
)

// web is the link to a server that listens: each message is a request of its
// own, and the answer comes with it or in a stream. One goroutine hands out
// the messages, each of which has its own; stop ends them all.
type web struct {
	host
	wire   Wire
	base   *url.URL
	cancel context.CancelFunc // ends everything under way

	queue  chan *outbound
	quit   chan struct{} // closed when our side was closed
	fail   chan string   // why nobody is there any more; holds one
	lost   chan struct{} // closed when no answer can come any more
	reason string        // why, set before lost is closed

	mu       sync.Mutex
	shut     bool
	sent     int64    // the last offset of what the server was sent
	address  *url.URL // where messages go
	id       string   // the session, as the server calls it
	revision string   // what is spoken, "" before that is agreed
	older    bool     // answers come in one stream (2024-11-05)
	hearing  bool     // there is a stream for what belongs to no request
	broken   int      // requests in a row that found nobody
	flights  map[string]context.CancelFunc

	others sync.WaitGroup
}

var _ link = (*web)(nil)

// newWeb starts the link. The caller must call stop.
func newWeb(ctx context.Context, p Process, s *session, tap *meter, opts *Options) (*web, error) {
	var base *url.URL
	if opts.Locate == nil {
		var err error
		if base, err = addressOf(opts.URL); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &web{
		host: newHost(p, s, tap, opts), wire: opts.Wire, base: base, address: base, cancel: cancel,
		queue: make(chan *outbound, queueLength), quit: make(chan struct{}),
		fail: make(chan string, 1), lost: make(chan struct{}), flights: map[string]context.CancelFunc{},
	}
	s.link, s.stream = w, mcpsf.Served
	w.others.Go(func() { w.dispatch(ctx) })
	w.others.Go(w.watch)
	l := w.liner(mcpsf.Stdout)
	w.listen(l.feed, l.finish)
	return w, nil
}

// locate finds out where the server is, if that is not known yet.
func (w *web) locate(ctx context.Context) error {
	if w.base != nil {
		return nil
	}
	where, err := w.opts.Locate(ctx)
	if err != nil {
		return err
	}
	at, err := addressOf(where)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.base, w.address = at, at
	return nil
}

// converse implements [connection].
func (w *web) converse(ctx context.Context) error {
	if w.opts.Visits != nil {
		return w.visit(ctx, w.opts.Visits)
	}
	return w.session.run(ctx)
}

// look implements [connection].
func (w *web) look(ctx context.Context) {
	if w.opts.Look != nil && !isClosed(w.lost) && w.session.out.Initialized {
		w.opts.Look(ctx, w.base.String())
	}
}

func addressOf(where string) (*url.URL, error) {
	at, err := url.Parse(where)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return nil, fmt.Errorf("%q is no address of a server", where)
	}
	at.Fragment = ""
	return at, nil
}

func (w *web) send(m *outbound) error {
	w.outbox.put(m)
	select {
	case w.queue <- m:
		return nil
	default:
		w.outbox.drop(m)
		return errQueueFull
	}
}

func (w *web) gone() <-chan struct{} { return w.lost }

func (w *web) why() string { return w.reason }

func (w *web) agree(revision string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.revision = revision
}

// dispatch sends what is queued. A request has its own time; what needs no
// answer is waited for, but not for long.
func (w *web) dispatch(ctx context.Context) {
	for {
		select {
		case <-w.quit:
			return
		case m := <-w.queue:
			if m.wire == nil { // the mark of flush
				close(m.written)
				continue
			}
			if w.dropped(m) {
				w.outbox.drop(m)
				continue
			}
			done := make(chan struct{})
			w.others.Go(func() {
				defer close(done)
				w.deliver(ctx, m)
				w.outbox.drop(m)
			})
			if m.exchange == nil {
				w.await(done, courtesy)
			}
		}
	}
}

// await waits for something, unless all is over before.
func (w *web) await(done <-chan struct{}, limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	case <-w.quit:
	}
}

// dropped tells whether a message is not sent: without sessions a request is
// cancelled by hanging up.
func (w *web) dropped(m *outbound) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.revision < statelessVersion || m.message.Method != methodCancelled {
		return false
	}
	if hangUp := w.flights[m.cancels]; hangUp != nil {
		hangUp()
	}
	return true
}

// deliver sends one message and takes what comes back.
func (w *web) deliver(ctx context.Context, m *outbound) {
	flown, hangUp := context.WithCancel(ctx)
	if m.exchange == nil {
		flown, hangUp = context.WithTimeout(ctx, w.opts.CallTimeout)
	}
	defer hangUp()
	if m.exchange != nil {
		id := string(m.message.ID)
		w.board(id, hangUp)
		defer w.board(id, nil)
	}
	resp, err := w.post(flown, m) //nolint:bodyclose // take closes it
	if err == nil && m.message.Method == methodInitialize && !w.isOlder() && looksOlder(resp) {
		resp, err = w.goOlder(ctx, flown, m, resp) //nolint:bodyclose // likewise
	}
	if err != nil {
		w.breakDown(m, err)
		return
	}
	f := &flight{outbound: m, hangUp: hangUp}
	w.take(flown, f, resp)
	if f.leave != nil {
		f.leave.Stop()
	}
	if m.message.Method == methodInitialized && !w.isOlder() {
		heard := make(chan struct{})
		w.others.Go(func() { w.hear(ctx, heard) })
		w.await(heard, attentive) // what is said before is said to nobody
	}
}

// flight is a message under way: how to hang up on it, and when that is done
// by itself.
type flight struct {
	*outbound
	hangUp context.CancelFunc
	leave  *time.Timer
}

// board remembers how to hang up on a request, until that is nil.
func (w *web) board(id string, hangUp context.CancelFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if hangUp == nil {
		delete(w.flights, id)
		return
	}
	w.flights[id] = hangUp
}
