package installation

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestPassable(t *testing.T) {
	dir := t.TempDir()
	open, private := filepath.Join(dir, "open"), filepath.Join(dir, "private")
	for path, mode := range map[string]os.FileMode{dir: 0o755, filepath.Dir(dir): 0o755, open: 0o755, private: 0o700} {
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := passable(filepath.Join(open, "node"), 0); err != nil {
		t.Error(err)
	}
	if err := passable(filepath.Join(private, "node"), 0); mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
		t.Errorf("got %v, want a refusal", err)
	}
	if err := passable(filepath.Join(private, "node"), 1000); err != nil {
		t.Errorf("an ordinary user's sandbox is the user's own: %v", err)
	}
}
