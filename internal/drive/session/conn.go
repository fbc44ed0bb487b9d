package session

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf"
)

// queueLength bounds how many messages wait for a server that does not read.
const queueLength = 256

var errQueueFull = errors.New("the server does not read its input")

// stdio is the link to a server on the three standard streams. One goroutine
// writes, two read, two watch for the end; stop ends them all.
type stdio struct {
	host

	queue  chan *outbound
	quit   chan struct{} // closed when our side was closed
	deaf   chan struct{} // closed when writing failed
	lost   chan struct{} // closed when no answer can come any more
	reason string        // why, set before lost is closed

	mu   sync.Mutex
	shut bool
	sent int64 // bytes of stdin, including those being written

	others sync.WaitGroup
}

var _ link = (*stdio)(nil)

// newStdio starts the link. The caller must call stop.
func newStdio(p Process, s *session, tap *meter, opts *Options) *stdio {
	c := &stdio{
		host:  newHost(p, s, tap, opts),
		queue: make(chan *outbound, queueLength),
		quit:  make(chan struct{}), deaf: make(chan struct{}), lost: make(chan struct{}),
	}
	// The session must know the link before the first byte is read.
	s.link, s.stream = c, mcpsf.Stdout
	c.others.Go(c.write)
	c.others.Go(c.watch)
	f := &framer{
		max: int(opts.MaxFrame), head: opts.MaxBody,
		emit: s.receive, note: s.note,
	}
	c.listen(f.feed, f.finish)
	return c
}

func (c *stdio) send(m *outbound) error {
	c.outbox.put(m)
	select {
	case c.queue <- m:
		return nil
	default:
		c.outbox.drop(m)
		return errQueueFull
	}
}

// locate implements [connection]: the streams are there.
func (c *stdio) locate(context.Context) error { return nil }

// converse implements [connection].
func (c *stdio) converse(ctx context.Context) error { return c.session.run(ctx) }

// look implements [connection]: there is nothing to be seen.
func (c *stdio) look(context.Context) {}

func (c *stdio) gone() <-chan struct{} { return c.lost }

func (c *stdio) why() string { return c.reason }

func (*stdio) agree(string) {}

// write sends what is queued. A server that does not read makes it block
// until stop closes the pipe.
func (c *stdio) write() {
	for {
		select {
		case <-c.quit:
			return
		case m := <-c.queue:
			if !c.put(m) {
				return
			}
		}
	}
}

func (c *stdio) put(m *outbound) bool {
	if m.wire == nil { // the mark of flush
		close(m.written)
		return true
	}
	wire := append(slices.Clip(m.wire), '\n')
	if !c.announce(m, int64(len(wire))) {
		return false
	}
	for _, piece := range pieces(wire, m.cuts) {
		if _, err := c.proc.Stdin().Write(piece); err != nil {
			c.opts.Logger.Debug("writing to the server", "error", err)
			close(c.deaf)
			return false
		}
		if len(m.cuts) > 0 {
			c.rest()
		}
	}
	close(m.written)
	return true
}

// between is how long two writes of one message are apart.
const between = 20 * time.Millisecond

// rest lets the server read what was written before more is.
func (c *stdio) rest() {
	timer := time.NewTimer(between)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.quit:
	}
}

// pieces cuts a message for several writes.
func pieces(wire []byte, cuts []int) [][]byte {
	var list [][]byte
	last := 0
	for _, at := range cuts {
		if at > last && at < len(wire) {
			list = append(list, wire[last:at])
			last = at
		}
	}
	return append(list, wire[last:])
}

// flush waits until what is queued has left, so that the server gets the
// answers it asked for; not for long, because it may have stopped reading.
func (c *stdio) flush(ctx context.Context) {
	mark := &outbound{written: make(chan struct{})}
	if c.send(mark) != nil {
		return
	}
	timer := time.NewTimer(c.opts.StopGrace)
	defer timer.Stop()
	select {
	case <-mark.written:
	case <-timer.C:
	case <-c.deaf:
	case <-c.tap.full:
	case <-c.proc.Done():
	case <-ctx.Done():
	}
}

// announce tells the tap of a message whose bytes are about to leave. Nothing
// is told after the close was told.
func (c *stdio) announce(m *outbound, size int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shut {
		return false
	}
	c.sent += size
	msg := m.message
	msg.Stream, msg.Offset, msg.Size = mcpsf.Stdin, c.sent, size
	c.tap.observe(msg)
	return true
}

// closeStdin tells the server that there is no more to come. It may be called
// again.
func (c *stdio) closeStdin() {
	c.mu.Lock()
	again := c.shut
	c.shut = true
	if !again {
		c.tap.observe(mcpsf.Message{
			Stream: mcpsf.Stdin, Offset: c.sent, Kind: mcpsf.MessageClose, Phase: mcpsf.PhaseStop,
		})
	}
	c.mu.Unlock()
	if again {
		return
	}
	close(c.quit)
	if err := c.proc.Stdin().Close(); err != nil {
		c.opts.Logger.Debug("closing the server's input", "error", err)
	}
}

// watch finds out when no answer can come any more. The end of the process is
// not enough, because its last words may still be in the pipe; the end of its
// output is not either, because we want to say whether the process ended.
func (c *stdio) watch() {
	defer close(c.lost)
	select {
	case <-c.silent:
	case <-c.proc.Done():
	case <-c.deaf:
	case <-c.tap.full:
	case <-c.quit:
	}
	late, stop := c.opts.Clock.After(c.opts.StopGrace)
	defer stop()
	for _, part := range []<-chan struct{}{c.proc.Done(), c.silent} {
		select {
		case <-part:
		case <-c.tap.full:
		case <-c.quit:
		case <-late:
		}
	}
	c.reason = c.diagnose()
}

func (c *stdio) diagnose() string {
	switch {
	case c.tap.reached():
		return "the server was stopped: it wrote " + c.tap.why
	case isClosed(c.proc.Done()):
		return "the server ended"
	case isClosed(c.silent):
		return "the server closed its output"
	}
	return "the server closed its input"
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
