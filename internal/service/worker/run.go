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
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Reasons to stop a job's process.
var (
	errCancelled = errors.New("cancelled")
	errLost      = errors.New("lease lost to another worker")
	errTooLong   = errors.New("took too long")
	errStopping  = errors.New("the worker shuts down")
)

// maxAttempts is how often a job is started that fails without crashing.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxAttempts = 3

// maxStderr is how much of a process' stderr is logged, in bytes.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxStderr = 4 << 10

// run is one attempt at a job.
type run struct {
	worker *Worker
	claim  *store.Claim
	log    *slog.Logger
	traced *tracing.Run
	dir    string
	live   liveEvents
}

// prefix is where the files of the attempt are stored.
func (r *run) prefix() string {
	return path.Join("jobs", r.claim.Job.ID, fmt.Sprint(r.claim.Job.Attempt))
}

// removeFiles removes the files of an attempt that does not count.
func (r *run) removeFiles(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	if err := r.worker.opts.Files.Remove(ctx, r.prefix()); err != nil {
		r.log.Warn("cannot remove the files of an attempt", "error", err)
	}
}

// do runs the job and returns its outcome, nil if the lease was lost.
func (r *run) do(ctx context.Context) *store.Outcome {
	dir, remove, err := r.worker.opts.Machine.Dir()
	if err != nil {
		return r.retry(err)
	}
	defer remove()
	r.dir = dir
	// The job may go on for the grace period when the worker shuts down.
	working, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(nil)
	defer context.AfterFunc(ctx, func() {
		time.AfterFunc(r.worker.opts.Times.Grace, func() { end(errStopping) })
	})()
	limit := time.AfterFunc(r.worker.opts.Times.Limit, func() { end(errTooLong) })
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
	case errors.Is(cause, errLost): // the result, if any, is dropped
	case last != nil && last.Done != nil: // it was done before it was stopped
		outcome = r.keep(working, last.Done)
	case cause != nil:
		outcome = r.interrupted(cause)
	case last != nil && last.Failed != nil:
		outcome = r.failed(last.Failed)
	case err != nil:
		outcome = r.retry(err)
	default:
		outcome = r.crashed()
	}
	end(nil)
	<-renewed
	return outcome
}

// interrupted is the outcome of a job that was stopped, nil if the lease was
// lost.
func (r *run) interrupted(cause error) *store.Outcome {
	switch {
	case errors.Is(cause, errLost):
		return nil
	case errors.Is(cause, errCancelled):
		return &store.Outcome{State: job.Cancelled}
	case errors.Is(cause, errTooLong):
		return &store.Outcome{State: job.Failed, Problem: &job.Problem{
			Code: mcpsf.CodeUnavailable, Message: fmt.Sprintf("time limit of %s exceeded", r.worker.opts.Times.Limit),
		}}
	default:
		return &store.Outcome{State: job.Queued}
	}
}

// failed is the outcome of a job that reported a problem. Errors of the user are
// final; others are retried.
func (r *run) failed(p *job.Problem) *store.Outcome {
	if p.Code == mcpsf.CodeUnavailable {
		r.worker.opts.Telemetry.Meter.Failed()
	}
	if p.Code == mcpsf.CodeUsage || r.claim.Job.Attempt >= maxAttempts {
		return &store.Outcome{State: job.Failed, Problem: p}
	}
	return &store.Outcome{State: job.Queued, Problem: p, After: r.worker.opts.Times.Retry}
}

// retry is the outcome of a job that failed because of the worker.
func (r *run) retry(err error) *store.Outcome {
	r.log.Error("job failed", "error", err)
	if p := job.NoRoom(err); p != nil {
		return r.failed(p)
	}
	return r.failed(&job.Problem{Code: mcpsf.CodeInternal, Message: "the worker failed: " + err.Error()})
}

// crashed is the outcome of a job whose process ended without a result.
func (r *run) crashed() *store.Outcome {
	r.worker.opts.Telemetry.Meter.Crashed()
	r.log.Error("job process crashed", "crashes", r.claim.Crashes+1)
	p := &job.Problem{Code: mcpsf.CodeInternal, Message: "the assessment crashed: " + wording.Count(r.claim.Crashes+1, "time")}
	if r.claim.Crashes+1 >= r.worker.opts.Tries {
		return &store.Outcome{State: job.Quarantined, Crashed: true, Problem: p}
	}
	return &store.Outcome{State: job.Queued, Crashed: true, Problem: p, After: r.worker.opts.Times.Retry}
}

// renew renews the lease and sends live events to the store, until ctx ends. The
// job goes on while the database is gone: whether the lease was lost shows when
// its end is recorded.
func (r *run) renew(ctx context.Context, end context.CancelCauseFunc) {
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	next := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		_ = r.send(ctx) // what fails now is sent later
		progress, changed := r.live.current()
		if !changed && time.Now().Before(next) {
			continue
		}
		next = time.Now().Add(min(r.worker.opts.Times.Lease/4, time.Second))
		cancel, err := r.worker.opts.Store.Renew(ctx, r.claim, progress, r.worker.opts.Times.Lease)
		switch {
		case errors.Is(err, store.ErrLost):
			end(errLost)
		case err != nil && ctx.Err() == nil:
			r.log.Warn("cannot renew the lease", "error", err)
		case cancel:
			end(errCancelled)
		}
	}
}

// process runs the job's process and returns its final line, nil if it had none.
// An error is a failure of the worker.
func (r *run) process(ctx context.Context) (*job.Line, error) {
	task, err := r.task(ctx)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(task)
	if err != nil {
		return nil, err
	}
	cmd := r.worker.opts.Machine.Command(context.WithoutCancel(ctx)) // ctx must not kill it: it is asked to end first
	cmd.Dir = r.dir
	stderr := job.Tail{Max: maxStderr}
	cmd.Stderr = &stderr
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
	defer context.AfterFunc(ctx, func() { _ = in.Close() })() // asks it to clean up and end
	kill := r.killLater(ctx, cmd)
	defer kill()
	if _, err := in.Write(append(text, '\n')); err != nil {
		r.log.Warn("cannot send the task to the job process", "error", err)
	}
	last := r.read(ctx, out)
	_ = in.Close()
	err = cmd.Wait()
	switch {
	case last == nil:
		r.log.Warn("job process ended without a result", "error", err, "stderr", stderr.String())
	case last.Failed != nil && last.Failed.Code != mcpsf.CodeUsage:
		r.log.Warn("job process failed", "problem", last.Failed.Message, "stderr", stderr.String())
	}
	return last, nil
}

// killLater kills a process that does not end when it is asked to.
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
		case <-time.After(r.worker.opts.Times.Stop):
			_ = cmd.Process.Kill()
		}
	}()
	return func() { close(ended) }
}

// task prepares the input of the process.
func (r *run) task(ctx context.Context) (*job.Task, error) {
	j := &r.claim.Job
	t := &job.Task{Request: j.Request, Output: filepath.Join(r.dir, "out"), AllowPrivate: r.worker.opts.AllowPrivate}
	t.Request.Env = nil
	if len(r.claim.EncryptedEnv) > 0 {
		values, err := r.worker.opts.Key.Decrypt(r.claim.EncryptedEnv, []byte(j.ID))
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
