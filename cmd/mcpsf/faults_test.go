//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/service/executor"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/service/store/storetest"
)

// TestFaults kills the server, its workers and the database at random while
// jobs are submitted and done. Every job ends once, and its report is whole.
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
	var wg sync.WaitGroup
	ids := make([]string, jobs)
	lanes := make(chan int)
	for range 8 {
		wg.Go(func() {
			for i := range lanes {
				ids[i] = f.submit(i)
			}
		})
	}
	killing, stop := context.WithCancel(t.Context())
	killed := make(chan string, 1)
	go func() { killed <- f.kill(killing) }()
	for i := range jobs {
		lanes <- i
	}
	close(lanes)
	wg.Wait()
	f.drain(jobs)
	stop()
	t.Logf("%d jobs, %s", jobs, <-killed)
	f.check(ids)
}

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

// start starts what is not running.
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
		if f.running[name] == nil {
			f.running[name] = f.run(f.T, nil, append(args, shared...)...)
		}
	}
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

// submit asks until there is an answer: a client that lost its connection does
// not know whether it was heard.
func (f *faults) submit(i int) string {
	c, err := executor.NewCloud("http://"+f.listen, f.key)
	if err != nil {
		f.Error(err)
		return ""
	}
	var archive bytes.Buffer
	source := filepath.Join(f.T.TempDir(), "s")
	if err := os.MkdirAll(source, 0o755); err != nil {
		f.Error(err)
		return ""
	}
	text := fmt.Sprintf("# server %d\nprint('hello')\n", i)
	if err := os.WriteFile(filepath.Join(source, "server.py"), []byte(text), 0o600); err != nil {
		f.Error(err)
		return ""
	}
	if err := executor.Pack(f.Context(), source, &archive); err != nil {
		f.Error(err)
		return ""
	}
	request := &job.Request{Options: job.Options{ScanOnly: true, NoInstall: true, NoRepository: true}}
	upload := &executor.Archive{Name: fmt.Sprintf("server-%d.tgz", i), Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(archive.Bytes())), nil }}
	got, err := c.Submit(f.Context(), request, false, upload)
	if err != nil {
		f.Errorf("job %d: %v", i, err)
		return ""
	}
	return got.ID
}

// kill kills something every now and then, until ctx ends.
func (f *faults) kill(ctx context.Context) string {
	counts := map[string]int{}
	for {
		select {
		case <-ctx.Done():
			return fmt.Sprintf("killed: %v", counts)
		case <-time.After(time.Duration(400+rand.IntN(1600)) * time.Millisecond):
		}
		victims := []string{"server", "worker 1", "worker 2", "worker 1", "worker 2", "database"}
		victim := victims[rand.IntN(len(victims))]
		// On a slow machine it would never come to listening, and clients give up.
		if victim == "server" && !f.listens() && rand.IntN(4) > 0 {
			continue
		}
		counts[strings.TrimRight(victim, " 12")]++
		if victim == "database" {
			f.pg.Kill()
			time.Sleep(time.Duration(rand.IntN(2000)) * time.Millisecond)
			if err := f.pg.Resume(context.WithoutCancel(ctx)); err != nil {
				f.Error(err)
				return ""
			}
			continue
		}
		f.mu.Lock()
		p := f.running[victim]
		delete(f.running, victim)
		f.mu.Unlock()
		_ = p.cmd.Process.Signal(syscall.SIGKILL)
		<-p.ended
		f.start()
	}
}

// listens tells whether the server can be reached.
func (f *faults) listens() bool {
	c, err := net.DialTimeout("tcp", f.listen, time.Second)
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}

// drain waits until no job waits or runs.
func (f *faults) drain(jobs int) {
	f.Helper()
	for began := time.Now(); ; time.Sleep(200 * time.Millisecond) {
		counts := f.counts()
		if counts != nil && counts[job.Queued]+counts[job.Running] == 0 && counts[job.Done]+counts[job.Failed]+counts[job.Quarantined] >= jobs {
			return
		}
		if time.Since(began) > 15*time.Minute {
			f.Fatalf("jobs do not end: %v", counts)
		}
	}
}

// counts are the jobs by state, nil while the database is gone.
func (f *faults) counts() map[job.State]int {
	s, err := store.Open(f.Context(), f.database)
	if err != nil {
		return nil
	}
	defer s.Close()
	counts, err := s.Counts(f.Context())
	if err != nil {
		return nil
	}
	return counts
}

// check wants a report of each job, of its own and whole.
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
