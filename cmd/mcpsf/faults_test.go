//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/pause"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/service/store/storetest"
)

// TestFaults kills the server, its workers and the database at random while
// jobs are submitted and run. Every job ends once, with a complete report.
func TestFaults(t *testing.T) {
	jobs, err := strconv.Atoi(os.Getenv("MCPSF_FAULT_JOBS"))
	if err != nil {
		t.Skip("it takes minutes: make faults runs it")
	}
	t.Parallel()
	pg, err := storetest.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Stop()
	f := &faults{
		T: t, pg: pg, place: plainPlace(t), database: pg.Database(t), listen: freeAddress(t), flags: []string{"--lease", "3s", "--tries", "1000"},
	}
	f.start()
	f.key = f.newKey()
	ctx, end := context.WithCancelCause(t.Context())
	killed := make(chan string, 1)
	go func() {
		counts, err := f.kill(ctx)
		end(err)
		killed <- counts
	}()
	ids, err := f.submitAll(ctx, jobs)
	if err == nil {
		err = f.drain(ctx, jobs)
	}
	end(nil)
	t.Logf("%d jobs, %s", jobs, <-killed)
	if err != nil {
		t.Fatalf("%v\n%s", err, f.complaints())
	}
	f.check(ids)
}

// stalled is how long a service may take for one more answer or job. It is
// enough on the slowest machine.
const stalled = 5 * time.Minute

type faults struct {
	*testing.T
	place
	pg               *storetest.Postgres
	database, listen string
	flags            []string // of servers and workers
	key              string

	mu      sync.Mutex
	running map[string]*process
}

// plainPlace is a place for programs without a sandbox.
func plainPlace(t *testing.T) place {
	t.Helper()
	base := t.TempDir()
	p := place{filepath.Join(base, "home"), filepath.Join(base, "temp"), filepath.Join(base, "server")}
	for _, dir := range []string{p.home, p.temp, p.target} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// start starts what is not running: what was killed, and what ended because it
// found no database. In production a service manager does that.
func (f *faults) start() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.running == nil {
		f.running = map[string]*process{}
	}
	shared := append([]string{"--data", filepath.Join(f.home, "data"), "--database", f.database}, f.flags...)
	for name, args := range map[string][]string{
		"server": {"serve", "--listen", f.listen, "--no-workers", "--rate", "100000"}, "worker 1": {"worker", "--workers", "2"}, "worker 2": {"worker", "--workers", "2"},
	} {
		if p := f.running[name]; p == nil || p.over() {
			f.running[name] = f.run(f.T, nil, append(args, shared...)...)
		}
	}
}

// logs is what the processes wrote to stderr.
func (f *faults) logs() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(f.running)) {
		fmt.Fprintf(&b, "%s:\n%s\n", name, f.running[name].stderr.String())
	}
	return b.String()
}

// started counts how often a job began. Its number of attempts may be larger: a
// claim whose answer came too late is one, and nobody began the job.
func (f *faults) started(id string) (n int) {
	for line := range strings.Lines(f.logs()) {
		if strings.Contains(line, "job started") && strings.Contains(line, id) {
			n++
		}
	}
	return n
}

// newKey makes a key, which also makes the database.
func (f *faults) newKey() string {
	f.Helper()
	added := f.run(f.T, nil, "serve", "keys", "add", "--data", filepath.Join(f.home, "data"), "--database", f.database, "--name", "faults")
	if code := added.wait(); code != program.ExitOK {
		f.Fatalf("exit %d: %s", code, added.stderr.String())
	}
	return strings.TrimSpace(added.stdout.String())
}

// submitAll submits the jobs, some at a time, and returns their ids.
func (f *faults) submitAll(ctx context.Context, jobs int) ([]string, error) {
	ids, errs := make([]string, jobs), make([]error, jobs)
	next := make(chan int)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range next {
				ids[i], errs[i] = f.submit(ctx, i)
			}
		})
	}
	for i := range jobs {
		next <- i
	}
	close(next)
	wg.Wait()
	return ids, errors.Join(errs...)
}

// submit retries until there is an answer: a client that lost its connection
// does not know whether the request arrived. The idempotency key makes it one
// job.
func (f *faults) submit(ctx context.Context, i int) (string, error) {
	client := &api{f.T, "http://" + f.listen, f.key}
	archive := packed(f.T, map[string]string{"server.py": fmt.Sprintf("# server %d\nprint('hello')\n", i)})
	var last *answered
	for began := time.Now(); time.Since(began) < stalled; {
		got := client.upload(scanned(), fmt.Sprintf("server-%d.tgz", i), archive, "Idempotency-Key", fmt.Sprintf("faults-%d", i))
		if got != nil && got.status == http.StatusAccepted {
			return got.id, nil
		}
		last = got
		if err := pause.For(ctx, time.Duration(200+rand.IntN(800))*time.Millisecond); err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("job %d was not taken: %v", i, last)
}

// drain waits until no job is queued or running.
func (f *faults) drain(ctx context.Context, jobs int) error {
	ended, since := 0, time.Now()
	for {
		counts := f.counts()
		now := counts[job.Done] + counts[job.Failed] + counts[job.Quarantined]
		if counts[job.Queued]+counts[job.Running] == 0 && now >= jobs {
			return nil
		}
		if now > ended {
			ended, since = now, time.Now()
		}
		if time.Since(since) > stalled {
			return fmt.Errorf("jobs do not end: %v", counts)
		}
		if err := pause.For(ctx, 200*time.Millisecond); err != nil {
			return err
		}
	}
}

// counts are the jobs by state, nil while the database is down.
func (f *faults) counts() map[job.State]int {
	ctx, cancel := context.WithTimeout(f.Context(), 10*time.Second)
	defer cancel()
	s, err := store.Open(ctx, f.database)
	if err != nil {
		return nil
	}
	defer s.Close()
	counts, err := s.Counts(ctx)
	if err != nil {
		return nil
	}
	return counts
}

// check expects each job to have a complete report of its own.
func (f *faults) check(ids []string) {
	f.Helper()
	s, err := store.Open(f.Context(), f.database)
	if err != nil {
		f.Fatal(err)
	}
	defer s.Close()
	seen, lost := map[string]int{}, 0
	for i, id := range ids {
		if other, twice := seen[id]; twice {
			f.Errorf("job %d is job %d", i, other)
		}
		seen[id] = i
		j, err := s.Job(f.Context(), "default", id)
		if err != nil {
			f.Errorf("job %d: %v", i, err)
			continue
		}
		if j.State != job.Done {
			f.Errorf("job %d is %s: %+v", i, j.State, j.Problem)
			continue
		}
		lost += j.Attempt - 1
		r, err := report.Load(filepath.Join(f.home, "data", "files", "jobs", id, strconv.Itoa(j.Attempt)))
		if err != nil || r.Artifact.Name != fmt.Sprintf("server-%d.tgz", i) {
			f.Errorf("job %d has a report of %+v, %v", i, r, err)
		}
	}
	all, err := s.Jobs(f.Context(), "default", &store.Filter{})
	if err != nil || len(all) != min(len(ids), 200) {
		f.Errorf("%d jobs are there, not %d: %v", len(all), len(ids), err)
	}
	f.Logf("%d attempts were lost", lost)
}
