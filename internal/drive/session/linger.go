package session

import (
	"context"
	"time"
)

const (
	// lingerMost is how much longer than asked for a busy server is stayed with.
	lingerMost = 3
	// glance is how often is looked whether to go.
	glance = 100 * time.Millisecond
	// accompany is how long, by our clock, everything is watched that happens on
	// the way to an alarm.
	accompany = 800 * time.Millisecond
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
	begun := s.opts.Clock.Now()
	if err := s.stay(ctx, s.opts.Linger); err != nil {
		return err
	}
	for s.opts.Busy() && s.opts.Clock.Now()-begun < lingerMost*s.opts.Linger {
		if err := s.stay(ctx, glance); err != nil {
			return err
		}
	}
	if err := s.waitForAlarms(ctx, begun); err != nil {
		return err
	}
	s.opts.Progress("wait", 1, 1)
	return nil
}

// waitForAlarms stays until all have rung that do so in time. Who does much on
// the way there, a heartbeat, is not accompanied all the way.
func (s *session) waitForAlarms(ctx context.Context, begun time.Duration) error {
	ours, waited := time.Now(), false
	for time.Since(ours) < s.opts.Endure {
		left := s.opts.Patience - (s.opts.Clock.Now() - begun)
		rings := s.opts.Alarm(left)
		if rings <= 0 || left <= 0 {
			break
		}
		if time.Since(ours) > accompany {
			s.opts.Clock.Leap(rings)
		}
		if err := s.stayAtMost(ctx, rings, accompany); err != nil {
			return err
		}
		waited = true
	}
	if !waited {
		return nil
	}
	return s.stay(ctx, aftermath)
}

// stay waits, unless there is nobody to wait for any more.
func (s *session) stay(ctx context.Context, d time.Duration) error { return s.stayAtMost(ctx, d, d) }

// stayAtMost does so for a time of the server's clock and at most one of ours.
func (s *session) stayAtMost(ctx context.Context, d, most time.Duration) error {
	over, stop := s.opts.Clock.After(d)
	defer stop()
	enough := time.NewTimer(most)
	defer enough.Stop()
	select {
	case <-over:
		return nil
	case <-enough.C:
		return nil
	case <-s.link.gone():
		return errGone
	case <-ctx.Done():
		return ctx.Err()
	}
}
