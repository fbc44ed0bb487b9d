package session

import "time"

// stopwatch measures time without what other programs took of the processors.
type stopwatch struct {
	began  time.Time
	lost   func() time.Duration
	before time.Duration
	// granted is what a wait was extended by.
	granted time.Duration
}

func (t *Timing) stopwatch() stopwatch {
	return stopwatch{began: time.Now(), lost: t.Lost, before: t.Lost()}
}

// stalled returns the time that was lost since it began.
func (w *stopwatch) stalled() time.Duration { return w.lost() - w.before }

// elapsed returns the time that could be used since it began.
func (w *stopwatch) elapsed() time.Duration {
	passed := time.Since(w.began)
	return passed - min(passed, max(0, w.stalled()))
}

// extension returns by how much a wait goes on that is over: the time that was lost,
// and by which it was not extended yet. It is 0 if that is too little.
func (w *stopwatch) extension() time.Duration {
	more := w.stalled() - w.granted
	if more < leastExtension {
		return 0
	}
	w.granted += more
	return more
}

// leastExtension is the time lost below which a wait is not extended.
const leastExtension = 50 * time.Millisecond // no gap: it is added to the limit or not

// limit returns a channel that is closed when a request took too long, by our
// clock or by the server's. Time that was lost to other programs meanwhile is
// added to both: whether a call times out must not depend on them.
func (q *requester) limit(timeout time.Duration) (over <-chan struct{}, stop func()) {
	up, quit, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	watch := q.opts.Timing.stopwatch()
	late, forget := q.opts.Timing.Clock.After(q.patience(timeout))
	ours := time.NewTimer(timeout)
	go func() {
		defer close(ended)
		for {
			select {
			case <-quit:
				forget()
				ours.Stop()
				return
			case <-late:
			case <-ours.C:
			}
			forget()
			ours.Stop()
			more := watch.extension()
			if more == 0 {
				close(up)
				return
			}
			late, forget = q.opts.Timing.Clock.After(more)
			ours = time.NewTimer(more)
		}
	}()
	return up, func() {
		close(quit)
		<-ended
	}
}
