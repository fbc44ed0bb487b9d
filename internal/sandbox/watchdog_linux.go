package sandbox

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mcpsf/mcpsf"
)

// watch measures gVisor's own memory from outside. The target's pages are
// counted inside; this is for what a hostile target makes the kernel itself
// pile up: descriptors, sockets, names.
func (s *supervisor) watch(pid int) {
	const interval = 100 * time.Millisecond
	for {
		time.Sleep(interval)
		used, err := anonymousMemory(pid)
		if err != nil {
			return // the sandbox is gone
		}
		if used > s.plan.EngineMemory {
			s.tell(notice{Limit: mcpsf.LimitMemory, Value: used})
			_ = unix.Kill(pid, unix.SIGKILL)
			return
		}
	}
}

// anonymousMemory is the process's private memory in bytes.
func anonymousMemory(pid int) (int64, error) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, fmt.Errorf("measuring the sandbox: %w", err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "RssAnon:"); ok {
			var kib int64
			if _, err := fmt.Sscan(rest, &kib); err != nil {
				return 0, fmt.Errorf("measuring the sandbox: %w", err)
			}
			return kib << 10, nil
		}
	}
	return 0, nil
}
