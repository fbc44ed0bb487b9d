package worker

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/service/store/storetest"
)

func TestGood(t *testing.T) {
	storetest.Each(t, postgres, func(t *testing.T, database string) {
		b := newBench(t, database)
		b.work()
		j := b.ended(b.add("good", map[string]string{"TOKEN": "hunter2"}))
		if j.State != job.Done || j.Result == nil || j.Result.Band != mcpsf.BandPass || j.Result.Bytes == 0 || j.Progress.Percent != 100 {
			t.Errorf("it ended as %+v", j)
		}
		if got := b.kept(j, "report.json"); got != "map[TOKEN:hunter2]" {
			t.Errorf("the process had %q", got)
		}
		parts, _, err := b.store.Told(t.Context(), j, store.Place{})
		if err != nil || len(parts) == 0 || !strings.Contains(string(parts[0]), `"seq":1`) {
			t.Errorf("told %q, %v", parts, err)
		}
		left, err := os.ReadDir(b.temp)
		if err != nil || len(left) != 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	})
}

func TestArchive(t *testing.T) {
	b := newBench(t, filepath.Join(t.TempDir(), "db"))
	digest := strings.Repeat("a", 64)
	if _, err := b.files.Put(t.Context(), "uploads/"+digest, strings.NewReader("archive")); err != nil {
		t.Fatal(err)
	}
	n := &store.New{ID: job.NewID(), Project: "p", Request: job.Request{Archive: digest, ArchiveName: "../../--x y\x1b.tgz"}}
	if _, _, err := b.store.Add(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	b.work()
	if got := b.kept(b.ended(n.ID), "report.json"); got != "x_y_.tgz archive<nil>" {
		t.Errorf("the process had %q", got)
	}
}

// TestEnds tests every way in which a job can end.
func TestEnds(t *testing.T) {
	b := newBench(t, filepath.Join(t.TempDir(), "db"))
	b.work()
	for what, want := range map[string]struct {
		state    job.State
		attempts int
		message  string
	}{
		"usage":   {job.Failed, 1, "there is no such package"},
		"weather": {job.Failed, 3, "the registry is down"},
		"crash":   {job.Quarantined, 2, "the assessment crashed: 2 times"},
		"lie":     {job.Failed, 3, "the worker failed: storing the report: "},
		"long":    {job.Quarantined, 2, "the assessment crashed: 2 times"},
		"noise":   {job.Done, 1, ""},
		"flood":   {job.Done, 1, ""},
	} {
		t.Run(what, func(t *testing.T) {
			j := b.ended(b.add(what, nil))
			if j.State != want.state || j.Attempt != want.attempts {
				t.Errorf("it ended %s after %d tries, want %s after %d", j.State, j.Attempt, want.state, want.attempts)
			}
			if (j.Problem == nil) != (want.message == "") || j.Problem != nil && !strings.HasPrefix(j.Problem.Message, want.message) {
				t.Errorf("it says %+v, want %q", j.Problem, want.message)
			}
			files, err := b.files.List(t.Context(), "jobs/"+j.ID)
			if err != nil || (j.State == job.Done) != (len(files) == 1) {
				t.Errorf("files: %v, %v", files, err)
			}
		})
	}
}

// TestFloodIsBounded: the live events of a job are bounded.
func TestFloodIsBounded(t *testing.T) {
	b := newBench(t, filepath.Join(t.TempDir(), "db"))
	b.work()
	j := b.ended(b.add("flood", nil))
	total, noted := 0, false
	for place := (store.Place{}); ; {
		parts, next, err := b.store.Told(t.Context(), j, place)
		if err != nil {
			t.Fatal(err)
		}
		if len(parts) == 0 {
			break
		}
		for _, p := range parts {
			total += len(p)
			noted = noted || strings.Contains(string(p), `"note"`)
		}
		place = next
	}
	if total > maxLive+maxPart || total == 0 {
		t.Errorf("%d bytes were told", total)
	}
	if !noted || total < maxLive-maxPart {
		t.Errorf("%d bytes were told, and that there is more: %v", total, noted)
	}
}

func TestCancelled(t *testing.T) {
	storetest.Each(t, postgres, func(t *testing.T, database string) {
		b := newBench(t, database)
		b.work()
		for _, what := range []string{"hang", "deaf"} {
			id := b.add(what, nil)
			b.until(id, func(j *job.Job) bool { return j.State == job.Running })
			if _, err := b.store.Cancel(t.Context(), "p", id); err != nil {
				t.Fatal(err)
			}
			if j := b.ended(id); j.State != job.Cancelled {
				t.Errorf("%s: it ended %s", what, j.State)
			}
		}
	})
}

func TestTooLong(t *testing.T) {
	b := newBench(t, filepath.Join(t.TempDir(), "db"))
	b.opts.Times.Limit = 300 * time.Millisecond
	b.work()
	if j := b.ended(b.add("hang", nil)); j.State != job.Failed || j.Problem == nil || j.Problem.Code != mcpsf.CodeUnavailable {
		t.Errorf("it ended as %+v", j)
	}
}

// TestStopped stops a worker while a job runs: the job is queued again.
func TestStopped(t *testing.T) {
	b := newBench(t, filepath.Join(t.TempDir(), "db"))
	stop := b.work()
	id := b.add("hang", nil)
	b.until(id, func(j *job.Job) bool { return j.State == job.Running })
	stop()
	if j := b.until(id, func(*job.Job) bool { return true }); j.State != job.Queued || j.Attempt != 1 {
		t.Errorf("it is %s after %d tries", j.State, j.Attempt)
	}
}

// TestOvertaken takes a running job away: the files of the first worker are
// removed, and it records no end.
func TestOvertaken(t *testing.T) {
	b := newBench(t, filepath.Join(t.TempDir(), "db"))
	b.opts.Slots = 1
	b.work()
	id := b.add("2500", nil)
	b.until(id, func(j *job.Job) bool { return j.State == job.Running })
	c := b.steal(id)
	if err := b.store.Finish(t.Context(), c, &store.Outcome{State: job.Done, Result: &job.Result{Name: "of the other", Band: mcpsf.BandLow}}); err != nil {
		t.Fatal(err)
	}
	b.ended(b.add("good", nil)) // the slot is free again
	j := b.ended(id)
	if j.Result == nil || j.Result.Name != "of the other" {
		t.Errorf("the first worker ended it: %+v", j)
	}
	if files, err := b.files.List(t.Context(), "jobs/"+id); err != nil || len(files) != 0 {
		t.Errorf("its files are left: %v, %v", files, err)
	}
}

// steal lets the lease of a job expire and claims it. If the worker of the bench
// is faster, it tries again.
func (b *bench) steal(id string) *store.Claim {
	b.Helper()
	for range 200 {
		j, err := b.store.Job(b.Context(), "p", id)
		if err != nil {
			b.Fatal(err)
		}
		first := &store.Claim{Job: *j}
		if _, err := b.store.Renew(b.Context(), first, job.Progress{}, -time.Second); err != nil && !errors.Is(err, store.ErrLost) {
			b.Fatal(err)
		}
		if _, err := b.store.Reap(b.Context(), 1000, time.Minute); err != nil {
			b.Fatal(err)
		}
		if c, err := b.store.Claim(b.Context(), "thief", time.Minute); err != nil {
			b.Fatal(err)
		} else if c != nil {
			return c
		}
		time.Sleep(5 * time.Millisecond)
	}
	b.Fatal("the job cannot be had")
	return nil
}
