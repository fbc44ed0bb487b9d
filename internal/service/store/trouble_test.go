package store

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// TestNoRoom has a file that cannot grow: the error says so, reading works, and
// writing works again later.
func TestNoRoom(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir()+"/db")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	before := add(t, s, &New{})
	pages := func(most int) {
		t.Helper()
		if _, err := s.write.ExecContext(t.Context(), map[int]string{0: "PRAGMA max_page_count = 1", 1: "PRAGMA max_page_count = 1000000"}[most]); err != nil {
			t.Fatal(err)
		}
	}
	pages(0)
	large := make([]byte, 64<<10)
	if _, _, err := s.Add(t.Context(), &New{ID: job.NewID(), Project: "a", EncryptedEnv: large}); !errors.Is(err, ErrNoRoom) {
		t.Errorf("want %v, got %v", ErrNoRoom, err)
	}
	if got := get(t, s, before.ID); got.State != job.Queued {
		t.Errorf("what is there is %+v", got)
	}
	pages(1)
	add(t, s, &New{EncryptedEnv: large})
}

// TestGone kills PostgreSQL: the error says so, and the store works again when
// it is back.
func TestGone(t *testing.T) {
	database := postgres.Database(t)
	s, err := Open(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	j := add(t, s, &New{})
	c := claim(t, s, lease)
	ask := map[string]func() error{
		"Ready": func() error { return s.Ready(t.Context()) },
		"Job":   func() error { _, err := s.Job(t.Context(), "a", j.ID); return err },
		"Add": func() error {
			_, _, err := s.Add(t.Context(), &New{ID: job.NewID(), Project: "a"})
			return err
		},
		"Claim":  func() error { _, err := s.Claim(t.Context(), "w", lease); return err },
		"Renew":  func() error { _, err := s.Renew(t.Context(), c, job.Progress{}, lease); return err },
		"Reap":   func() error { _, err := s.Reap(t.Context(), 2, lease); return err },
		"Tell":   func() error { return s.Tell(t.Context(), c, []byte("{}\n")) },
		"Key":    func() error { _, _, err := s.Key(t.Context(), "none"); return err },
		"Forget": func() error { _, err := s.Forget(t.Context(), Retention{Age: time.Hour}, nil); return err },
	}
	for how, end := range map[string]func(){"killed": postgres.Kill, "shut down": postgres.Shutdown} {
		end()
		for name, f := range ask {
			if err := f(); !errors.Is(err, ErrGone) {
				t.Errorf("%s, %s: want %v, got %v", how, name, ErrGone, err)
			}
		}
		if err := postgres.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		for name, f := range ask {
			if err := f(); errors.Is(err, ErrGone) {
				err = f() // on a connection that is known to be broken
				if errors.Is(err, ErrGone) {
					t.Errorf("%s, %s: it is back, and %v", how, name, err)
				}
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Job(ctx, "a", j.ID); !errors.Is(err, context.Canceled) || errors.Is(err, ErrGone) {
		t.Errorf("who has gone away is told %v", err)
	}
}

// TestReapAfterOutage: after a time without reaping, expired leases begin anew,
// and only then expire.
func TestReapAfterOutage(t *testing.T) {
	each(t, func(t *testing.T, s *Store) {
		add(t, s, &New{})
		c := claim(t, s, -time.Second)
		set := func(ago time.Duration) {
			t.Helper()
			if _, err := s.write.ExecContext(t.Context(), s.sql(`UPDATE moments SET at = {now} - $1 WHERE name = 'reaped'`), ago.Milliseconds()); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.write.ExecContext(t.Context(), `UPDATE moments SET at = 0 WHERE name = 'reaped'`); err != nil {
			t.Fatal(err)
		}
		if r, err := s.Reap(t.Context(), 1, lease); err != nil || r != (Reaped{}) {
			t.Fatalf("an outage before anybody reaped: %+v, %v", r, err)
		}
		if _, err := s.Renew(t.Context(), c, job.Progress{}, -time.Second); err != nil {
			t.Fatal(err)
		}
		set(lease)
		if r, err := s.Reap(t.Context(), 1, lease); err != nil || r != (Reaped{}) {
			t.Fatalf("after an outage: %+v, %v", r, err)
		}
		if r, err := s.Reap(t.Context(), 1, lease); err != nil || r != (Reaped{}) {
			t.Fatalf("the lease did not begin anew: %+v, %v", r, err)
		}
		if _, err := s.Renew(t.Context(), c, job.Progress{}, -time.Second); err != nil {
			t.Fatal(err)
		}
		set(lease / 3)
		if r, err := s.Reap(t.Context(), 5, lease); err != nil || r != (Reaped{Requeued: 1}) {
			t.Errorf("without one: %+v, %v", r, err)
		}
	})
}

// TestToldAgain sends the same part again, as after an unclear error: it is
// stored once, and more can be added.
func TestToldAgain(t *testing.T) {
	each(t, func(t *testing.T, s *Store) {
		add(t, s, &New{})
		c := claim(t, s, lease)
		lost := *c
		for _, who := range []*Claim{&lost, c} {
			if err := s.Tell(t.Context(), who, []byte("one\n")); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Tell(t.Context(), c, []byte("two\n")); err != nil {
			t.Fatal(err)
		}
		told, _, err := s.Told(t.Context(), &c.Job, Place{})
		if err != nil || len(told) != 2 || string(told[0]) != "one\n" || string(told[1]) != "two\n" {
			t.Errorf("told %q, %v", told, err)
		}
		finish(t, s, c, done(mcpsf.BandLow))
		if err := s.Tell(t.Context(), c, []byte("three\n")); !errors.Is(err, ErrLost) {
			t.Errorf("after the end: %v", err)
		}
	})
}

// TestTrouble classifies the error codes of databases.
func TestTrouble(t *testing.T) {
	for code, want := range map[string]error{
		"53100": ErrNoRoom, "53300": ErrGone, "57P01": ErrGone, "57P03": ErrGone, "08006": ErrGone, "58030": ErrGone, "25006": ErrGone,
		"23505": nil, "42601": nil, "22021": nil, "": nil,
	} {
		if got := troubleOfServer(code); !errors.Is(got, want) || got != want { //nolint:errorlint // nil is one of them
			t.Errorf("PostgreSQL's %s is %v, want %v", code, got, want)
		}
	}
	for code, want := range map[int]error{13: ErrNoRoom, 10: ErrGone, 10 | 19<<8: ErrNoRoom, 5: ErrGone, 8: ErrGone, 14: ErrGone, 19: nil, 1: nil} {
		if got := troubleOfFile(code); got != want { //nolint:errorlint // nil is one of them
			t.Errorf("SQLite's %d is %v, want %v", code, got, want)
		}
	}
}
