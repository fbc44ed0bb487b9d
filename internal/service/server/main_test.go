package server

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/mcpsf/mcpsf/internal/service/store/storetest"
)

var postgres *storetest.Postgres

// TestMain also checks that all tests together exercised every operation of the
// document, and that no goroutine is left.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		pg, err := storetest.Start(context.Background())
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer pg.Stop()
		postgres = pg
		code := m.Run()
		if code != 0 {
			return code
		}
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		if missing := exercised.missing(); len(missing) > 0 && whole() {
			fmt.Fprintln(os.Stderr, "no test asks for", missing)
			return 1
		}
		return 0
	}())
}

// whole tells whether all tests ran.
func whole() bool {
	for _, name := range []string{"test.run", "test.skip", "test.list", "test.fuzz", "test.bench"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return false
		}
	}
	return !testing.Short()
}
