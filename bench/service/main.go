// Command service measures the queue of the service on SQLite and
// PostgreSQL, and how many assessments a machine does in a minute with one, two
// and four of them at a time.
//
//	make build && go run ./bench/service     from the top folder of the repository
//
// It starts PostgreSQL if this machine has it.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/bench/command"
	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/secretbox"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/service/store/storetest"
	"github.com/mcpsf/mcpsf/internal/service/worker"
)

func main() {
	queued := flag.Int("queued", 10_000, "jobs that wait")
	jobs := flag.Int("jobs", 16, "assessments for each number of workers")
	example := flag.String("example", "examples/notes-python", "server that is assessed")
	flag.Parse()
	os.Exit(command.Run("service", func(ctx context.Context) error {
		return measure(ctx, *queued, *jobs, *example)
	}))
}

func measure(ctx context.Context, queued, jobs int, example string) error {
	temp, err := os.MkdirTemp("", "mcpsf-bench-service-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	pg, err := storetest.Start(ctx)
	if err != nil {
		return err
	}
	defer pg.Stop()
	if err := queue(ctx, temp, pg, queued); err != nil {
		return err
	}
	return throughput(ctx, temp, jobs, example)
}

// row is the measurements of one database.
type row struct {
	add                               float64 // jobs a second
	claim, finish, page, deep, search []time.Duration
}

// queue measures a long queue.
func queue(ctx context.Context, temp string, pg *storetest.Postgres, queued int) error {
	places := map[string]string{"SQLite": filepath.Join(temp, "mcpsf.db")}
	names := []string{"SQLite"}
	if pg != nil {
		address, err := pg.Create(ctx)
		if err != nil {
			return err
		}
		places["PostgreSQL"], names = address, append(names, "PostgreSQL")
	}
	fmt.Printf("%d jobs wait\n\n%-12s %10s %16s %16s %16s %16s %16s\n", queued, "database", "added/s", "claim", "end", "page of 50", "page, far back", "search")
	rows := map[string]*row{}
	for _, name := range names {
		r, err := queueOf(ctx, places[name], queued)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		rows[name] = r
		fmt.Printf("%-12s %10.0f %16s %16s %16s %16s %16s\n", name, r.add, times(r.claim), times(r.finish), times(r.page), times(r.deep), times(r.search))
	}
	if s, p := rows["SQLite"], rows["PostgreSQL"]; p != nil {
		fmt.Printf("%-12s %10.2f %16.2f %16.2f %16.2f %16.2f %16.2f\n", "ratio", s.add/p.add, ratio(s.claim, p.claim), ratio(s.finish, p.finish),
			ratio(s.page, p.page), ratio(s.deep, p.deep), ratio(s.search, p.search))
	}
	fmt.Println("\ntimes are medians with the 99th of a hundred behind them; the ratio is SQLite to PostgreSQL")
	return nil
}

func queueOf(ctx context.Context, database string, queued int) (*row, error) {
	s, err := store.Open(ctx, database)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	r := &row{}
	begun := time.Now()
	if err := fill(ctx, s, queued); err != nil {
		return nil, err
	}
	r.add = float64(queued) / time.Since(begun).Seconds()
	for range 300 {
		var c *store.Claim
		took, err := timed(func() (err error) { c, err = s.Claim(ctx, "bench", time.Minute); return err })
		if err != nil || c == nil {
			return nil, cmp.Or(err, fmt.Errorf("nothing could be claimed"))
		}
		r.claim = append(r.claim, took)
		o := &store.Outcome{State: job.Done, Result: &job.Result{Name: "notes", Band: mcpsf.BandPass}}
		if took, err = timed(func() error { return s.Finish(ctx, c, o) }); err != nil {
			return nil, err
		}
		r.finish = append(r.finish, took)
	}
	return r, r.pages(ctx, s, queued)
}

// fill queues jobs concurrently.
func fill(ctx context.Context, s *store.Store, queued int) error {
	const sides = 16
	var wg sync.WaitGroup
	failed := make(chan error, sides)
	for side := range sides {
		wg.Go(func() {
			for i := side; i < queued; i += sides {
				n := &store.New{ID: job.NewID(), Project: fmt.Sprintf("p%d", i%4), Request: job.Request{Source: fmt.Sprintf("npm:server-%d@1.0.0", i)}}
				if _, _, err := s.Add(ctx, n); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	wg.Wait()
	close(failed)
	return <-failed
}

// pages measures the queries of the history.
func (r *row) pages(ctx context.Context, s *store.Store, queued int) error {
	jobs, err := s.Jobs(ctx, "p0", &store.Filter{Limit: 200})
	if err != nil {
		return err
	}
	for back := 200; back < queued/8 && len(jobs) > 0; back += 200 {
		if jobs, err = s.Jobs(ctx, "p0", &store.Filter{Limit: 200, Before: jobs[len(jobs)-1].ID}); err != nil {
			return err
		}
	}
	before := ""
	if len(jobs) > 0 {
		before = jobs[0].ID
	}
	for range 100 {
		for _, ask := range []struct {
			into   *[]time.Duration
			filter store.Filter
		}{{&r.page, store.Filter{Limit: 50}}, {&r.deep, store.Filter{Limit: 50, Before: before}}, {&r.search, store.Filter{Limit: 50, Text: "server-77"}}} {
			took, err := timed(func() error { _, err := s.Jobs(ctx, "p0", &ask.filter); return err })
			if err != nil {
				return err
			}
			*ask.into = append(*ask.into, took)
		}
	}
	return nil
}

func timed(f func() error) (time.Duration, error) {
	begun := time.Now()
	err := f()
	return time.Since(begun), err
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

func ratio(a, b []time.Duration) float64 { return float64(median(a)) / float64(median(b)) }

func times(d []time.Duration) string {
	m := median(d)
	return fmt.Sprintf("%.2f/%.2f ms", float64(m.Microseconds())/1000, float64(d[len(d)*99/100].Microseconds())/1000)
}

// throughput measures real assessments by real workers.
func throughput(ctx context.Context, temp string, jobs int, example string) error {
	binary, err := filepath.Abs("bin/mcpsf")
	if err != nil {
		return err
	}
	if _, err := os.Stat(binary); err != nil {
		return fmt.Errorf("there is no bin/mcpsf; run make build first")
	}
	archive := filepath.Join(temp, "server.tgz")
	if out, err := exec.CommandContext(ctx, "tar", "-czf", archive, "-C", example, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("packing %s: %w: %s", example, err, out)
	}
	fmt.Printf("\n%s, profile safe, %d assessments\n\n%-12s %14s %8s\n", example, jobs, "at a time", "jobs a minute", "ratio")
	first := 0.0
	for _, slots := range []int{1, 2, 4} {
		rate, err := assess(ctx, filepath.Join(temp, fmt.Sprint(slots)), binary, archive, slots, jobs)
		if err != nil {
			return err
		}
		first = cmp.Or(first, rate)
		fmt.Printf("%-12d %14.1f %8.2f\n", slots, rate, rate/first)
	}
	return nil
}

func assess(ctx context.Context, temp, binary, archive string, slots, jobs int) (float64, error) {
	s, err := store.Open(ctx, filepath.Join(temp, "mcpsf.db"))
	if err != nil {
		return 0, err
	}
	defer s.Close()
	files, err := blob.Open(ctx, filepath.Join(temp, "files"), blob.Credentials{})
	if err != nil {
		return 0, err
	}
	defer files.Close()
	key, err := secretbox.Load(filepath.Join(temp, "secret"))
	if err != nil {
		return 0, err
	}
	f, err := os.Open(archive)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if _, err := files.Put(ctx, "uploads/server", io.LimitReader(f, 64<<20)); err != nil {
		return 0, err
	}
	for range jobs {
		request := job.Request{Archive: "server", ArchiveName: "server.tgz", Profile: "safe"}
		if _, _, err := s.Add(ctx, &store.New{ID: job.NewID(), Project: "bench", Request: request}); err != nil {
			return 0, err
		}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan struct{})
	begun := time.Now()
	go func() {
		defer close(ended)
		worker.New(worker.Options{
			Store: s, Files: files, Key: key, Name: "bench", Slots: slots,
			Telemetry: worker.Telemetry{Logger: slog.New(slog.DiscardHandler)}, Times: worker.Times{Idle: 50 * time.Millisecond},
			Machine: worker.Machine{
				Command: func(ctx context.Context) *exec.Cmd { return exec.CommandContext(ctx, binary, "job") },
				Dir: func() (string, func(), error) {
					dir, err := os.MkdirTemp(temp, "job-")
					return dir, func() { _ = os.RemoveAll(dir) }, err
				},
			},
		}).Run(ctx)
	}()
	for {
		counts, err := s.Counts(ctx)
		if err != nil {
			return 0, err
		}
		if counts[job.Queued]+counts[job.Running] == 0 {
			took := time.Since(begun)
			stop()
			<-ended
			if counts[job.Done] != jobs {
				return 0, fmt.Errorf("%d of %d assessments failed", jobs-counts[job.Done], jobs)
			}
			return float64(jobs) / took.Minutes(), nil
		}
		time.Sleep(20 * time.Millisecond)
	}
}
