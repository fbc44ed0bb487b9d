package staging

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

// endless is a file that grows as fast as it is read.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

func TestGrowingFileIsNotCopiedForever(t *testing.T) {
	dir := sourcetest.Plant(t, map[string]string{"log": "started"})
	info, err := os.Lstat(filepath.Join(dir, "log"))
	sourcetest.Must(t, err)
	c := &copier{hash: sha256.New(), buf: make([]byte, 64)}
	var copied strings.Builder
	err = c.contents(t.Context(), &copied, endless{}, &Entry{Path: "log", Info: info})
	sourcetest.WantUsage(t, err, "changed while")
	if copied.Len() > len("started") {
		t.Errorf("copied %d bytes", copied.Len())
	}
}
