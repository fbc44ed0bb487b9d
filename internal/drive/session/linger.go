package session

import (
	"context"
	"time"

	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

const (
	// lingerMost is the factor by which the wait is extended while the server
	// is busy.
	// gap: late-work
	lingerMost = 3
	// glance is how often we check whether the server is still busy.
	glance = 100 * time.Millisecond
	// accompany is how long, by our clock, the server's time runs on normally
	// before it is advanced to the next timer.
	accompany = 800 * time.Millisecond
	// aftermath is how long to stay after a timer has fired.
	aftermath = time.Second
)

// linger stays with the server after the last call: background work of a call
// becomes visible only then. A server that has set a timer is watched until it
// fires.
func (s *session) linger(ctx context.Context) error {
	return (&lingering{waiter: s.waiter, timing: &s.opts.Timing, progress: s.opts.Progress}).run(ctx)
}

// lingering is the wait after the last call.
type lingering struct {
	*waiter
	timing   *Timing
	progress func(step string, done, total int)
}

func (l *lingering) run(ctx context.Context) error {
	if l.timing.Linger <= 0 {
		return nil
	}
	l.progress("wait", 0, 1)
	begun := l.timing.Clock.Now()
	if err := l.attend(ctx, l.timing.Linger); err != nil {
		return err
	}
	if err := l.waitForAlarms(ctx, begun); err != nil {
		return err
	}
	l.progress("wait", 1, 1)
	return nil
}

// attend stays for a time, for what of it other programs took, and while the server
// is busy: what a timer starts may need longer than the time alone.
func (l *lingering) attend(ctx context.Context, d time.Duration) error {
	begun, watch := l.timing.Clock.Now(), l.timing.stopwatch()
	if err := l.stay(ctx, d); err != nil {
		return err
	}
	for more := watch.extension(); more > 0; more = watch.extension() {
		if err := l.stay(ctx, more); err != nil {
			return err
		}
	}
	for l.timing.Busy() && l.timing.Clock.Now()-begun < lingerMost*d+watch.granted {
		if err := l.stay(ctx, glance); err != nil {
			return err
		}
	}
	return nil
}

// waitForAlarms stays until all timers that are due within the time have fired.
// A server with an endless periodic timer, such as a heartbeat, is not watched
// to the end.
func (l *lingering) waitForAlarms(ctx context.Context, begun time.Duration) error {
	ours, waited := l.timing.stopwatch(), false
	for ours.elapsed() < l.timing.Endure {
		left := l.timing.Patience - (l.timing.Clock.Now() - begun)
		rings := l.timing.Alarm(left)
		if rings <= 0 || left <= 0 {
			break
		}
		if ours.elapsed() > accompany {
			l.timing.Clock.Jump(rings)
		}
		if err := l.stayAtMost(ctx, rings, accompany); err != nil {
			return err
		}
		waited = true
	}
	if !waited {
		return nil
	}
	return l.attend(ctx, aftermath)
}

// waiter waits by the server's clock, until the server ends.
type waiter struct {
	clock transport.Clock
	gone  <-chan struct{}
}

// stay waits for a time of the server's clock, or until the server ends.
func (w *waiter) stay(ctx context.Context, d time.Duration) error { return w.stayAtMost(ctx, d, d) }

// stayAtMost does the same, but for at most a time of our own clock.
func (w *waiter) stayAtMost(ctx context.Context, d, most time.Duration) error {
	over, stop := w.clock.After(d)
	defer stop()
	enough := time.NewTimer(most)
	defer enough.Stop()
	select {
	case <-over:
		return nil
	case <-enough.C:
		return nil
	case <-w.gone:
		return errGone
	case <-ctx.Done():
		return ctx.Err()
	}
}
