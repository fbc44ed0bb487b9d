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

	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// unkept is an error of the place where files are kept: what is to be kept is
// all there.
type unkept struct{ error }

func (e unkept) Unwrap() error { return e.error }

// putAway keeps the files of a job that is done. A job may have taken an hour:
// a disk that is full, or a bucket that is gone, is waited for.
func (r *run) putAway(ctx context.Context, result *job.Result) *store.Outcome {
	begun := time.Now()
	for wait := r.worker.opts.Idle; ; wait = min(2*wait, 5*time.Second) {
		bytes, found, err := r.putFiles(context.WithoutCancel(ctx))
		switch _, later := errors.AsType[unkept](err); {
		case err == nil && !found:
			return r.again(errors.New("keeping the report: there is no report"))
		case err == nil:
			result.Bytes = bytes
			return &store.Outcome{State: job.Done, Result: result}
		case !later || time.Since(begun) > r.worker.opts.Keeping:
			return r.again(fmt.Errorf("keeping the report: %w", err))
		}
		r.log.Warn("the report cannot be kept yet", "error", err)
		if wait == r.worker.opts.Idle {
			r.note("the report is there, but there is nowhere to keep it; waiting until there is")
		}
		select {
		case <-ctx.Done():
			return r.interrupted(context.Cause(ctx))
		case <-time.After(wait):
		}
	}
}

// note tells something of ours among what the job tells.
func (r *run) note(text string) {
	l := &job.Line{Note: text}
	if line, err := json.Marshal(l); err == nil {
		r.told.hear(line, l)
	}
}

// putFiles keeps what the process left, and tells how much that is and whether
// there is a report in it.
func (r *run) putFiles(ctx context.Context) (bytes int64, found bool, err error) {
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
		n, err := r.worker.opts.Files.Put(ctx, path.Join(r.place(), d.Name()), f)
		bytes += n
		found = found || d.Name() == "report.json"
		if err != nil && !errors.Is(err, blob.ErrName) {
			return unkept{err}
		}
		return err
	})
	return bytes, found, err
}

// fetch copies a file that is kept to where the job has its own.
func (r *run) fetch(ctx context.Context, name, to string) error {
	from, err := r.worker.opts.Files.Open(ctx, name)
	if err != nil {
		return fmt.Errorf("the uploaded file is not to be had: %w", err)
	}
	defer from.Close()
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}
