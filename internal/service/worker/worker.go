// Package worker runs the jobs of a service.
//
// In: jobs that it claims from the store; archives that were uploaded.
//
// Out: progress and live events to the store, the files of a run to the file
// store, the outcome to the store. Files are stored under the number of the
// attempt before the store is told that the job has ended: a worker that is
// killed in between loses the attempt and nothing else.
//
// Never: assess in its own process. Each job runs in a child process, whose
// output is not trusted and whose crash the worker survives.
package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/pause"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// Worker runs jobs.
type Worker struct {
	opts Options
	wake chan struct{}
}

// New returns a worker; call [Worker.Run].
func New(opts Options) *Worker {
	opts.setDefaults()
	return &Worker{opts: opts, wake: make(chan struct{}, 1)}
}

// Wake makes an idle worker look for jobs at once.
func (w *Worker) Wake() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Run takes jobs until ctx ends. Running jobs may go on for the grace period;
// those that have not ended by then are queued again.
func (w *Worker) Run(ctx context.Context) {
	var slots sync.WaitGroup
	for range w.opts.Slots {
		slots.Go(func() { w.slot(ctx) })
	}
	slots.Go(func() { w.reapExpired(ctx) })
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
			w.opts.Telemetry.Logger.Warn("cannot get a job", "error", err)
			w.pause(ctx, min(time.Duration(failed)*time.Second, 10*time.Second))
		case c == nil:
			failed = 0
			w.pause(ctx, w.opts.Times.Idle)
		default:
			failed = 0
			w.Wake() // there may be more, for another slot
			w.serve(ctx, c)
		}
	}
	w.Wake()
}

// next claims a job, if there is room to run one.
func (w *Worker) next(ctx context.Context) (*store.Claim, error) {
	if w.opts.Machine.Room != nil {
		if err := w.opts.Machine.Room(); err != nil {
			return nil, err
		}
	}
	return w.opts.Store.Claim(ctx, w.opts.Name, w.opts.Times.Lease)
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

// reapExpired queues jobs again whose worker has not renewed its lease.
func (w *Worker) reapExpired(ctx context.Context) {
	tick := time.NewTicker(max(w.opts.Times.Lease/6, 50*time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		r, err := w.opts.Store.Reap(ctx, w.opts.Tries, w.opts.Times.Lease)
		if err != nil {
			if ctx.Err() == nil {
				w.opts.Telemetry.Logger.Warn("cannot look for expired leases", "error", err)
			}
			continue
		}
		if r != (store.Reaped{}) {
			w.opts.Telemetry.Logger.Warn("leases expired", "requeued", r.Requeued, "quarantined", r.Quarantined, "cancelled", r.Cancelled)
			w.Wake()
		}
	}
}

// serve runs a claimed job and records how it ended.
func (w *Worker) serve(ctx context.Context, c *store.Claim) {
	log := w.opts.Telemetry.Logger.With("job", c.Job.ID, "attempt", c.Job.Attempt)
	log.Info("job started", "project", c.Job.Project, "source", c.Job.Request.Source)
	w.opts.Telemetry.Meter.Began()
	begun := time.Now()
	state, result, problem := job.Queued, (*job.Result)(nil), (*job.Problem)(nil)
	ctx, traced := w.opts.Telemetry.Tracer.Job(ctx, &c.Job, c.Trace)
	defer func() {
		traced.End(state, result, problem)
		w.opts.Telemetry.Meter.Ended(state, result, time.Since(begun))
	}()
	r := &run{worker: w, claim: c, log: log, traced: traced}
	outcome := r.do(ctx)
	err := store.ErrLost
	if outcome != nil {
		err = w.finish(ctx, r, outcome)
	}
	switch {
	case errors.Is(err, store.ErrLost):
		log.Warn("lease lost to another worker")
		r.removeFiles(ctx)
		return
	case err != nil:
		log.Error("cannot record the end of a job", "error", err)
		return
	}
	log.Info("job ended", "state", outcome.State, "seconds", time.Since(begun).Seconds())
	if state, result, problem = outcome.State, outcome.Result, outcome.Problem; state != job.Done {
		r.removeFiles(ctx)
	}
}

// finishTimeout bounds how long recording the end of a job is retried, from when
// the worker shuts down or the database refused it.
const finishTimeout = 5 * time.Minute

// finish sends the rest of a job's live events and its outcome to the store. It
// waits for a database that is gone.
func (w *Worker) finish(ctx context.Context, r *run, o *store.Outcome) error {
	detached, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	defer giveUp()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(finishTimeout, giveUp) })()
	begun := time.Now()
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		err := r.sendAll(detached)
		if err == nil {
			err = w.opts.Store.Finish(detached, r.claim, o)
		}
		if err == nil || errors.Is(err, store.ErrLost) {
			return err
		}
		if !isTemporary(err) && time.Since(begun) > finishTimeout {
			return fmt.Errorf("giving up: %w", err)
		}
		if pause.For(detached, wait) != nil {
			return fmt.Errorf("giving up: %w", err)
		}
	}
}
