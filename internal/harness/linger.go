package harness

import (
	"context"
	"time"
)

const (
	// lingerMost is how much longer than asked for a busy server is stayed with.
	lingerMost = 3
	// glance is how often is looked whether to go.
	glance = 100 * time.Millisecond
	// aftermath is how long to stay after an alarm has rung.
	aftermath = time.Second
)

// linger stays with the server after the last call. What a call left running
// shows itself only when nothing more is asked, and a run that ended with the
// last answer would call it clean. Who has set an alarm is waited for.
func (s *session) linger(ctx context.Context) error {
	if s.opts.Linger <= 0 {
		return nil
	}
	s.opts.Progress("wait", 0, 1)
	begun := time.Now()
	for {
		waited := time.Since(begun)
		if waited >= s.opts.Linger && (waited >= lingerMost*s.opts.Linger || !s.opts.Busy()) {
			break
		}
		if err := s.stay(ctx, glance); err != nil {
			return err
		}
	}
	for {
		left := s.opts.Patience - time.Since(begun)
		rings := s.opts.Alarm(left)
		if rings <= 0 || left <= 0 {
			break
		}
		if err := s.stay(ctx, rings+aftermath); err != nil {
			return err
		}
	}
	s.opts.Progress("wait", 1, 1)
	return nil
}

// stay waits, unless there is nobody to wait for any more.
func (s *session) stay(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-s.link.gone():
		return errGone
	case <-ctx.Done():
		return ctx.Err()
	}
}
