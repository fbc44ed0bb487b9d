package store

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/mcpsf/mcpsf/internal/service/store/storetest"
)

var postgres *storetest.Postgres

func TestMain(m *testing.M) {
	os.Exit(func() int {
		pg, err := storetest.Start(context.Background())
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer pg.Stop()
		postgres = pg
		return m.Run()
	}())
}

// each runs a test on both databases.
func each(t *testing.T, f func(t *testing.T, s *Store)) {
	t.Helper()
	storetest.Each(t, postgres, func(t *testing.T, database string) {
		s, err := Open(t.Context(), database)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		if _, err := s.Reap(t.Context(), 1, lease); err != nil { // as workers do all the time
			t.Fatal(err)
		}
		f(t, s)
	})
}
