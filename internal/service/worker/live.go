package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// no gap: bounds requests to the service and what its pages show, not what a run sees
const (
	// maxLive bounds the live events of a job: all of them are in its report.
	maxLive = 6 << 20
	// maxPart is how much is sent to the store at once.
	maxPart = 256 << 10
)

// liveEvents buffers the output of a job until the store has it.
type liveEvents struct {
	mu    sync.Mutex
	lines []byte
	// next is being sent. While it is not known whether the store has it, the
	// same bytes have to be sent again.
	next []byte
	// total counts all bytes that were added.
	total    int
	progress job.Progress
	changed  bool
}

// part returns what is to be sent next, the same until [liveEvents.sent] is
// called.
func (t *liveEvents) part() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.next) > 0 {
		return t.next
	}
	n := len(t.lines)
	if n > maxPart {
		for n = maxPart; n > 0 && t.lines[n-1] != '\n'; n-- {
		}
		if n == 0 { // one line is longer
			n = len(t.lines)
		}
	}
	t.next, t.lines = t.lines[:n:n], t.lines[n:]
	return t.next
}

// sent drops the part: the store has it, or refused it for good.
func (t *liveEvents) sent() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next = nil
}

// current is the progress of the job, and whether it has changed since the last
// call.
func (t *liveEvents) current() (job.Progress, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	changed := t.changed
	t.changed = false
	return t.progress, changed
}

// add adds a line. Above the limit it keeps only progress, and that only while
// the store keeps up.
func (t *liveEvents) add(line []byte, l *job.Line) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l.Progress != nil {
		t.changed = t.changed || t.progress != *l.Progress
		t.progress = *l.Progress
	}
	switch {
	case t.total > maxLive && (l.Progress == nil || len(t.lines) > maxPart):
		return
	case t.total+len(line) > maxLive && t.total <= maxLive:
		line = append(line[:0:0], `{"note":"too many events to show live; the rest will be in the report"}`...)
		t.total = maxLive + 1
	default:
		t.total += len(line)
	}
	t.lines = append(append(t.lines, line...), '\n')
}

// read reads the output of a job's process until it ends, and returns its final
// line.
func (r *run) read(ctx context.Context, from io.Reader) *job.Line {
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 64<<10), job.MaxLine)
	var last *job.Line
	step, since := "", time.Now()
	for lines.Scan() {
		var l job.Line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			r.log.Warn("invalid line from the job process", "error", err)
			continue
		}
		if l.Done != nil || l.Failed != nil {
			last = &l
			continue
		}
		if l.Progress != nil && l.Progress.Step != step {
			if step != "" {
				r.worker.opts.Telemetry.Meter.Stepped(step, time.Since(since))
			}
			step, since = l.Progress.Step, time.Now()
			r.traced.Phase(ctx, step)
		}
		r.live.add(lines.Bytes(), &l)
	}
	if step != "" {
		r.worker.opts.Telemetry.Meter.Stepped(step, time.Since(since))
	}
	r.traced.EndPhase()
	if lines.Err() != nil { // a line is too long: drop the rest, so that the process can end
		_, _ = io.Copy(io.Discard, from)
		return nil
	}
	return last
}

// send sends a part of the live events to the store. It fails if that should be
// tried again.
func (r *run) send(ctx context.Context) error {
	part := r.live.part()
	if len(part) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err := r.worker.opts.Store.Tell(ctx, r.claim, part)
	if isTemporary(err) {
		r.log.Warn("cannot send live events yet", "error", err)
		return err
	}
	if err != nil && !errors.Is(err, store.ErrLost) {
		r.log.Warn("cannot send live events", "error", err)
	}
	r.live.sent()
	return nil
}

// sendAll sends all that is left.
func (r *run) sendAll(ctx context.Context) error {
	for len(r.live.part()) > 0 {
		if err := r.send(ctx); err != nil {
			return err
		}
	}
	return nil
}

// isTemporary tells whether to try again later.
func isTemporary(err error) bool {
	return errors.Is(err, store.ErrGone) || errors.Is(err, store.ErrNoRoom) || errors.Is(err, context.DeadlineExceeded)
}
