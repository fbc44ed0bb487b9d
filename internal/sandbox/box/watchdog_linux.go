package box

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
)

// watch measures the memory of gVisor's own processes from outside. The
// target's pages are counted inside; this covers what a hostile target makes
// the kernel itself accumulate: descriptors, sockets, names.
func (s *supervisor) watch(pids ...int) {
	const interval = 100 * time.Millisecond
	for {
		time.Sleep(interval)
		var used int64
		for _, pid := range pids {
			own, err := anonymousMemory(pid)
			if err != nil {
				return // the sandbox is gone
			}
			used += own
		}
		if used > s.plan.EngineMemory {
			s.tell(notice{Limit: mcpsf.LimitMemory, Value: used})
			s.kill()
			return
		}
	}
}

// anonymousMemory returns the process's private memory in bytes.
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
