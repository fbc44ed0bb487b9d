package box

import (
	"os"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Status describes the box for the coverage statement.
func (b *Box) Status(platform string) mcpsf.SandboxStatus {
	user := "ordinary"
	if os.Getuid() == 0 {
		user = "root"
	}
	if platform == "" {
		platform = "systrap"
	}
	network := "none"
	if b.link != nil {
		network = "ours"
	}
	return mcpsf.SandboxStatus{
		Engine: "gVisor (embedded)", Platform: platform, User: user, Network: network, Cgroup: b.group.describe(),
	}
}

// Held lists what enforced each limit in this run.
func (b *Box) Held() []mcpsf.LimitStatus {
	with := func(controller, base string) string {
		if b.group.has(controller) {
			return strings.Join([]string{base, "cgroup"}, "+")
		}
		return base
	}
	l := b.limits
	return []mcpsf.LimitStatus{
		{Name: mcpsf.LimitMemory, Limit: l.Memory, Unit: "bytes", HeldBy: with("memory", "kernel+watchdog")},
		{Name: mcpsf.LimitCPU, Limit: l.CPUSeconds, Unit: "seconds", HeldBy: "kernel+rlimit"},
		{Name: mcpsf.LimitPIDs, Limit: l.PIDs, Unit: "tasks", HeldBy: with("pids", "kernel")},
		{Name: mcpsf.LimitFiles, Limit: l.Files, Unit: "per process", HeldBy: "rlimit"},
		{Name: mcpsf.LimitDisk, Limit: l.Disk, Unit: "bytes per file system", HeldBy: "kernel"},
	}
}
