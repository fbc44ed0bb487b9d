package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"path"
	"path/filepath"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/service/tracing"
)

// Reasons to end a job's process before it does.
var (
	errCancelled = errors.New("cancelled")
	errLost      = errors.New("lost to another worker")
	errTooLong   = errors.New("took too long")
	errStopping  = errors.New("the worker is to end")
)

// run is one attempt at a job.
type run struct {
	worker *Worker
	claim  *store.Claim
	log    *slog.Logger
	traced *tracing.Run
	dir    string
	told   teller
}

// place is where the files of the attempt are kept.
func (r *run) place() string {
	return path.Join("jobs", r.claim.Job.ID, fmt.Sprint(r.claim.Job.Attempt))
}

// forget removes what was put away.
func (r *run) forget(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	if err := r.worker.opts.Files.Remove(ctx, r.place()); err != nil {
		r.log.Warn("files of an attempt are left", "error", err)
	}
}

// do runs the job and says how it ended, nil if it is somebody else's.
func (r *run) do(ctx context.Context) *store.Outcome {
	dir, remove, err := r.worker.opts.Dir()
	if err != nil {
		return r.again(err)
	}
	defer remove()
	r.dir = dir
	// The job outlives the wish to end the worker by a while.
	working, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(nil)
	defer context.AfterFunc(ctx, func() {
		time.AfterFunc(r.worker.opts.Grace, func() { end(errStopping) })
	})()
	limit := time.AfterFunc(r.worker.opts.Limit, func() { end(errTooLong) })
	defer limit.Stop()
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		r.renew(working, end)
	}()
	last, err := r.process(working)
	cause := context.Cause(working)
	var outcome *store.Outcome
	switch {
	case errors.Is(cause, errLost): // whatever came of it
	case last != nil && last.Done != nil: // it was quicker than the wish to end it
		outcome = r.putAway(working, last.Done)
	case cause != nil:
		outcome = r.interrupted(cause)
	case last != nil && last.Failed != nil:
		outcome = r.failed(last.Failed)
	case err != nil:
		outcome = r.again(err)
	default:
		outcome = r.crashed()
	}
	end(nil)
	<-renewed
	return outcome
}

// interrupted is the outcome of a job that was ended from outside, nil if it is
// somebody else's.
func (r *run) interrupted(cause error) *store.Outcome {
	switch {
	case errors.Is(cause, errLost):
		return nil
	case errors.Is(cause, errCancelled):
		return &store.Outcome{State: job.Cancelled}
	case errors.Is(cause, errTooLong):
		return &store.Outcome{State: job.Failed, Problem: &job.Problem{
			Code: mcpsf.CodeUnavailable, Message: fmt.Sprintf("it took longer than %s", r.worker.opts.Limit),
		}}
	default:
		return &store.Outcome{State: job.Queued}
	}
}

// failed is the outcome of a job that said why it could not be done. What the
// user got wrong stays wrong; the rest may be better another time.
func (r *run) failed(p *job.Problem) *store.Outcome {
	if p.Code == mcpsf.CodeUnavailable {
		r.worker.opts.Meter.Failed()
	}
	if p.Code == mcpsf.CodeUsage || r.claim.Job.Attempt >= maxAttempts {
		return &store.Outcome{State: job.Failed, Problem: p}
	}
	return &store.Outcome{State: job.Queued, Problem: p, After: r.worker.opts.Retry}
}

// again is the outcome of a job that we failed.
func (r *run) again(err error) *store.Outcome {
	r.log.Error("job failed", "error", err)
	if p := job.NoRoom(err); p != nil {
		return r.failed(p)
	}
	return r.failed(&job.Problem{Code: mcpsf.CodeInternal, Message: "the worker failed: " + err.Error()})
}

// crashed is the outcome of a job whose process ended without a last word.
func (r *run) crashed() *store.Outcome {
	r.worker.opts.Meter.Crashed()
	r.log.Error("the process of a job ended without a word", "crashes", r.claim.Crashes+1)
	p := &job.Problem{Code: mcpsf.CodeInternal, Message: fmt.Sprintf("it took down what ran it, %d times", r.claim.Crashes+1)}
	if r.claim.Crashes+1 >= r.worker.opts.Tries {
		return &store.Outcome{State: job.Quarantined, Crashed: true, Problem: p}
	}
	return &store.Outcome{State: job.Queued, Crashed: true, Problem: p, After: r.worker.opts.Retry}
}

// renew keeps the lease and tells what the job tells, until ctx ends. A
// database that is gone for a while is no reason to end the job: whether it is
// still ours shows when it is told that it has ended.
func (r *run) renew(ctx context.Context, end context.CancelCauseFunc) {
	tell := time.NewTicker(300 * time.Millisecond)
	defer tell.Stop()
	next := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tell.C:
		}
		_ = r.tell(ctx) // what is not heard now is told later
		progress, changed := r.told.where()
		if !changed && time.Now().Before(next) {
			continue
		}
		next = time.Now().Add(min(r.worker.opts.Lease/4, time.Second))
		cancel, err := r.worker.opts.Store.Renew(ctx, r.claim, progress, r.worker.opts.Lease)
		switch {
		case errors.Is(err, store.ErrLost):
			end(errLost)
		case err != nil && ctx.Err() == nil:
			r.log.Warn("the lease cannot be renewed", "error", err)
		case cancel:
			end(errCancelled)
		}
	}
}

// process runs the job's process and returns its last word, nil if it had none.
// The error is ours.
func (r *run) process(ctx context.Context) (*job.Line, error) {
	task, err := r.task(ctx)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(task)
	if err != nil {
		return nil, err
	}
	cmd := r.worker.opts.Command(context.WithoutCancel(ctx)) // it is asked to end, not killed
	cmd.Dir = r.dir
	var complaints tail
	cmd.Stderr = &complaints
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the job's process: %w", err)
	}
	defer context.AfterFunc(ctx, func() { _ = in.Close() })() // it cleans up and ends
	kill := r.killLater(ctx, cmd)
	defer kill()
	if _, err := in.Write(append(text, '\n')); err != nil {
		r.log.Warn("the job's process does not listen", "error", err)
	}
	last := r.listen(ctx, out)
	_ = in.Close()
	err = cmd.Wait()
	switch {
	case last == nil:
		r.log.Warn("the job's process said nothing at the end", "error", err, "stderr", complaints.String())
	case last.Failed != nil && last.Failed.Code != mcpsf.CodeUsage:
		r.log.Warn("the job's process failed", "problem", last.Failed.Message, "stderr", complaints.String())
	}
	return last, nil
}

// killLater ends a process that does not end when it is asked to.
func (r *run) killLater(ctx context.Context, cmd *exec.Cmd) func() {
	ended := make(chan struct{})
	go func() {
		select {
		case <-ended:
			return
		case <-ctx.Done():
		}
		select {
		case <-ended:
		case <-time.After(r.worker.opts.Patience):
			_ = cmd.Process.Kill()
		}
	}()
	return func() { close(ended) }
}

// task prepares what the process needs.
func (r *run) task(ctx context.Context) (*job.Task, error) {
	j := &r.claim.Job
	t := &job.Task{Request: j.Request, Output: filepath.Join(r.dir, "out"), AllowPrivate: r.worker.opts.AllowPrivate}
	t.Request.Env = nil
	if len(r.claim.EncryptedEnv) > 0 {
		values, err := r.worker.opts.Key.Open(r.claim.EncryptedEnv, []byte(j.ID))
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(values, &t.Request.Env); err != nil {
			return nil, err
		}
	}
	if j.Request.Archive == "" {
		return t, nil
	}
	t.Archive = job.ArchiveName(j.Request.ArchiveName)
	return t, r.fetch(ctx, path.Join("uploads", j.Request.Archive), filepath.Join(r.dir, t.Archive))
}
