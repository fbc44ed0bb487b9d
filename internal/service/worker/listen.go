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

const (
	// maxLine is the longest line a job's process may say.
	maxLine = 4 << 20
	// maxHeard is how much of a job is told live: the rest is in its report.
	maxHeard = 6 << 20
	// maxPart is how much is told at once.
	maxPart = 256 << 10
)

// teller holds what a job has said and nobody was told yet.
type teller struct {
	mu    sync.Mutex
	lines []byte
	// next is what is being told: while it is not known whether it was heard,
	// the same has to be told again.
	next     []byte
	heard    int
	progress job.Progress
	changed  bool
}

// part returns what is to be told next, the same until [teller.was] is called.
func (t *teller) part() []byte {
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

// was says that a part was told, or never will be.
func (t *teller) was() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next = nil
}

// where is how far the job is, and whether that is news.
func (t *teller) where() (job.Progress, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	changed := t.changed
	t.changed = false
	return t.progress, changed
}

// hear takes a line in. Once there was too much, only progress is told, and
// that only if somebody listens.
func (t *teller) hear(line []byte, l *job.Line) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l.Progress != nil {
		t.changed = t.changed || t.progress != *l.Progress
		t.progress = *l.Progress
	}
	switch {
	case t.heard > maxHeard && (l.Progress == nil || len(t.lines) > maxPart):
		return
	case t.heard+len(line) > maxHeard && t.heard <= maxHeard:
		line = append(line[:0:0], `{"note":"what comes now is in the report only: it is too much to be shown live"}`...)
		t.heard = maxHeard + 1
	default:
		t.heard += len(line)
	}
	t.lines = append(append(t.lines, line...), '\n')
}

// listen takes in what a job's process says until it is silent, and returns
// its last word.
func (r *run) listen(ctx context.Context, from io.Reader) *job.Line {
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	var last *job.Line
	step, since := "", time.Now()
	for lines.Scan() {
		var l job.Line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			r.log.Warn("the job's process says what makes no sense", "error", err)
			continue
		}
		if l.Done != nil || l.Failed != nil {
			last = &l
			continue
		}
		if l.Progress != nil && l.Progress.Step != step {
			if step != "" {
				r.worker.opts.Meter.Stepped(step, time.Since(since))
			}
			step, since = l.Progress.Step, time.Now()
			r.traced.Phase(ctx, step)
		}
		r.told.hear(lines.Bytes(), &l)
	}
	if step != "" {
		r.worker.opts.Meter.Stepped(step, time.Since(since))
	}
	r.traced.EndPhase()
	if lines.Err() != nil { // let it end: nobody reads what it says any more
		_, _ = io.Copy(io.Discard, from)
		return nil
	}
	return last
}

// tell hands on a part of what the job has said. It fails if the database cannot
// take it now.
func (r *run) tell(ctx context.Context) error {
	part := r.told.part()
	if len(part) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err := r.worker.opts.Store.Tell(ctx, r.claim, part)
	if passing(err) {
		r.log.Warn("what a job says cannot be told yet", "error", err)
		return err
	}
	if err != nil && !errors.Is(err, store.ErrLost) {
		r.log.Warn("what a job says cannot be told", "error", err)
	}
	r.told.was()
	return nil
}

// tellAll hands on all that is left.
func (r *run) tellAll(ctx context.Context) error {
	for len(r.told.part()) > 0 {
		if err := r.tell(ctx); err != nil {
			return err
		}
	}
	return nil
}

// passing tells whether an error is a matter of time.
func passing(err error) bool {
	return errors.Is(err, store.ErrGone) || errors.Is(err, store.ErrNoRoom) || errors.Is(err, context.DeadlineExceeded)
}

// tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(p []byte) (int, error) {
	const most = 4 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if len(t.buf) > most {
		t.buf = t.buf[len(t.buf)-most:]
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}
