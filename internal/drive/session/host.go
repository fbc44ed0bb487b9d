package session

import (
	"context"
	"io"
	"math"
	"sync"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf"
)

// host is the process behind a link: what it writes is read to the end, and
// it is ended with the session.
type host struct {
	proc    Process
	opts    Options
	tap     *meter
	session *session

	silent chan struct{} // closed when stdout ended
	dry    chan struct{} // closed when stderr ended too
	pumps  sync.WaitGroup
	outbox outbox
}

func newHost(p Process, s *session, tap *meter, opts *Options) host {
	return host{proc: p, opts: *opts, tap: tap, session: s, silent: make(chan struct{}), dry: make(chan struct{})}
}

// listen begins to read both streams. What stdout is read for is the link's
// business.
func (h *host) listen(feed func([]byte), finish func()) {
	h.pumps.Go(func() {
		defer close(h.silent)
		h.pump(mcpsf.Stdout, h.proc.Stdout(), feed, finish)
	})
	h.pumps.Go(func() {
		l := h.liner(mcpsf.Stderr)
		h.pump(mcpsf.Stderr, h.proc.Stderr(), l.feed, l.finish)
	})
	go func() { h.pumps.Wait(); close(h.dry) }()
}

// liner tells of what a stream says as lines of text.
func (h *host) liner(stream mcpsf.Stream) *liner {
	return &liner{stream: stream, emit: func(m mcpsf.Message) {
		m.Phase = h.session.currentPhase()
		h.tap.observe(m)
	}}
}

// pump reads a stream to its end. What is beyond the limit is counted and
// thrown away, so that the server never blocks on us.
func (h *host) pump(stream mcpsf.Stream, r io.Reader, feed func([]byte), finish func()) {
	const maxEmptyReads = 100
	buf := make([]byte, 64<<10)
	var total int64
	for empty := 0; empty < maxEmptyReads; empty++ {
		n, err := r.Read(buf)
		if n > 0 {
			empty = 0
			feed(buf[:h.tap.admit(stream, n)])
			total += int64(n)
			h.tap.consumed(stream, total)
		}
		if err != nil {
			break
		}
	}
	finish()
	h.tap.consumed(stream, math.MaxInt64)
}

func (h *host) busy() (bool, int) { return h.outbox.busy() }

// step is a way to end a server, and what is said if it did.
type step struct {
	do             func()
	closed, ending string
}

// end ends the process, by one step after the other. The words for a limit
// are left to the caller, who can see it reached later still.
func (h *host) end(ctx context.Context, alone bool, steps []step) (closed, ending string) {
	switch {
	case h.tap.reached():
		h.kill(ctx)
		return closedLimit, ""
	case ctx.Err() != nil:
		return h.overdue(ctx)
	case alone:
		return closedCrashed, "the server ended by itself before it was asked to"
	}
	for i, step := range steps {
		step.do()
		limit := h.opts.StopGrace
		if i == len(steps)-1 {
			limit = killPatience
		}
		if h.ended(ctx, limit) {
			return step.closed, step.ending
		}
		if h.tap.reached() {
			h.kill(ctx)
			return closedLimit, ""
		}
		if ctx.Err() != nil {
			return h.overdue(ctx)
		}
	}
	return closedKilled, "the server did not end when it was killed"
}

// killPatience is how long the sandbox may take to end a killed process.
const killPatience = 30 * time.Second

func (h *host) overdue(ctx context.Context) (closed, ending string) {
	h.kill(ctx)
	return closedKilled, "the run was over"
}

// kill ends the server now, also when ctx is over.
func (h *host) kill(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), killPatience)
	defer cancel()
	h.signal(ctx, syscall.SIGKILL)
	select {
	case <-h.proc.Done():
	case <-ctx.Done():
		h.opts.Logger.Warn("the server did not end when it was killed")
	}
}

func (h *host) signal(ctx context.Context, sig syscall.Signal) {
	if err := h.proc.Signal(ctx, sig); err != nil {
		h.opts.Logger.Debug("signalling the server", "signal", sig, "error", err)
	}
}

// ended waits for the end of the server for at most limit, or until there is
// a reason to kill it.
func (h *host) ended(ctx context.Context, limit time.Duration) bool {
	late, stop := h.opts.Clock.After(limit)
	defer stop()
	select {
	case <-h.proc.Done():
		return true
	case <-late:
	case <-h.tap.full:
	case <-ctx.Done():
	}
	return isClosed(h.proc.Done())
}

// drain waits for the end of the streams. Processes the server left behind
// may hold them open: those are killed with it, and if the context ends first
// the streams are closed from our side.
func (h *host) drain(ctx context.Context) {
	if h.drained(ctx, h.opts.StopGrace) {
		return
	}
	if ctx.Err() == nil {
		h.session.note("left processes behind that kept its output open")
		h.kill(ctx)
		if h.drained(ctx, killPatience) {
			return
		}
	}
	for _, r := range []io.Reader{h.proc.Stdout(), h.proc.Stderr()} {
		if closer, ok := r.(io.Closer); ok {
			if err := closer.Close(); err != nil {
				h.opts.Logger.Debug("closing the server's output", "error", err)
			}
		}
	}
	if !h.drained(context.WithoutCancel(ctx), h.opts.StopGrace) {
		h.opts.Logger.Warn("the server's output could not be closed")
	}
}

// drained waits until both output streams have ended, ctx ends, or the time
// is up. It reports whether they have.
func (h *host) drained(ctx context.Context, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-h.dry:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return isClosed(h.dry)
}
