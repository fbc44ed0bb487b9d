package store

import (
	"io/fs"
	"testing"

	"github.com/pressly/goose/v3"

	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store/storetest"
)

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

// The trace of a submission is stored with its job, for every attempt. A
// submission that shares the job has another trace.
func TestTrace(t *testing.T) {
	each(t, func(t *testing.T, s *Store) {
		j := add(t, s, &New{Same: "x", Trace: traceparent})
		if again := add(t, s, &New{Same: "x", Trace: "00-other"}); again.ID != j.ID {
			t.Fatalf("%s is not shared: %s", j.ID, again.ID)
		}
		for attempt := 1; attempt <= 2; attempt++ {
			c := claim(t, s, lease)
			if c.Trace != traceparent || c.Job.Attempt != attempt {
				t.Errorf("attempt %d: it is in %q, want %q", c.Job.Attempt, c.Trace, traceparent)
			}
			finish(t, s, c, &Outcome{State: job.Queued})
		}
		finish(t, s, claim(t, s, lease), &Outcome{State: job.Done, Result: &job.Result{}})
		add(t, s, &New{})
		if c := claim(t, s, lease); c.Trace != "" {
			t.Errorf("a job of no trace is in %q", c.Trace)
		}
	})
}

// A database of the previous version keeps its jobs, and they can be run.
func TestUpgrade(t *testing.T) {
	storetest.Each(t, postgres, func(t *testing.T, database string) {
		old, err := connect(database)
		if err != nil {
			t.Fatal(err)
		}
		files, err := fs.Sub(migrations, "migrations")
		if err != nil {
			t.Fatal(err)
		}
		p, err := goose.NewProvider(old.engine.goose, old.write, files, goose.WithDisableGlobalRegistry(true))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.UpTo(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		for _, query := range []string{
			`INSERT INTO projects (name) VALUES ('a')`,
			`INSERT INTO jobs (id, project, state, source, request, same, pinned, created, due) VALUES ('old', 'a', 'queued', 'npm:x', '{"source":"npm:x"}', '', 0, 1, 1)`,
		} {
			if _, err := old.write.ExecContext(t.Context(), query); err != nil {
				t.Fatal(err)
			}
		}
		if err := old.Close(); err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), database)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if c := claim(t, s, lease); c.Job.ID != "old" || c.Job.Request.Source != "npm:x" || c.Trace != "" {
			t.Errorf("claimed %+v", c)
		}
		// The migration can be undone, to restore an old program.
		if p, err = goose.NewProvider(s.engine.goose, s.write, files, goose.WithDisableGlobalRegistry(true)); err != nil {
			t.Fatal(err)
		}
		if _, err := p.DownTo(t.Context(), 1); err != nil {
			t.Error(err)
		}
	})
}
