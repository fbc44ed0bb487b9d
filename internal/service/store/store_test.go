package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store/storetest"
)

const lease = time.Minute

func add(t *testing.T, s *Store, n *New) *job.Job {
	t.Helper()
	if n.Project == "" {
		n.Project = "a"
	}
	if n.Request.Source == "" {
		n.Request.Source = "npm:notes@1.0.0"
	}
	n.ID = job.NewID()
	j, _, err := s.Add(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func claim(t *testing.T, s *Store, lease time.Duration) *Claim {
	t.Helper()
	c, err := s.Claim(t.Context(), "w1", lease)
	if err != nil || c == nil {
		t.Fatalf("nothing was claimed: %v", err)
	}
	return c
}

func get(t *testing.T, s *Store, id string) *job.Job {
	t.Helper()
	j, err := s.Job(t.Context(), "a", id)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func finish(t *testing.T, s *Store, c *Claim, o *Outcome) {
	t.Helper()
	if err := s.Finish(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
}

func done(band mcpsf.Band) *Outcome {
	return &Outcome{State: job.Done, Result: &job.Result{Name: "notes", Version: "1.0.0", Digest: "sha256:1", Band: band, Score: 7, Findings: 2, Tool: "dev", Bytes: 100}}
}

// encrypted returns the values of variables as stored in the database.
func encrypted(t *testing.T, s *Store, id string) []byte {
	t.Helper()
	var b []byte
	if err := s.read.QueryRowContext(t.Context(), s.sql(`SELECT sealed FROM jobs WHERE id = $1`), id).Scan(&b); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestLife(t *testing.T) {
	each(t, func(t *testing.T, s *Store) {
		seed := uint64(1<<63 + 5)
		request := job.Request{Source: "npm:notes@1.0.0", Profile: "safe", Detectors: []string{"a", "-b"}, Env: map[string]string{"TOKEN": ""},
			Command: []string{"node", "x\x1b'\"\u202e"}, Options: job.Options{Seed: &seed, Network: "none"}}
		j := add(t, s, &New{Request: request, Priority: 3, EncryptedEnv: []byte{0, 1, 2}})
		want := &job.Job{ID: j.ID, Project: "a", State: job.Queued, Request: request, Priority: 3, Created: j.Created}
		if d := cmp.Diff(want, j); d != "" {
			t.Error(d)
		}
		if age := time.Since(j.Created); age < -time.Minute || age > time.Minute {
			t.Errorf("it was made %s ago", age)
		}
		c := claim(t, s, lease)
		if c.Job.ID != j.ID || c.Job.State != job.Running || c.Job.Attempt != 1 || c.Job.Worker != "w1" || !slices.Equal(c.EncryptedEnv, []byte{0, 1, 2}) {
			t.Errorf("claimed %+v", c)
		}
		if again, err := s.Claim(t.Context(), "w2", lease); err != nil || again != nil {
			t.Errorf("claimed twice: %+v, %v", again, err)
		}
		if cancel, err := s.Renew(t.Context(), c, job.Progress{Percent: 40, Step: "drive", Text: "3 tools"}, lease); err != nil || cancel {
			t.Errorf("renewing: %v, %v", cancel, err)
		}
		if got := get(t, s, j.ID); got.Progress != (job.Progress{Percent: 40, Step: "drive", Text: "3 tools"}) || got.Started == nil {
			t.Errorf("while it runs: %+v", got)
		}
		finish(t, s, c, done(mcpsf.BandLow))
		got := get(t, s, j.ID)
		if got.State != job.Done || got.Ended == nil || got.Result == nil || got.Result.Band != mcpsf.BandLow || got.Result.Bytes != 100 || got.Progress.Percent != 100 {
			t.Errorf("at the end: %+v", got)
		}
		if encrypted(t, s, j.ID) != nil {
			t.Error("the values of variables are left")
		}
		if err := s.Finish(t.Context(), c, done(mcpsf.BandPass)); !errors.Is(err, ErrLost) {
			t.Errorf("it ended twice: %v", err)
		}
	})
}

func TestOtherProjects(t *testing.T) {
	each(t, func(t *testing.T, s *Store) {
		j := add(t, s, &New{})
		if _, err := s.Job(t.Context(), "b", j.ID); !errors.Is(err, ErrNotFound) {
			t.Errorf("another project sees the job: %v", err)
		}
		if _, err := s.Cancel(t.Context(), "b", j.ID); !errors.Is(err, ErrNotFound) {
			t.Errorf("another project ends the job: %v", err)
		}
		if jobs, err := s.Jobs(t.Context(), "b", &Filter{}); err != nil || len(jobs) != 0 {
			t.Errorf("another project lists the job: %v, %v", jobs, err)
		}
		if get(t, s, j.ID).State != job.Queued {
			t.Error("another project changed it")
		}
	})
}

func TestSharing(t *testing.T) {
	each(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		n := &New{Project: "a", Request: job.Request{Source: "npm:notes"}, Same: "s1", Fresh: time.Hour}
		first := add(t, s, n)
		shares := func(what string, want bool) *job.Job {
			t.Helper()
			n.ID = job.NewID()
			j, shared, err := s.Add(ctx, n)
			if err != nil || shared != want {
				t.Errorf("%s: shared %v, %v", what, shared, err)
			}
			return j
		}
		if shares("while it waits", true).ID != first.ID {
			t.Error("another one was shared")
		}
		c := claim(t, s, lease)
		shares("while it runs", true)
		finish(t, s, c, done(mcpsf.BandPass))
		shares("once it is done", true)
		n.Fresh = -time.Hour
		second := shares("when the answer is old", false)
		finish(t, s, claim(t, s, lease), &Outcome{State: job.Failed, Problem: &job.Problem{Code: mcpsf.CodeInternal, Message: "x"}})
		third := shares("when it failed", false)
		if _, err := s.Cancel(ctx, "a", third.ID); err != nil {
			t.Fatal(err)
		}
		n.Force, n.Fresh = true, time.Hour
		forced := shares("when another is wanted", false)
		if forced.ID == second.ID || forced.ID == first.ID {
			t.Error("it is the old one")
		}
		n.Force = false
		finish(t, s, claim(t, s, lease), done(mcpsf.BandInconclusive))
		if shares("when nothing could be decided", true).ID != first.ID {
			t.Error("what could not be decided was shared")
		}
		n.Project = "b"
		shares("of another project", false)

		pinned := &New{Project: "p", Request: job.Request{Source: "npm:notes@1.0.0"}, Same: "s2", Fresh: -time.Hour}
		add(t, s, pinned)
		var c2 *Claim
		for c2 == nil || c2.Job.Project != "p" {
			c2 = claim(t, s, lease)
		}
		finish(t, s, c2, done(mcpsf.BandPass))
		if _, shared, err := s.Add(ctx, pinned); err != nil || !shared {
			t.Errorf("a pinned version is answered anew: %v", err)
		}
	})
}

// TestSameAtOnce submits the same request concurrently.
func TestSameAtOnce(t *testing.T) {
	each(t, func(t *testing.T, s *Store) {
		for name, n := range map[string]New{"same": {Same: "x", Fresh: time.Hour}, "idempotent": {Idempotency: "i", Asked: "1"}} {
			ids := make(chan string, 40)
			var wg sync.WaitGroup
			for range cap(ids) {
				wg.Go(func() {
					n := n
					n.ID, n.Project, n.Request.Source = job.NewID(), name, "npm:notes"
					j, _, err := s.Add(context.Background(), &n)
					if err != nil {
						t.Error(err)
						return
					}
					ids <- j.ID
				})
			}
			wg.Wait()
			close(ids)
			got := map[string]bool{}
			for id := range ids {
				got[id] = true
			}
			if len(got) != 1 {
				t.Errorf("%s: %d jobs", name, len(got))
			}
		}
	})
}

func TestIdempotency(t *testing.T) {
	each(t, func(t *testing.T, s *Store) {
		n := &New{Idempotency: "i1", Asked: "digest"}
		first := add(t, s, n)
		n.Force = true // the same request again
		if again := add(t, s, n); again.ID != first.ID {
			t.Error("it was queued twice")
		}
		n.Asked = "another"
		if _, _, err := s.Add(t.Context(), n); !errors.Is(err, ErrConflict) {
			t.Errorf("another request has the same name: %v", err)
		}
		n.Project = "b"
		if other := add(t, s, n); other.ID == first.ID {
			t.Error("the name is shared between projects")
		}
	})
}

func TestFullQueue(t *testing.T) {
	each(t, func(t *testing.T, s *Store) {
		for range 3 {
			add(t, s, &New{Waiting: 3})
		}
		if _, _, err := s.Add(t.Context(), &New{Project: "a", Waiting: 3}); !errors.Is(err, ErrFull) {
			t.Errorf("a fourth is let in: %v", err)
		}
		add(t, s, &New{Project: "b", Waiting: 3})
		claim(t, s, lease)
		claim(t, s, lease)
		add(t, s, &New{Waiting: 3})
	})
}

// TestFairShare has a project with many jobs and one with few, and jobs of
// different priority.
func TestFairShare(t *testing.T) {
	each(t, func(t *testing.T, s *Store) {
		for i := range 6 {
			add(t, s, &New{Project: "many", Priority: 9, Request: job.Request{Source: fmt.Sprintf("npm:many-%d", i)}})
		}
		for i, priority := range []int{0, 0, 5, -1} {
			add(t, s, &New{Project: "few", Priority: priority, Request: job.Request{Source: fmt.Sprintf("npm:few-%d", i)}})
		}
		var order []string
		var few []string
		for range 8 {
			c := claim(t, s, lease)
			order = append(order, c.Job.Project)
			if c.Job.Project == "few" {
				few = append(few, c.Job.Request.Source)
			}
			time.Sleep(2 * time.Millisecond) // times are stored in milliseconds
		}
		for i := 0; i < len(order); i += 2 {
			if order[i] == order[i+1] {
				t.Errorf("one has two of a pair: %v", order)
			}
		}
		if want := []string{"npm:few-2", "npm:few-0", "npm:few-1", "npm:few-3"}; !slices.Equal(few, want) {
			t.Errorf("within a project: %v, want %v", few, want)
		}
	})
}

// TestManyWorkers claims and ends jobs concurrently: each job ends once.
func TestManyWorkers(t *testing.T) {
	each(t, func(t *testing.T, s *Store) {
		const jobs, workers = 300, 12
		for i := range jobs {
			add(t, s, &New{Project: fmt.Sprintf("p%d", i%5)})
		}
		var mu sync.Mutex
		ended := map[string]int{}
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				for misses := 0; misses < 20; {
					c, err := s.Claim(context.Background(), fmt.Sprintf("w%d", w), lease)
					if err != nil {
						t.Error(err)
						return
					}
					if c == nil { // others may hold the last jobs for a moment
						misses++
						time.Sleep(5 * time.Millisecond)
						continue
					}
					misses = 0
					if err := s.Finish(context.Background(), c, done(mcpsf.BandPass)); err != nil {
						t.Error(err)
					}
					mu.Lock()
					ended[c.Job.ID]++
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		for id, n := range ended {
			if n != 1 {
				t.Errorf("%s ended %d times", id, n)
			}
		}
		counts, err := s.Counts(t.Context())
		if err != nil || len(ended) != jobs || counts[job.Done] != jobs {
			t.Errorf("%d ended, %v, %v", len(ended), counts, err)
		}
	})
}

func TestLostWorker(t *testing.T) {
	each(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		j := add(t, s, &New{EncryptedEnv: []byte("v")})
		old := claim(t, s, -time.Second) // its lease expires at once
		kept := add(t, s, &New{})
		claim(t, s, lease)
		r, err := s.Reap(ctx, 2, lease)
		if err != nil || r != (Reaped{Requeued: 1}) {
			t.Fatalf("reaped %+v, %v", r, err)
		}
		if get(t, s, kept.ID).State != job.Running {
			t.Error("a job with a lease was taken away")
		}
		second := claim(t, s, lease)
		if second.Job.ID != j.ID || second.Job.Attempt != 2 || string(second.EncryptedEnv) != "v" {
			t.Errorf("the second try is %+v", second)
		}
		if _, err := s.Renew(ctx, old, job.Progress{}, lease); !errors.Is(err, ErrLost) {
			t.Errorf("the first renews: %v", err)
		}
		if err := s.Tell(ctx, old, []byte("x")); !errors.Is(err, ErrLost) {
			t.Errorf("the first tells: %v", err)
		}
		if err := s.Finish(ctx, old, done(mcpsf.BandPass)); !errors.Is(err, ErrLost) {
			t.Errorf("the first ends it: %v", err)
		}
		if _, err := s.Renew(ctx, second, job.Progress{}, -time.Second); err != nil {
			t.Fatal(err)
		}
		if r, err := s.Reap(ctx, 2, lease); err != nil || r != (Reaped{Quarantined: 1}) {
			t.Errorf("reaped %+v, %v", r, err)
		}
		got := get(t, s, j.ID)
		if got.State != job.Quarantined || got.Ended == nil || got.Problem == nil || got.Problem.Message != "it took down what ran it, 2 times" {
			t.Errorf("after two tries: %+v", got)
		}
		if encrypted(t, s, j.ID) != nil {
			t.Error("the values of variables are left")
		}
	})
}

func TestTriedAgain(t *testing.T) {
	each(t, func(t *testing.T, s *Store) {
		j := add(t, s, &New{EncryptedEnv: []byte("v")})
		finish(t, s, claim(t, s, lease), &Outcome{State: job.Queued, Crashed: true, After: time.Hour, Problem: &job.Problem{Code: mcpsf.CodeInternal, Message: "x"}})
		if got := get(t, s, j.ID); got.State != job.Queued || got.Ended != nil || encrypted(t, s, j.ID) == nil {
			t.Errorf("before another try: %+v", got)
		}
		if c, err := s.Claim(t.Context(), "w", lease); err != nil || c != nil {
			t.Errorf("it is tried too early: %v, %v", c, err)
		}
	})
}

func TestCancel(t *testing.T) {
	each(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		waiting := add(t, s, &New{EncryptedEnv: []byte("v")})
		if j, err := s.Cancel(ctx, "a", waiting.ID); err != nil || j.State != job.Cancelled || j.Ended == nil || encrypted(t, s, j.ID) != nil {
			t.Errorf("one that waits: %+v, %v", j, err)
		}
		running := add(t, s, &New{})
		c := claim(t, s, lease)
		if j, err := s.Cancel(ctx, "a", running.ID); err != nil || j.State != job.Running || !j.Cancelling {
			t.Errorf("one that runs: %+v, %v", j, err)
		}
		if cancel, err := s.Renew(ctx, c, job.Progress{}, lease); err != nil || !cancel {
			t.Errorf("the worker is not told: %v, %v", cancel, err)
		}
		finish(t, s, c, &Outcome{State: job.Cancelled})
		if j, err := s.Cancel(ctx, "a", running.ID); err != nil || j.State != job.Cancelled || j.Cancelling {
			t.Errorf("one that has ended: %+v, %v", j, err)
		}
		lost := add(t, s, &New{})
		claim(t, s, -time.Second)
		if _, err := s.Cancel(ctx, "a", lost.ID); err != nil {
			t.Fatal(err)
		}
		if r, err := s.Reap(ctx, 2, lease); err != nil || r != (Reaped{Cancelled: 1}) {
			t.Errorf("one whose worker is gone: %+v, %v", r, err)
		}
		if _, err := s.Cancel(ctx, "a", "no-such"); !errors.Is(err, ErrNotFound) {
			t.Errorf("one that is not there: %v", err)
		}
	})
}

func TestHistory(t *testing.T) {
	each(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		for i := range 7 {
			add(t, s, &New{Request: job.Request{Source: fmt.Sprintf("npm:Notes_%d", i)}})
		}
		finish(t, s, claim(t, s, lease), done(mcpsf.BandHigh))
		sources := func(f Filter) []string {
			t.Helper()
			jobs, err := s.Jobs(ctx, "a", &f)
			if err != nil {
				t.Fatal(err)
			}
			out := []string{}
			for i := range jobs {
				out = append(out, jobs[i].Request.Source)
			}
			return out
		}
		first, err := s.Jobs(ctx, "a", &Filter{Limit: 4})
		if err != nil || len(first) != 4 || first[0].Request.Source != "npm:Notes_6" {
			t.Fatalf("first page: %v, %v", first, err)
		}
		for name, tt := range map[string]struct {
			filter Filter
			want   []string
		}{
			"next page":     {Filter{Limit: 4, Before: first[3].ID}, []string{"npm:Notes_2", "npm:Notes_1", "npm:Notes_0"}},
			"state":         {Filter{State: job.Done}, []string{"npm:Notes_0"}},
			"band":          {Filter{Band: mcpsf.BandHigh}, []string{"npm:Notes_0"}},
			"no such band":  {Filter{Band: mcpsf.BandPass}, []string{}},
			"part":          {Filter{Text: "tes_3"}, []string{"npm:Notes_3"}},
			"letters":       {Filter{Text: "NOTES_3"}, []string{"npm:Notes_3"}},
			"no wild cards": {Filter{Text: "%"}, []string{}},
			"nor this":      {Filter{Text: "notes_"}, sources(Filter{})},
			"a quote":       {Filter{Text: `'; DROP TABLE jobs; --\`}, []string{}},
			"name":          {Filter{Name: "notes"}, []string{"npm:Notes_0"}},
			"both":          {Filter{Text: "notes_0", State: job.Queued}, []string{}},
		} {
			if got := sources(tt.filter); !slices.Equal(got, tt.want) {
				t.Errorf("%s: %v, want %v", name, got, tt.want)
			}
		}
	})
}

func TestTold(t *testing.T) {
	each(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		j := add(t, s, &New{})
		c := claim(t, s, -time.Second)
		for _, text := range []string{"one\n", "two\n"} {
			if err := s.Tell(ctx, c, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		listen := func(since Place) (string, Place) {
			t.Helper()
			parts, next, err := s.Told(ctx, get(t, s, j.ID), since)
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			for _, p := range parts {
				text += string(p)
			}
			return text, next
		}
		text, place := listen(Place{})
		if text != "one\ntwo\n" {
			t.Errorf("told %q", text)
		}
		if text, _ := listen(place); text != "" {
			t.Errorf("told again: %q", text)
		}
		if _, err := s.Reap(ctx, 5, lease); err != nil {
			t.Fatal(err)
		}
		c = claim(t, s, lease)
		if err := s.Tell(ctx, c, []byte("anew\n")); err != nil {
			t.Fatal(err)
		}
		if text, next := listen(place); text != "anew\n" || next != (Place{Attempt: 2, Part: 1}) {
			t.Errorf("the second try tells %q up to %v", text, next)
		}
	})
}

func TestKeys(t *testing.T) {
	each(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		for _, k := range []job.Key{{ID: "k1", Project: "a", Name: "ci", Role: job.Submitter}, {ID: "k2", Project: "b", Name: "x", Role: job.Admin}} {
			if err := s.AddKey(ctx, &k, []byte("hash of "+k.ID)); err != nil {
				t.Fatal(err)
			}
		}
		k, hash, err := s.Key(ctx, "k1")
		if err != nil || k.Project != "a" || k.Role != job.Submitter || k.Name != "ci" || string(hash) != "hash of k1" {
			t.Errorf("got %+v, %q, %v", k, hash, err)
		}
		if err := s.UsedKey(ctx, "k1"); err != nil {
			t.Fatal(err)
		}
		for project, want := range map[string]int{"a": 1, "": 2, "c": 0} {
			if keys, err := s.Keys(ctx, project); err != nil || len(keys) != want {
				t.Errorf("keys of %q: %v, %v", project, keys, err)
			}
		}
		if err := s.RevokeKey(ctx, "b", "k1"); !errors.Is(err, ErrNotFound) {
			t.Errorf("another project revokes it: %v", err)
		}
		if err := s.RevokeKey(ctx, "a", "k1"); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Key(ctx, "k1"); !errors.Is(err, ErrNotFound) {
			t.Errorf("it still opens: %v", err)
		}
		if keys, err := s.Keys(ctx, "a"); err != nil || keys[0].Revoked == nil || keys[0].Used == nil {
			t.Errorf("the list: %+v, %v", keys, err)
		}
	})
}

func TestForget(t *testing.T) {
	each(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		var ids []string
		for range 5 {
			j := add(t, s, &New{})
			c := claim(t, s, lease)
			if err := s.Tell(ctx, c, []byte("x")); err != nil {
				t.Fatal(err)
			}
			finish(t, s, c, done(mcpsf.BandPass))
			ids = append(ids, j.ID)
			time.Sleep(2 * time.Millisecond)
		}
		waiting := add(t, s, &New{})
		var removed []string
		remove := func(id string) error { removed = append(removed, id); return nil }
		if n, err := s.Forget(ctx, Retention{}, remove); err != nil || n != 0 {
			t.Errorf("everything is to be kept: %d, %v", n, err)
		}
		if n, err := s.Forget(ctx, Retention{Age: 10 * 365 * 24 * time.Hour, Bytes: 1 << 50}, remove); err != nil || n != 0 {
			t.Errorf("nothing is that old or that much: %d, %v", n, err)
		}
		broken := errors.New("the disk is gone")
		if _, err := s.Forget(ctx, Retention{Bytes: 250}, func(string) error { return broken }); !errors.Is(err, broken) || get(t, s, ids[0]) == nil {
			t.Errorf("it is forgotten although its files are there: %v", err)
		}
		if n, err := s.Forget(ctx, Retention{Bytes: 250}, remove); err != nil || n != 3 || !slices.Equal(removed, ids[:3]) {
			t.Errorf("by room: %d %v, %v; want the oldest of %v", n, removed, err, ids)
		}
		time.Sleep(5 * time.Millisecond)
		if n, err := s.Forget(ctx, Retention{Age: time.Millisecond}, remove); err != nil || n != 2 {
			t.Errorf("by age: %d, %v", n, err)
		}
		if get(t, s, waiting.ID).State != job.Queued {
			t.Error("one that waits was forgotten")
		}
		if attempt, err := s.Attempt(ctx, ids[0]); err != nil || attempt != 0 {
			t.Errorf("it is there: %d, %v", attempt, err)
		}
		add(t, s, &New{Request: job.Request{Source: "-", Archive: "abc"}})
		for archive, want := range map[string]bool{"abc": true, "abd": false, "": false} {
			if needed, err := s.Needed(ctx, archive); err != nil || needed != want {
				t.Errorf("archive %q is needed: %v, %v", archive, needed, err)
			}
		}
	})
}

// TestOpenAtOnce migrates an empty database concurrently.
func TestOpenAtOnce(t *testing.T) {
	storetest.Each(t, postgres, func(t *testing.T, database string) {
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				s, err := Open(context.Background(), database)
				if err != nil {
					t.Error(err)
					return
				}
				defer s.Close()
				if _, _, err := s.Add(context.Background(), &New{ID: job.NewID(), Project: "a", Request: job.Request{Source: "npm:x"}}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	})
}

func TestOpenRefuses(t *testing.T) {
	for _, database := range []string{"mysql://x", "postgres://127.0.0.1:1/x?connect_timeout=2", "/proc/nothing/here.db"} {
		s, err := Open(t.Context(), database)
		if err == nil {
			_ = s.Close()
			t.Errorf("%s was opened", database)
		}
		if code := mcpsf.ErrorCode(err); code == mcpsf.CodeInternal {
			t.Errorf("%s: %v", database, err)
		}
	}
}
