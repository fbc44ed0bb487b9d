package paths

import (
	"path"
	"strings"
)

// Incidental knows what reading leaves behind: git refreshes its index,
// databases have their journals, Python and others their caches.
func Incidental(p string) bool {
	for _, part := range []string{"/.git/", "/__pycache__/", "/node_modules/.cache/", "/.pytest_cache/", "/.mypy_cache/", "/.ruff_cache/"} {
		if strings.Contains(p, part) {
			return true
		}
	}
	base := path.Base(p)
	for _, ending := range []string{"-journal", "-wal", "-shm", ".lock", ".pid", ".pyc", ".log", "~", ".swp"} {
		if strings.HasSuffix(base, ending) {
			return true
		}
	}
	return strings.HasPrefix(base, ".~lock")
}
