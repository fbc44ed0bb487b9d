package transport

import (
	"context"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
)

// Stdio is the link to a server on the three standard streams. One goroutine
// writes, two read, two watch for the end; Stop ends them all.
type Stdio struct {
	*process
	queue  *queue
	leaves *Departures

	quit   chan struct{} // closed when our side has closed
	deaf   chan struct{} // closed when writing failed
	lost   chan struct{} // closed when no more answers can come
	reason string        // the reason, set before lost is closed

	others sync.WaitGroup
}

var _ Link = (*Stdio)(nil)

// NewStdio makes the link. It reads and writes nothing before Start.
func NewStdio(p Process, peer Peer, tap *Meter, opts *Options) *Stdio {
	return &Stdio{
		process: newProcess(p, peer, tap, opts), queue: newQueue(), leaves: &Departures{tap: tap},
		quit: make(chan struct{}), deaf: make(chan struct{}), lost: make(chan struct{}),
	}
}

// Start implements [Link].
func (c *Stdio) Start(context.Context) {
	c.others.Go(c.write)
	c.others.Go(c.watch)
	f := &jsonrpc.Framer{
		Max: int(c.opts.Limits.MaxFrame), Head: c.opts.Limits.MaxBody,
		Emit: c.peer.Receive, Note: c.peer.Note,
	}
	c.read(f.Feed, f.Finish)
}

// Locate implements [Link]: the streams always exist.
func (*Stdio) Locate(context.Context) error { return nil }

// Stream implements [Link].
func (*Stdio) Stream() mcpsf.Stream { return mcpsf.Stdout }

// Send implements [Link].
func (c *Stdio) Send(m *Outbound) error { return c.queue.put(m) }

// Busy implements [Link].
func (c *Stdio) Busy() (bool, int) { return c.queue.busy() }

// Agree implements [Link]. All revisions look the same on the streams.
func (*Stdio) Agree(string) {}

// Gone implements [Link].
func (c *Stdio) Gone() <-chan struct{} { return c.lost }

// Why implements [Link].
func (c *Stdio) Why() string { return c.reason }

// write sends the queued messages. A server that does not read blocks it until
// Stop closes the pipe.
func (c *Stdio) write() {
	for {
		select {
		case <-c.quit:
			return
		case m := <-c.queue.messages:
			if !c.put(m) {
				return
			}
		}
	}
}

func (c *Stdio) put(m *Outbound) bool {
	if m.isMark() {
		close(m.Written)
		return true
	}
	wire := append(slices.Clip(m.Wire), '\n')
	if !c.leaves.next(m, int64(len(wire))) {
		return false
	}
	for _, piece := range pieces(wire, m.Cuts) {
		if _, err := c.proc.Stdin().Write(piece); err != nil {
			c.opts.Logger.Debug("writing to the server", "error", err)
			close(c.deaf)
			return false
		}
		if len(m.Cuts) > 0 {
			c.rest()
		}
	}
	close(m.Written)
	return true
}

// between is the time between two writes of one message.
const between = 20 * time.Millisecond

// rest gives the server time to read before the next write.
func (c *Stdio) rest() {
	timer := time.NewTimer(between)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.quit:
	}
}

// pieces splits a message for several writes.
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

// watch detects that no more answers can come. The end of the process is not
// enough, because its last output may still be in the pipe. The end of its
// output is not enough either, because we report whether the process ended.
func (c *Stdio) watch() {
	defer close(c.lost)
	select {
	case <-c.silent:
	case <-c.proc.Done():
	case <-c.deaf:
	case <-c.tap.Full():
	case <-c.quit:
	}
	late, stop := c.opts.Clock.After(c.opts.StopGrace)
	defer stop()
	for _, part := range []<-chan struct{}{c.proc.Done(), c.silent} {
		select {
		case <-part:
		case <-c.tap.Full():
		case <-c.quit:
		case <-late:
		}
	}
	c.reason = c.diagnose()
}

func (c *Stdio) diagnose() string {
	switch {
	case c.tap.reached():
		return "the server was stopped: it wrote " + c.tap.why
	case Closed(c.proc.Done()):
		return "the server ended"
	case Closed(c.silent):
		return "the server closed its output"
	}
	return "the server closed its input"
}

// Stop implements [Link], in the order that the protocol specifies for stdio.
func (c *Stdio) Stop(ctx context.Context) (closed, ending string) {
	closed, ending = c.end(ctx, c.endedAlone(ctx), []step{
		{func() { c.flush(ctx); c.closeStdin() }, closedOrderly, ""},
		{func() { c.signal(ctx, syscall.SIGTERM) }, closedTerminated, "the server did not end when its input was closed"},
		{func() { c.signal(ctx, syscall.SIGKILL) }, closedKilled, "the server ignored SIGTERM"},
	})
	c.closeStdin()
	c.drain(ctx)
	c.others.Wait()
	if c.tap.reached() { // perhaps only with its last output
		return closedLimit, "the server wrote " + c.tap.why
	}
	return closed, ending
}

// endedAlone reports whether the server ended before we asked it to. A server
// that closed its output gets a moment: it is most likely ending.
func (c *Stdio) endedAlone(ctx context.Context) bool {
	if Closed(c.silent) {
		select {
		case <-c.lost:
		case <-ctx.Done():
		}
	}
	return Closed(c.proc.Done())
}

// flush waits until the queue is empty, so that the server gets the answers it
// asked for. The wait is short, because the server may have stopped reading.
func (c *Stdio) flush(ctx context.Context) {
	last := mark()
	if c.Send(last) != nil {
		return
	}
	timer := time.NewTimer(c.opts.StopGrace)
	defer timer.Stop()
	select {
	case <-last.Written:
	case <-timer.C:
	case <-c.deaf:
	case <-c.tap.Full():
	case <-c.proc.Done():
	case <-ctx.Done():
	}
}

// closeStdin closes the server's input. It may be called again.
func (c *Stdio) closeStdin() {
	if !c.leaves.close() {
		return
	}
	close(c.quit)
	if err := c.proc.Stdin().Close(); err != nil {
		c.opts.Logger.Debug("closing the server's input", "error", err)
	}
}
