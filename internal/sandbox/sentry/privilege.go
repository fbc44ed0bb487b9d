//go:build linux

package sentry

import (
	"fmt"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
	"gvisor.dev/gvisor/pkg/hostarch"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// privileges refuses or records calls that no MCP server needs and that an
// escape uses. Most fail in gVisor anyway; refusing them here makes that
// independent of its rules.
type privileges struct{ rec *recorder }

func (pv *privileges) calls() map[string]wrapper {
	calls := map[string]wrapper{
		"unshare": pv.unshare,
		"ptrace":  pv.ptrace,
		"syslog":  pv.probe("syslog", "kernel log"),
		"capset":  pv.noted("capset", nil),
	}
	for _, name := range []string{
		"pivot_root", "chroot", "umount2", "setns", "process_vm_readv", "process_vm_writev", "pidfd_getfd",
		"bpf", "init_module", "finit_module", "delete_module", "create_module", "kexec_load", "kexec_file_load",
		"reboot", "swapon", "swapoff", "sethostname", "setdomainname", "settimeofday", "clock_settime",
		"iopl", "ioperm", "acct", "quotactl", "open_by_handle_at", "open_tree", "move_mount", "fsopen",
		"fsconfig", "fsmount", "fspick", "mount_setattr", "quotactl_fd", "fanotify_init", "kcmp", "vhangup", "modify_ldt",
	} {
		calls[name] = pv.deny(name, argument(name))
	}
	calls["mount"] = pv.deny("mount", mountDetail)
	calls["io_uring_setup"] = pv.absent("io_uring_setup")
	for _, name := range []string{"add_key", "request_key", "keyctl", "perf_event_open", "userfaultfd", "adjtimex", "clock_adjtime"} {
		calls[name] = pv.noted(name, nil)
	}
	for name, ids := range map[string]int{
		"setuid": 1, "setgid": 1, "setfsuid": 1, "setfsgid": 1, "setreuid": 2, "setregid": 2, "setresuid": 3, "setresgid": 3,
	} {
		calls[name] = pv.noted(name, becomesRoot(ids))
	}
	calls["setgroups"] = pv.noted("setgroups", nil)
	calls["kill"] = pv.noted("kill", everybody)
	return calls
}

// detail describes the arguments of a call for the record; "" means that the
// call is ordinary and not recorded.
type detail func(t *kernel.Task, args arch.SyscallArguments) string

// deny refuses a call without carrying it out.
func (pv *privileges) deny(name string, describe detail) wrapper {
	return func(syscallFn) syscallFn {
		return func(t *kernel.Task, _ uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			pv.rec.refused(t, name, describe(t, args))
			return 0, nil, linuxerr.EPERM
		}
	}
}

// absent makes a call look unimplemented, whatever gVisor's settings are: it
// would bypass the observer.
func (pv *privileges) absent(name string) wrapper {
	return replace(func(t *kernel.Task, _ uintptr, _ arch.SyscallArguments) (uintptr, error) {
		pv.rec.emitFor(t, &wire.Record{Op: wire.OpPrivilege, Text: name, Errno: uint16(unix.ENOSYS)})
		return 0, linuxerr.ENOSYS
	})
}

// noted lets gVisor decide and records the attempt.
func (pv *privileges) noted(name string, describe detail) wrapper {
	return func(next syscallFn) syscallFn {
		return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			text, tell := "", true
			if describe != nil {
				text = describe(t, args)
				tell = text != ""
			}
			rval, ctrl, err := next(t, sysno, args)
			if tell {
				pv.rec.emitFor(t, &wire.Record{Op: wire.OpPrivilege, Text: name, Asked: text, Errno: errno(err, sysno)})
			}
			return rval, ctrl, err
		}
	}
}

// probe records a call that only detects the environment.
func (pv *privileges) probe(name, what string) wrapper {
	return func(next syscallFn) syscallFn {
		return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			pv.rec.emitFor(t, &wire.Record{Op: wire.OpProbe, Text: what, Asked: name})
			return next(t, sysno, args)
		}
	}
}

func (pv *privileges) unshare(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		if flags := args[0].Uint64(); flags&namespaceFlags != 0 {
			pv.rec.refused(t, "unshare", namespaceNames(flags))
			return 0, nil, linuxerr.EPERM
		}
		return next(t, sysno, args)
	}
}

// ptrace of itself is how a program detects whether it is traced; of another
// process it is a way to control it.
func (pv *privileges) ptrace(syscallFn) syscallFn {
	return func(t *kernel.Task, _ uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		if args[0].Int64() == linux.PTRACE_TRACEME {
			pv.rec.emitFor(t, &wire.Record{Op: wire.OpProbe, Text: "debugger", Asked: "ptrace(PTRACE_TRACEME)"})
			return 0, nil, linuxerr.EPERM
		}
		pv.rec.refused(t, "ptrace", fmt.Sprintf("request=%d pid=%d", args[0].Int64(), args[1].Int()))
		return 0, nil, linuxerr.EPERM
	}
}

func mountDetail(t *kernel.Task, args arch.SyscallArguments) string {
	return fmt.Sprintf("source=%q target=%q type=%q",
		text(t, args[0].Pointer()), text(t, args[1].Pointer()), text(t, args[2].Pointer()))
}

// argument describes calls whose first argument is a path; the others are
// recorded by name alone.
func argument(name string) detail {
	switch name {
	case "pivot_root", "chroot", "umount2", "swapon", "swapoff", "acct":
		return func(t *kernel.Task, args arch.SyscallArguments) string {
			return fmt.Sprintf("%q", text(t, args[0].Pointer()))
		}
	}
	return func(*kernel.Task, arch.SyscallArguments) string { return "" }
}

// becomesRoot describes a call only if one of its first n arguments asks for
// user or group 0.
func becomesRoot(n int) detail {
	return func(_ *kernel.Task, args arch.SyscallArguments) string {
		for i := range n {
			if args[i].Int() == 0 {
				return "id=0"
			}
		}
		return ""
	}
}

// everybody describes a signal only if it is sent to every process. The group
// is told because the server is process 1 here: what signals its own group
// signals -1.
func everybody(t *kernel.Task, args arch.SyscallArguments) string {
	if args[0].Int() != -1 {
		return ""
	}
	group := t.PIDNamespace().IDOfProcessGroup(t.ThreadGroup().ProcessGroup())
	return fmt.Sprintf("pid=-1 signal=%d group=%d", args[1].Int(), group)
}

func text(t *kernel.Task, addr hostarch.Addr) string {
	const longest = 256
	if addr == 0 {
		return ""
	}
	s, _ := t.CopyInString(addr, longest)
	return s
}
