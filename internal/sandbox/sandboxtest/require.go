// Package sandboxtest skips tests that need a real sandbox where there is none.
package sandboxtest

import (
	"context"
	"os"
	"sync"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/interpreter"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// checks are made once for all tests of a package: they start programs.
//
//nolint:gochecknoglobals,forbidigo // the tests of a package share nothing else, no context either
var checks = sync.OnceValue(func() []box.Check { return box.Checks(context.Background()) })

// Require skips the test with a reason if this machine cannot run a sandbox;
// with MCPSF_REQUIRE_SANDBOX=1 it fails instead.
func Require(t testing.TB) {
	t.Helper()
	for _, c := range checks() {
		if c.OK || c.Optional {
			continue
		}
		Missing(t, "no sandbox here: "+c.Name+": "+c.Detail)
	}
}

// Interpreter makes a language runtime of this machine visible in the sandbox.
func Interpreter(t testing.TB, rt mcpsf.Runtime, opts *box.Options) {
	t.Helper()
	i, err := interpreter.Choose(rt, "", os.Getenv("PATH"))
	if err != nil {
		Missing(t, err.Error())
	}
	opts.Interpreter = i.Program
	if i.Source != "" {
		opts.Content.Mounts = append(opts.Content.Mounts, box.Mount{Source: i.Source, Target: i.Mount})
	}
}

// Missing skips the test because something is not installed; with
// MCPSF_REQUIRE_SANDBOX=1 it fails instead.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("MCPSF_REQUIRE_SANDBOX") == "1" {
		t.Fatal("required, but " + what)
	}
	t.Skip(what)
}
