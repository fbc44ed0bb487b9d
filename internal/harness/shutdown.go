package harness

import (
	"context"
	"io"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf"
)

// How a session can end: the values of [mcpsf.Session.Closed].
const (
	closedOrderly    = "orderly"
	closedTerminated = "terminated"
	closedKilled     = "killed"
	closedCrashed    = "crashed"
	closedLimit      = "limit"
)

// stop ends the server in the order the protocol asks for stdio and waits for
// every goroutine of the link. It returns how the session ended and, where
// that needs words, why.
func (c *stdio) stop(ctx context.Context) (closed, ending string) {
	closed, ending = c.end(ctx)
	c.closeStdin()
	c.drain(ctx)
	c.others.Wait()
	if c.tap.reached() { // perhaps only with its last words
		return closedLimit, "the server wrote " + c.tap.why
	}
	return closed, ending
}

// end is stop up to the end of the process. The words for a limit are left to
// stop, which can see it reached later still.
func (c *stdio) end(ctx context.Context) (closed, ending string) {
	switch {
	case c.tap.reached():
		c.kill(ctx)
		return closedLimit, ""
	case ctx.Err() != nil:
		return c.overdue(ctx)
	case c.endedAlone(ctx):
		return closedCrashed, "the server ended by itself before it was asked to"
	}
	steps := []struct {
		do             func()
		closed, ending string
	}{
		{func() { c.flush(ctx); c.closeStdin() }, closedOrderly, ""},
		{func() { c.signal(ctx, syscall.SIGTERM) }, closedTerminated, "the server did not end when its input was closed"},
		{func() { c.signal(ctx, syscall.SIGKILL) }, closedKilled, "the server ignored SIGTERM"},
	}
	for i, step := range steps {
		step.do()
		limit := c.opts.StopGrace
		if i == len(steps)-1 {
			limit = killPatience
		}
		if c.ended(ctx, limit) {
			return step.closed, step.ending
		}
		if c.tap.reached() {
			c.kill(ctx)
			return closedLimit, ""
		}
		if ctx.Err() != nil {
			return c.overdue(ctx)
		}
	}
	return closedKilled, "the server did not end when it was killed"
}

// killPatience is how long the sandbox may take to end a killed process.
const killPatience = 30 * time.Second

func (c *stdio) overdue(ctx context.Context) (closed, ending string) {
	c.kill(ctx)
	return closedKilled, "the run was over"
}

// kill ends the server now, also when ctx is over.
func (c *stdio) kill(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), killPatience)
	defer cancel()
	c.signal(ctx, syscall.SIGKILL)
	select {
	case <-c.proc.Done():
	case <-ctx.Done():
		c.opts.Logger.Warn("the server did not end when it was killed")
	}
}

func (c *stdio) signal(ctx context.Context, sig syscall.Signal) {
	if err := c.proc.Signal(ctx, sig); err != nil {
		c.opts.Logger.Debug("signalling the server", "signal", sig, "error", err)
	}
}

// endedAlone reports whether the server ended before we asked it to. A server
// that closed its output is given a moment: it is most likely ending.
func (c *stdio) endedAlone(ctx context.Context) bool {
	if isClosed(c.silent) {
		select {
		case <-c.lost:
		case <-ctx.Done():
		}
	}
	return isClosed(c.proc.Done())
}

// ended waits for the end of the server for at most limit, or until there is
// a reason to kill it.
func (c *stdio) ended(ctx context.Context, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-c.proc.Done():
		return true
	case <-timer.C:
	case <-c.tap.full:
	case <-ctx.Done():
	}
	return isClosed(c.proc.Done())
}

// drain waits for the end of the streams. Processes the server left behind
// may hold them open: those are killed with it, and if the context ends first
// the streams are closed from our side.
func (c *stdio) drain(ctx context.Context) {
	if c.drained(ctx, c.opts.StopGrace) {
		return
	}
	if ctx.Err() == nil {
		c.session.note("left processes behind that kept its output open")
		c.kill(ctx)
		if c.drained(ctx, killPatience) {
			return
		}
	}
	for _, r := range []io.Reader{c.proc.Stdout(), c.proc.Stderr()} {
		if closer, ok := r.(io.Closer); ok {
			if err := closer.Close(); err != nil {
				c.opts.Logger.Debug("closing the server's output", "error", err)
			}
		}
	}
	if !c.drained(context.WithoutCancel(ctx), c.opts.StopGrace) {
		c.opts.Logger.Warn("the server's output could not be closed")
	}
}

// finish writes the ending into the session and returns a copy.
func (s *session) finish(closed, ending string) *mcpsf.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.Closed, s.out.Ending = closed, ending
	out := s.out
	return &out
}
