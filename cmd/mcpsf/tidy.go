package main

import (
	"context"
	"path"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/store"
)

// tidyEach is how often what is old is looked for.
const tidyEach = 5 * time.Minute

// tidy forgets what is older than is kept, until ctx ends, and removes files
// that belong to nobody: of jobs that are forgotten, of workers that were
// killed.
func (s *service) tidy(ctx context.Context, keep store.Retention) {
	tick := time.NewTicker(tidyEach)
	defer tick.Stop()
	for {
		n, err := s.store.Forget(ctx, keep, func(id string) error { return s.files.Remove(ctx, path.Join("jobs", id)) })
		if err == nil {
			err = s.sweep(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			s.logger.Warn("old reports cannot be removed", "error", err)
		case n > 0:
			s.logger.Info("old reports were removed", "jobs", n)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// sweep removes the files of jobs that are not there.
func (s *service) sweep(ctx context.Context) error {
	files, err := s.files.List(ctx, "jobs")
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, f := range files {
		id, _, _ := strings.Cut(strings.TrimPrefix(f.Name, "jobs/"), "/")
		if seen[id] {
			continue
		}
		seen[id] = true
		there, err := s.store.Exists(ctx, id)
		if err != nil {
			return err
		}
		if there {
			continue
		}
		if err := s.files.Remove(ctx, path.Join("jobs", id)); err != nil {
			return err
		}
	}
	return nil
}
