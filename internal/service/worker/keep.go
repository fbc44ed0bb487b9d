package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/mcpsf/mcpsf/internal/pause"
	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// storeError is an error of the file store; the report itself is complete.
type storeError struct{ error }

func (e storeError) Unwrap() error { return e.error }

// keep stores the files of a job that is done. A job may have taken an hour, so
// it waits for a full disk or an unreachable bucket.
func (r *run) keep(ctx context.Context, result *job.Result) *store.Outcome {
	begun := time.Now()
	for wait := r.worker.opts.Times.Idle; ; wait = min(2*wait, 5*time.Second) {
		bytes, found, err := r.storeFiles(context.WithoutCancel(ctx))
		switch _, later := errors.AsType[storeError](err); {
		case err == nil && !found:
			return r.retry(errors.New("the run left no report"))
		case err == nil:
			result.Bytes = bytes
			return &store.Outcome{State: job.Done, Result: result}
		case !later || time.Since(begun) > r.worker.opts.Times.Keep:
			return r.retry(fmt.Errorf("storing the report: %w", err))
		}
		r.log.Warn("cannot store the report yet", "error", err)
		if wait == r.worker.opts.Times.Idle {
			r.note("the report is complete, but cannot be stored; waiting for disk space or the bucket")
		}
		if cause := pause.For(ctx, wait); cause != nil {
			return r.interrupted(cause)
		}
	}
}

// note adds a message of the worker to the live events.
func (r *run) note(text string) {
	l := &job.Line{Note: text}
	if line, err := json.Marshal(l); err == nil {
		r.live.add(line, l)
	}
}

// storeFiles stores the output of the process. It returns its size and whether a
// report is in it.
func (r *run) storeFiles(ctx context.Context) (bytes int64, found bool, err error) {
	root, err := os.OpenRoot(filepath.Join(r.dir, "out"))
	if err != nil {
		return 0, false, err
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		f, err := root.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		n, err := r.worker.opts.Files.Put(ctx, path.Join(r.prefix(), d.Name()), f)
		bytes += n
		found = found || d.Name() == "report.json"
		if err != nil && !errors.Is(err, blob.ErrName) {
			return storeError{err}
		}
		return err
	})
	return bytes, found, err
}

// fetch copies a stored file to the directory of the job.
func (r *run) fetch(ctx context.Context, name, to string) error {
	from, err := r.worker.opts.Files.Open(ctx, name)
	if err != nil {
		return fmt.Errorf("opening the uploaded file: %w", err)
	}
	defer from.Close()
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}
