package child

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// patience is how many times longer than its limit of processor time something may
// take in all: on a busy machine a child waits for others.
const patience = 5

// look is how often the processor time of a child is looked at.
const look = 50 * time.Millisecond

// watch kills a child that takes too long.
type watch struct {
	process *os.Process
	limit   time.Duration
	began   time.Time
	before  time.Duration // the processor time that the child had used
	stop    chan struct{}
	wg      sync.WaitGroup
	late    string
}

func newWatch(p *os.Process, limit time.Duration) *watch {
	w := &watch{process: p, limit: limit, began: time.Now(), stop: make(chan struct{})}
	w.before, _ = processorTime(p.Pid) // if it is not known, it is not known later
	w.wg.Go(w.run)
	return w
}

// run looks at the child until the watch ends or the child is too late.
func (w *watch) run() {
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-tick.C:
		}
		switch {
		case w.spent() > w.limit:
			w.late = fmt.Sprintf("reading it took more than %s", w.limit)
		case time.Since(w.began) > patience*w.limit:
			w.late = fmt.Sprintf("the reading process did not answer within %s", patience*w.limit)
		default:
			continue
		}
		_ = w.process.Kill()
		return
	}
}

// spent returns the processor time since the watch began, or the time that passed
// where that is not known.
func (w *watch) spent() time.Duration {
	now, err := processorTime(w.process.Pid)
	if err != nil {
		return time.Since(w.began)
	}
	return now - w.before
}

// end ends the watch, and says why it killed the child; "" if it did not.
func (w *watch) end() string {
	close(w.stop)
	w.wg.Wait()
	return w.late
}
