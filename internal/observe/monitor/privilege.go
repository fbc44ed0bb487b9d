package monitor

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// attempts reports attempts to gain privileges, to leave the sandbox, or to
// detect it.
type attempts struct {
	log   *eventLog
	folds *folds
}

// privilege reports a system call that asks for more rights or a way out of the
// sandbox.
func (a *attempts) privilege(o *origin, r *wire.Record) {
	if ordinary(o, r.Text) {
		return
	}
	d := &mcpsf.PrivilegeDetail{
		Syscall: clean(r.Text), Detail: clean(r.Asked), Error: errnoName(r.Errno),
	}
	d.What = intent(d.Syscall, d.Detail)
	key := keyOf(o, mcpsf.KindPrivilegeAttempt)
	key.path, key.asked, key.err = d.Syscall, d.Detail, d.Error
	a.folds.fold(key, 0, func() mcpsf.Event {
		e := a.log.base(o, mcpsf.KindPrivilegeAttempt)
		e.Privilege = d
		return e
	})
}

// ordinary reports whether the runtime makes a call by itself: Node's event
// loop tries io_uring whenever one is created.
func ordinary(o *origin, syscall string) bool {
	return strings.HasPrefix(syscall, "io_uring_") && o.proc != nil && isRuntime(o.proc.program)
}

// intent describes the purpose of a system call in a few words.
func intent(syscall, detail string) string {
	switch syscall {
	case "mount", "move_mount", "fsopen", "fsmount", "fspick", "fsconfig", "open_tree", "mount_setattr":
		return "mount a file system"
	case "umount", "umount2":
		return "unmount a file system"
	case "pivot_root", "chroot":
		return "change the root directory"
	case "unshare", "clone", "clone3":
		return "make a new namespace"
	case "setns":
		return "enter another namespace"
	case "netlink":
		return "change the network"
	case "kill":
		return "signal every process"
	case "ptrace":
		return "control another process"
	case "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp":
		return "reach into another process"
	case "bpf":
		return "load a program into the kernel"
	case "init_module", "finit_module", "delete_module", "create_module":
		return "change the kernel's modules"
	case "kexec_load", "kexec_file_load":
		return "replace the kernel"
	case "reboot":
		return "restart the machine"
	case "swapon", "swapoff":
		return "change the swap space"
	}
	if what := identityIntent(syscall); what != "" {
		return what
	}
	return rareIntent(syscall, detail)
}

func identityIntent(syscall string) string {
	switch syscall {
	case "setuid", "setreuid", "setresuid", "setfsuid", "seteuid":
		return "become another user"
	case "setgid", "setregid", "setresgid", "setfsgid", "setegid", "setgroups":
		return "become another group"
	case "capset":
		return "raise capabilities"
	case "keyctl", "add_key", "request_key":
		return "use the kernel's key store"
	case "personality":
		return "change the execution domain"
	case "sethostname", "setdomainname":
		return "rename the machine"
	case "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "stime":
		return "change the clock"
	}
	return ""
}

func rareIntent(syscall, detail string) string {
	switch syscall {
	case "perf_event_open":
		return "watch the processor's counters"
	case "userfaultfd":
		return "handle page faults in user space"
	case "io_uring_setup", "io_uring_enter", "io_uring_register":
		return "bypass system calls"
	case "socket", "socketpair":
		if strings.Contains(detail, "packet") {
			return "capture or forge network packets"
		}
		return "open a raw socket"
	case "raw socket":
		return "open a raw socket"
	case "packet socket":
		return "capture or forge network packets"
	case "iopl", "ioperm":
		return "reach hardware ports"
	case "quotactl", "quotactl_fd":
		return "change disk quotas"
	case "open_by_handle_at", "name_to_handle_at":
		return "open a file by handle, past its directory"
	case "acct":
		return "change process accounting"
	case "mknod", "mknodat":
		return "make a device"
	case "syslog":
		return "control the kernel log"
	case "vhangup", "nfsservctl", "lookup_dcookie", "fanotify_init", "move_pages", "mbind", "migrate_pages":
		return "use a call reserved to administrators"
	}
	return "use " + syscall
}

// privilegedPath describes why an ordinary user's process should not touch a
// file, "" if it may.
func privilegedPath(o *origin, name string, write bool) string {
	if what := devicePath(name, write); what != "" {
		return what
	}
	switch name {
	case "/etc/shadow", "/etc/gshadow", "/etc/shadow-", "/etc/gshadow-":
		return "reach the password hashes"
	case "/etc/sudoers":
		return "reach the rules for becoming root"
	case "/proc/kcore":
		return "reach the machine's memory"
	case "/proc/sysrq-trigger":
		return "command the kernel"
	}
	if in(name, "/etc/sudoers.d") {
		return "reach the rules for becoming root"
	}
	if in(name, "/root") {
		return "reach root's home"
	}
	if write && programPath(name) {
		return "change the system's programs"
	}
	if write && (in(name, "/proc/sys") || in(name, "/sys") || strings.HasPrefix(name, "/proc/irq/")) {
		return "change a kernel setting"
	}
	return processPath(o, name, write)
}

// devicePath checks for device files of the host.
func devicePath(name string, write bool) string {
	device, ok := strings.CutPrefix(name, "/dev/")
	if !ok {
		return ""
	}
	switch device {
	case "mem", "kmem", "port":
		return "reach the machine's memory"
	case "kvm":
		return "reach the machine's processor"
	case "kmsg":
		if write {
			return "write to the kernel log"
		}
		return ""
	}
	for _, disk := range []string{"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "dm-", "loop", "mapper/", "disk/"} {
		if strings.HasPrefix(device, disk) {
			return "reach the machine's disks"
		}
	}
	return ""
}

// programPath reports whether a name is in a directory of the system's own
// programs.
func programPath(name string) bool {
	for _, dir := range []string{"/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/bin", "/sbin", "/boot"} {
		if in(name, dir) {
			return true
		}
	}
	return false
}

func in(name, dir string) bool {
	_, ok := below(name, dir)
	return ok
}

// processPath checks the files of processes: another's memory and environment,
// and the identity maps of a namespace.
func processPath(o *origin, name string, write bool) string {
	owner, what, ok := procPath(name)
	if !ok {
		return ""
	}
	if task, inner, isTask := strings.Cut(what, "/"); isTask && task == "task" {
		_, what, _ = strings.Cut(inner, "/")
	}
	first, _, _ := strings.Cut(what, "/")
	switch first {
	case "uid_map", "gid_map", "setgroups":
		if write {
			return "map users of a new namespace"
		}
	case "environ":
		if isAnother(o, owner) {
			return "read the variables of another process"
		}
	case "mem", "maps", "smaps", "root", "pagemap", "auxv":
		if isAnother(o, owner) {
			return "reach into another process"
		}
	}
	return ""
}

func isAnother(o *origin, owner string) bool {
	return owner != "" && strings.Trim(owner, "0123456789") == "" && !o.own(owner)
}
