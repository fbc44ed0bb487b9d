package harness

import (
	"context"
	"time"
)

// lingerMost is how much longer than asked for a busy server is stayed with.
const lingerMost = 3

// linger stays with the server after the last call. What a call left running
// shows itself only when nothing more is asked, and a run that ended with the
// last answer would call it clean.
func (s *session) linger(ctx context.Context) error {
	if s.opts.Linger <= 0 {
		return nil
	}
	s.opts.Progress("wait", 0, 1)
	const glance = 100 * time.Millisecond
	for waited := time.Duration(0); waited < lingerMost*s.opts.Linger; waited += glance {
		if waited >= s.opts.Linger && !s.opts.Busy() {
			break
		}
		timer := time.NewTimer(glance)
		select {
		case <-timer.C:
		case <-s.link.gone():
			timer.Stop()
			return errGone
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
	s.opts.Progress("wait", 1, 1)
	return nil
}
