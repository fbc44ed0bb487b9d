package source

import (
	"testing"

	"github.com/mcpsf/mcpsf"
)

// resolve resolves a path into a stage of its own.
func resolve(t testing.TB, path string) (*mcpsf.Artifact, error) {
	t.Helper()
	return Resolve(t.Context(), mcpsf.Target{Source: path}, t.TempDir(), nil)
}
