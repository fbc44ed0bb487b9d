package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// fullStore has no space for that many files.
type fullStore struct {
	blob.Store
	left atomic.Int64
}

func (f *fullStore) Put(ctx context.Context, name string, r io.Reader) (int64, error) {
	if f.left.Add(-1) >= 0 {
		_, _ = io.CopyN(io.Discard, r, 1)
		return 0, fmt.Errorf("keeping %s: %w", name, syscall.ENOSPC)
	}
	return f.Store.Put(ctx, name, r)
}

// told returns all live events of a job.
func (b *bench) told(j *job.Job) string {
	b.Helper()
	var all strings.Builder
	for place := (store.Place{}); ; {
		parts, next, err := b.store.Told(b.Context(), j, place)
		if err != nil {
			b.Fatal(err)
		}
		if len(parts) == 0 {
			return all.String()
		}
		for _, p := range parts {
			all.Write(p)
		}
		place = next
	}
}

// TestKeptLater: the file store is full when a job is done. The job waits with
// its report, and a live event says so.
func TestKeptLater(t *testing.T) {
	b := newBench(t, filepath.Join(t.TempDir(), "db"))
	full := &fullStore{Store: b.files}
	full.left.Store(4)
	b.opts.Files = full
	b.work()
	j := b.ended(b.add("good", nil))
	if j.State != job.Done || j.Attempt != 1 || b.kept(j, "report.json") == "" {
		t.Errorf("it ended %s after %d tries", j.State, j.Attempt)
	}
	if told := b.told(j); strings.Count(told, "cannot be stored") != 1 {
		t.Errorf("it told %s", told)
	}
}

// TestNeverKept: the file store stays full. The job fails with the reason, and
// its stored files are removed.
func TestNeverKept(t *testing.T) {
	b := newBench(t, filepath.Join(t.TempDir(), "db"))
	full := &fullStore{Store: b.files}
	full.left.Store(1 << 40)
	b.opts.Files, b.opts.Times.Keep = full, time.Nanosecond
	b.work()
	j := b.ended(b.add("good", nil))
	if j.State != job.Failed || j.Attempt != maxAttempts || j.Problem.Code != mcpsf.CodeUnavailable || !strings.Contains(j.Problem.Message, "is full") {
		t.Errorf("it ended %s after %d tries: %+v", j.State, j.Attempt, j.Problem)
	}
}

// TestNoRoom: a worker without disk space begins no job until there is some.
func TestNoRoom(t *testing.T) {
	b := newBench(t, filepath.Join(t.TempDir(), "db"))
	var asked, free atomic.Int64
	b.opts.Machine.Room = func() error {
		if asked.Add(1); free.Load() == 0 {
			return errors.New("there is no room")
		}
		return nil
	}
	b.work()
	id := b.add("good", nil)
	j := b.until(id, func(*job.Job) bool { return asked.Load() >= 3 })
	if j.State != job.Queued || j.Attempt != 0 {
		t.Errorf("it is %s after %d tries", j.State, j.Attempt)
	}
	free.Store(1)
	if j := b.ended(id); j.State != job.Done || j.Attempt != 1 {
		t.Errorf("it ended %s after %d tries", j.State, j.Attempt)
	}
}

// TestToldAfterOutage stops the database twice while a job sends events: the job
// ends in its first attempt, and all events are stored, once and in order.
func TestToldAfterOutage(t *testing.T) {
	b := newBench(t, postgres.Database(t))
	b.work()
	id := b.add("stream", nil)
	for _, end := range []func(){postgres.Shutdown, postgres.Kill} {
		j := b.until(id, func(j *job.Job) bool { return j.State == job.Running })
		before := len(b.told(j))
		b.until(id, func(j *job.Job) bool { return len(b.told(j)) > before })
		end()
		time.Sleep(time.Second)
		if err := postgres.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	j := b.ended(id)
	if j.State != job.Done || j.Attempt != 1 {
		t.Errorf("it ended %s after %d tries: %+v", j.State, j.Attempt, j.Problem)
	}
	var want strings.Builder
	for i := range streamed {
		fmt.Fprintf(&want, "{\"event\":{\"seq\":%d}}\n", i+1)
	}
	if got := b.told(j); got != want.String() {
		t.Errorf("told %q", got)
	}
}
