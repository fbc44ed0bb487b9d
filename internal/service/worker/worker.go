// Package worker takes jobs out of the store and has each run by a process of
// its own, which it watches, believes nothing, and survives.
//
// What a job leaves behind is put away under the number of its attempt before
// the store is told that it has ended: whoever is killed in between loses the
// attempt and nothing else.
package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/secretbox"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/service/tracing"
)

// Options of a [Worker]. All but the meter, the tracer and the times are
// required.
type Options struct {
	Store *store.Store
	Files blob.Store
	Key   *secretbox.Key
	// Name is how lists call the worker.
	Name string
	// Slots is how many jobs it runs at a time.
	Slots int
	// Command makes the process that runs one job. It is told what to do on
	// its standard input, and ends when that is closed.
	Command func(context.Context) *exec.Cmd
	// Dir makes the directory that a job has its files in while it runs. What
	// workers leave that are killed, it is to remove.
	Dir func() (dir string, remove func(), err error)
	// Room tells whether there is room to begin a job; nil does not look. What
	// is begun without fails, and is tried again only so often.
	Room func() error
	// AllowPrivate lets jobs speak to this machine's own network.
	AllowPrivate bool
	Logger       *slog.Logger
	Meter        Meter
	// Tracer is told of jobs and their phases; nil tells nobody.
	Tracer *tracing.Tracer

	// Lease is how long a job stays with a worker that is not heard of.
	Lease time.Duration
	// Idle is how long a worker without work waits before it asks again.
	Idle time.Duration
	// Limit is how long a job may take in all.
	Limit time.Duration
	// Grace is how long jobs may go on when the worker is to end.
	Grace time.Duration
	// Patience is how long a job's process may take to end when it is asked to.
	Patience time.Duration
	// Tries is how often a job may take down what runs it.
	Tries int
	// Retry is how long a job waits that failed through no fault of its own.
	Retry time.Duration
	// Keeping is how long a report waits for a place to be kept in.
	Keeping time.Duration
}

// Meter counts what workers do.
type Meter interface {
	// Began and Ended come in pairs. A job may end here without having ended:
	// it is queued again then.
	Began()
	Ended(state job.State, r *job.Result, took time.Duration)
	// Stepped tells how long a phase of a job took.
	Stepped(step string, took time.Duration)
	// Crashed tells of a job's process that ended without a word, Failed of a
	// job that the machine could not do.
	Crashed()
	Failed()
}

// The defaults.
const (
	defaultLease    = time.Minute
	defaultIdle     = 500 * time.Millisecond
	defaultLimit    = 90 * time.Minute
	defaultGrace    = 30 * time.Second
	defaultTries    = 2
	defaultPatience = 20 * time.Second
	defaultRetry    = 20 * time.Second
	defaultKeeping  = 10 * time.Minute
	// maxAttempts is how often a job is begun that fails through no fault of
	// its own.
	maxAttempts = 3
)

// Worker runs jobs.
type Worker struct {
	opts Options
	wake chan struct{}
}

// New returns a worker that does nothing yet.
func New(opts Options) *Worker {
	for value, otherwise := range map[*time.Duration]time.Duration{
		&opts.Lease: defaultLease, &opts.Idle: defaultIdle, &opts.Limit: defaultLimit, &opts.Grace: defaultGrace, &opts.Retry: defaultRetry,
		&opts.Patience: defaultPatience, &opts.Keeping: defaultKeeping,
	} {
		if *value == 0 {
			*value = otherwise
		}
	}
	if opts.Tries == 0 {
		opts.Tries = defaultTries
	}
	if opts.Meter == nil {
		opts.Meter = unmetered{}
	}
	return &Worker{opts: opts, wake: make(chan struct{}, 1)}
}

// Wake has an idle worker look for work at once.
func (w *Worker) Wake() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Run works until ctx ends. Jobs that run then may go on for a while; what has
// not ended by then waits for another worker.
func (w *Worker) Run(ctx context.Context) {
	var slots sync.WaitGroup
	for range w.opts.Slots {
		slots.Go(func() { w.slot(ctx) })
	}
	slots.Go(func() { w.lookAfter(ctx) })
	slots.Wait()
}

// slot runs one job after another.
func (w *Worker) slot(ctx context.Context) {
	failed := 0
	for ctx.Err() == nil {
		c, err := w.next(ctx)
		switch {
		case err != nil && ctx.Err() == nil:
			failed++
			w.opts.Logger.Warn("no job can be had", "error", err)
			w.pause(ctx, min(time.Duration(failed)*time.Second, 10*time.Second))
		case c == nil:
			failed = 0
			w.pause(ctx, w.opts.Idle)
		default:
			failed = 0
			w.Wake() // there may be more, for another slot
			w.serve(ctx, c)
		}
	}
	w.Wake()
}

// next claims a job, if one could be done here.
func (w *Worker) next(ctx context.Context) (*store.Claim, error) {
	if w.opts.Room != nil {
		if err := w.opts.Room(); err != nil {
			return nil, err
		}
	}
	return w.opts.Store.Claim(ctx, w.opts.Name, w.opts.Lease)
}

func (w *Worker) pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-w.wake:
	case <-timer.C:
	}
}

// lookAfter gives jobs of workers that are gone to others.
func (w *Worker) lookAfter(ctx context.Context) {
	tick := time.NewTicker(max(w.opts.Lease/6, 50*time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		r, err := w.opts.Store.Reap(ctx, w.opts.Tries, w.opts.Lease)
		if err != nil {
			if ctx.Err() == nil {
				w.opts.Logger.Warn("jobs cannot be looked after", "error", err)
			}
			continue
		}
		if r != (store.Reaped{}) {
			w.opts.Logger.Warn("workers are gone", "jobs_queued_again", r.Requeued, "quarantined", r.Quarantined, "cancelled", r.Cancelled)
			w.Wake()
		}
	}
}

// serve runs a claimed job and ends it, whatever happens.
func (w *Worker) serve(ctx context.Context, c *store.Claim) {
	log := w.opts.Logger.With("job", c.Job.ID, "attempt", c.Job.Attempt)
	log.Info("job begun", "project", c.Job.Project, "source", c.Job.Request.Source)
	w.opts.Meter.Began()
	begun := time.Now()
	state, result, problem := job.Queued, (*job.Result)(nil), (*job.Problem)(nil)
	ctx, traced := w.opts.Tracer.Job(ctx, &c.Job, c.Trace)
	defer func() {
		traced.End(state, result, problem)
		w.opts.Meter.Ended(state, result, time.Since(begun))
	}()
	r := &run{worker: w, claim: c, log: log, traced: traced}
	outcome := r.do(ctx)
	err := store.ErrLost
	if outcome != nil {
		err = w.finish(ctx, r, outcome)
	}
	switch {
	case errors.Is(err, store.ErrLost):
		log.Warn("job lost to another worker")
		r.forget(ctx)
		return
	case err != nil:
		log.Error("the end of a job could not be told", "error", err)
		return
	}
	log.Info("job ended", "state", outcome.State, "seconds", time.Since(begun).Seconds())
	if state, result, problem = outcome.State, outcome.Result, outcome.Problem; state != job.Done {
		r.forget(ctx)
	}
}

// telling is how long the end of a job may take to be told, from when the worker
// is to end or the database has refused it.
const telling = 5 * time.Minute

// finish tells the store what is left to be told of a job, and its end. For a
// database that is gone it waits: what else would there be to do?
func (w *Worker) finish(ctx context.Context, r *run, o *store.Outcome) error {
	patient, give := context.WithCancel(context.WithoutCancel(ctx))
	defer give()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(telling, give) })()
	begun := time.Now()
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		err := r.tellAll(patient)
		if err == nil {
			err = w.opts.Store.Finish(patient, r.claim, o)
		}
		if err == nil || errors.Is(err, store.ErrLost) {
			return err
		}
		if !passing(err) && time.Since(begun) > telling {
			return fmt.Errorf("giving up: %w", err)
		}
		select {
		case <-patient.Done():
			return fmt.Errorf("giving up: %w", err)
		case <-time.After(wait):
		}
	}
}

type unmetered struct{}

func (unmetered) Began()                                      {}
func (unmetered) Ended(job.State, *job.Result, time.Duration) {}
func (unmetered) Stepped(string, time.Duration)               {}
func (unmetered) Crashed()                                    {}
func (unmetered) Failed()                                     {}
