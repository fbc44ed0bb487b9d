package box

import (
	"os"
	"time"

	"github.com/mcpsf/mcpsf/internal/sandbox/envhook"
)

// Snapshot is a sandbox as it was at one moment: copies of it start there. It is in
// memory without a name, so that nothing is left behind however we end.
type Snapshot struct {
	// files are the kernel's state, what its pages are, and the pages.
	files [3]*os.File
	// hooks are in the memory of its programs.
	hooks *envhook.Hooks
	// ahead is how far its date was ahead of the host's.
	ahead time.Duration
}

// Size returns how much memory the snapshot takes.
func (s *Snapshot) Size() int64 {
	var size int64
	for _, f := range s.files {
		if info, err := f.Stat(); err == nil {
			size += info.Size()
		}
	}
	return size
}

// Close gives the memory back. Copies that were started stay.
func (s *Snapshot) Close() error {
	for _, f := range s.files {
		if f != nil {
			_ = f.Close()
		}
	}
	return nil
}
