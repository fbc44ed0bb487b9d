package servicecmd

import (
	"context"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/store"
)

// tidyEach is how often retention runs. It lists all files.
const tidyEach = 30 * time.Minute

// tidy applies the retention until ctx ends, and removes files of deleted jobs and
// of killed workers.
func (s *service) tidy(ctx context.Context, keep store.Retention) {
	tick := time.NewTicker(tidyEach)
	defer tick.Stop()
	unused := map[string]bool{}
	for {
		n, err := s.store.Forget(ctx, keep, func(id string) error { return s.files.Remove(ctx, path.Join("jobs", id)) })
		if err == nil {
			err = s.sweep(ctx)
		}
		if err == nil {
			unused, err = s.sweepUploads(ctx, unused)
		}
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			s.logger.Warn("cannot remove old reports", "error", err)
		case n > 0:
			s.logger.Info("removed old reports", "jobs", n)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// sweep removes the files of deleted jobs, and of attempts whose worker was
// killed.
func (s *service) sweep(ctx context.Context) error {
	files, err := s.files.List(ctx, "jobs")
	if err != nil {
		return err
	}
	attempts := map[string]int{} // by job
	gone := map[string]bool{}
	for _, f := range files {
		id, rest, _ := strings.Cut(strings.TrimPrefix(f.Name, "jobs/"), "/")
		last, known := attempts[id]
		if !known {
			if last, err = s.store.Attempt(ctx, id); err != nil {
				return err
			}
			attempts[id] = last
		}
		number, _, _ := strings.Cut(rest, "/")
		if n, err := strconv.Atoi(number); last == 0 || err == nil && n < last {
			gone[path.Join("jobs", id, number)] = true
		}
	}
	for dir := range gone {
		if err := s.files.Remove(ctx, dir); err != nil {
			return err
		}
	}
	return nil
}

// sweepUploads removes uploads that no job needs. An upload is stored before
// its job, so it is removed only if it was also unused last time. It returns
// the currently unused ones.
func (s *service) sweepUploads(ctx context.Context, before map[string]bool) (map[string]bool, error) {
	unused := map[string]bool{}
	files, err := s.files.List(ctx, "uploads")
	if err != nil {
		return before, err
	}
	for _, f := range files {
		needed, err := s.store.Needed(ctx, path.Base(f.Name))
		switch {
		case err != nil:
			return before, err
		case needed:
		case !before[f.Name]:
			unused[f.Name] = true
		default:
			if err := s.files.Remove(ctx, f.Name); err != nil {
				return before, err
			}
		}
	}
	return unused, nil
}
