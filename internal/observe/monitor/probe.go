package monitor

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// Which file accesses count as sandbox detection.
//
// Runtimes read system files when they start: /proc/cpuinfo, /proc/meminfo,
// /proc/stat, /proc/version_signature, /proc/self/mountinfo and /sys/fs/cgroup
// are read by Node, Python and Go programs to size their heaps and pools. Those
// paths never count, except for control groups: a process that reads its own
// long after it started is not sizing anything. "Started" is the start phase,
// and for a runtime launched in a call that call. A server that reads its own
// control group while it starts is therefore not reported here; the other paths
// in the table have no legitimate reader and count at any time.

func (a *attempts) probe(o *origin, r *wire.Record) {
	d := &mcpsf.ProbeDetail{What: clean(r.Text), Detail: clean(r.Asked)}
	key := keyOf(o, mcpsf.KindProbeSandbox)
	key.path, key.asked = d.What, d.Detail
	a.folds.fold(key, 0, func() mcpsf.Event {
		e := a.log.base(o, mcpsf.KindProbeSandbox)
		e.Probe = d
		return e
	})
}

// probedPath returns which sign of a sandbox a path shows, "" for none.
func probedPath(name string) string {
	switch name {
	case "/.dockerenv", "/.dockerinit", "/run/.containerenv", "/var/run/.containerenv",
		"/run/systemd/container", "/run/host/container-manager":
		return "container marker"
	case "/proc/sentry-meminfo":
		return "gVisor"
	case "/proc/cmdline":
		return "kernel command line"
	case "/dev/kmsg", "/proc/kmsg", "/var/log/dmesg":
		return "kernel log"
	case "/proc/scsi/scsi", "/proc/ide":
		return "virtual disks"
	case "/dev/vboxguest", "/dev/vboxuser", "/dev/vmci", "/dev/vsock", "/dev/xen", "/proc/xen",
		"/dev/virtio-ports", "/etc/vmware-tools", "/etc/qemu-ga":
		return "virtual machine devices"
	}
	return probedTree(name)
}

func probedTree(name string) string {
	inside := func(dirs ...string) bool {
		for _, dir := range dirs {
			if _, ok := below(name, dir); ok {
				return true
			}
		}
		return false
	}
	switch {
	case inside("/sys/class/dmi", "/sys/devices/virtual/dmi"):
		return "machine identity (DMI)"
	case inside("/sys/firmware"):
		return "firmware"
	case inside("/sys/hypervisor"):
		return "hypervisor"
	case inside("/sys/module/vboxguest", "/sys/module/vboxsf", "/sys/module/vmw_balloon",
		"/sys/module/vmw_vmci", "/sys/module/vmwgfx", "/sys/module/virtio_balloon",
		"/sys/bus/vmbus", "/sys/bus/xen"):
		return "virtual machine drivers"
	case guestTool(name):
		return "virtual machine guest tools"
	}
	return ""
}

// guestTool recognises the programs that virtual machines install in guests.
func guestTool(name string) bool {
	for _, dir := range []string{"/usr/bin/", "/usr/sbin/", "/bin/", "/sbin/", "/opt/"} {
		program, ok := strings.CutPrefix(name, dir)
		if !ok {
			continue
		}
		program, _, _ = strings.Cut(program, "/")
		switch program {
		case "vmtoolsd", "vmware-toolbox-cmd", "vmware-rpctool", "qemu-ga", "prltoolsd", "xe-daemon",
			"VBoxService", "VBoxControl", "VBoxClient":
			return true
		}
		if strings.HasPrefix(program, "VBoxGuestAdditions") {
			return true
		}
	}
	return false
}

// probedProcess checks the files of a process that show whether it runs in a
// container. The kernel's name of /proc/self/cgroup contains a number, and the
// server may be process 1, so the name that the program asked for decides.
func probedProcess(o *origin, f *mcpsf.FileDetail) string {
	owner, what, ok := procPath(f.Path)
	if !ok || (what != "cgroup" && what != "sched") {
		return ""
	}
	literal := f.Asked
	if literal == "" {
		literal = f.Path
	}
	switch {
	case literal == "/proc/1/"+what, owner == "1" && !o.own(owner):
		return "first process"
	case what == "cgroup" && o.own(owner) && !startingUp(o):
		return "own control group"
	}
	return ""
}

// startingUp reports whether a runtime may still be reading its environment.
func startingUp(o *origin) bool {
	if o.phase == mcpsf.PhaseStart {
		return true
	}
	return o.proc != nil && o.proc.launched && o.proc.madeFor == o.callID() && isRuntime(o.proc.program)
}

func isRuntime(program string) bool {
	for _, name := range []string{"node", "python", "deno", "bun", "java", "ruby", "dotnet"} {
		if strings.HasPrefix(program, name) {
			return true
		}
	}
	return false
}
