package session

import (
	"context"
	"syscall"

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
	closed, ending = c.end(ctx, c.endedAlone(ctx), []step{
		{func() { c.flush(ctx); c.closeStdin() }, closedOrderly, ""},
		{func() { c.signal(ctx, syscall.SIGTERM) }, closedTerminated, "the server did not end when its input was closed"},
		{func() { c.signal(ctx, syscall.SIGKILL) }, closedKilled, "the server ignored SIGTERM"},
	})
	c.closeStdin()
	c.drain(ctx)
	c.others.Wait()
	if c.tap.reached() { // perhaps only with its last words
		return closedLimit, "the server wrote " + c.tap.why
	}
	return closed, ending
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

// finish writes the ending into the session and returns a copy.
func (s *session) finish(closed, ending string) *mcpsf.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.Closed, s.out.Ending = closed, ending
	out := s.out
	return &out
}
