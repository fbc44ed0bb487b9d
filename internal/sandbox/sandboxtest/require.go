// Package sandboxtest lets tests say that they need a real sandbox.
package sandboxtest

import (
	"os"
	"testing"

	"github.com/mcpsf/mcpsf/internal/sandbox"
)

// Require skips the test where this machine cannot run a sandbox, saying why;
// with MCPSF_REQUIRE_SANDBOX=1 it fails instead.
func Require(t testing.TB) {
	t.Helper()
	for _, c := range sandbox.Checks(t.Context(), os.Getenv("PATH")) {
		if c.OK || c.Optional {
			continue
		}
		if os.Getenv("MCPSF_REQUIRE_SANDBOX") == "1" {
			t.Fatalf("the sandbox is required, but %s: %s", c.Name, c.Detail)
		}
		t.Skipf("no sandbox here: %s: %s", c.Name, c.Detail)
	}
}
