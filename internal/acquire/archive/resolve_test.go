package archive_test

import (
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source"
)

// resolve resolves a path into a stage of its own.
func resolve(t testing.TB, path string) (*mcpsf.Artifact, error) {
	t.Helper()
	return source.Resolve(t.Context(), mcpsf.Target{Source: path}, t.TempDir(), nil)
}
