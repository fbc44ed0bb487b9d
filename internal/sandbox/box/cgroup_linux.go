package box

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/runsc/cgroup"
)

// cgroups are the host kernel's limits on the sandbox's processes, where the
// caller may set them: as root. They back up the limits inside the sandbox.
type cgroups struct {
	group       cgroup.Cgroup
	controllers []string
}

// groupPrefix begins the name of every run's groups.
const groupPrefix = "mcpsf-"

// newCgroups makes the groups of a run whose files take planted bytes of the
// sandbox's memory before the server runs. Where cgroups are not usable it
// returns nil and the other limits apply alone.
func newCgroups(id string, l Limits, planted int64) *cgroups {
	if os.Getuid() != 0 {
		return nil
	}
	cg, err := cgroup.NewFromPath("/"+id, false)
	if err != nil {
		return nil
	}
	// Additional room for gVisor and its stub processes.
	memory := l.Memory + planted + engineMemory + 256<<20
	period, quota := uint64(100_000), int64(l.CPUs)*100_000
	pids := l.PIDs*2 + 512
	err = cg.Install(&specs.LinuxResources{
		Memory: &specs.LinuxMemory{Limit: &memory},
		CPU:    &specs.LinuxCPU{Period: &period, Quota: &quota},
		Pids:   &specs.LinuxPids{Limit: pids},
	})
	if err != nil {
		_ = cg.Uninstall()
		return nil
	}
	return &cgroups{group: cg}
}

// join puts pid and all its future children under the limits.
func (c *cgroups) join(pid int) {
	if c == nil {
		return
	}
	for _, controller := range []string{"memory", "cpu", "pids"} {
		procs := filepath.Join(c.group.MakePath(controller), "cgroup.procs")
		if err := os.WriteFile(procs, []byte(strconv.Itoa(pid)), 0); err == nil {
			c.controllers = append(c.controllers, controller)
		}
	}
}

func (c *cgroups) has(controller string) bool {
	return c != nil && slices.Contains(c.controllers, controller)
}

func (c *cgroups) describe() string {
	if c == nil || len(c.controllers) == 0 {
		return "not usable; limits held inside the sandbox's kernel and by a watchdog"
	}
	return strings.Join(c.controllers, ", ")
}

// outOfMemory reports whether the host's kernel killed a process of the group
// because the group had used up its memory.
func (c *cgroups) outOfMemory() bool {
	if !c.has("memory") {
		return false
	}
	// The first is the file of cgroup version 2, the other of version 1.
	for _, name := range []string{"memory.events", "memory.oom_control"} {
		text, err := os.ReadFile(filepath.Join(c.group.MakePath("memory"), name))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if count, ok := strings.CutPrefix(line, "oom_kill "); ok {
				return strings.TrimSpace(count) != "0"
			}
		}
	}
	return false
}

// remove deletes the groups once their processes are gone.
func (c *cgroups) remove() error {
	const tries = 50
	var err error
	for range tries {
		if err = c.group.Uninstall(); err == nil {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return fmt.Errorf("removing the run's cgroups: %w", err)
}

// removeCgroups deletes the groups that a dead run left behind and reports
// whether they are gone; they remain while its last processes are still ending.
func removeCgroups(runID string) bool {
	if os.Getuid() != 0 {
		return true
	}
	gone := true
	for _, where := range []string{"/sys/fs/cgroup/*/", "/sys/fs/cgroup/"} {
		for _, name := range []string{runID, runID + "-*"} { // one group, or several
			found, _ := filepath.Glob(where + groupPrefix + name)
			for _, dir := range found {
				err := unix.Rmdir(dir)
				gone = gone && !errors.Is(err, unix.EBUSY)
			}
		}
	}
	return gone
}
