package policy

import (
	"bytes"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// seccompProfile is a seccomp profile of an OCI runtime. JSON has no comments,
// so they are in a key that runtimes ignore.
type seccompProfile struct {
	Comment       []string         `json:"//"`
	DefaultAction string           `json:"defaultAction"`
	Architectures []string         `json:"architectures"`
	Syscalls      []seccompSyscall `json:"syscalls"`
}

type seccompSyscall struct {
	Names    []string     `json:"names"`
	Action   string       `json:"action"`
	ErrnoRet int          `json:"errnoRet"`
	Args     []seccompArg `json:"args,omitempty"`
}

type seccompArg struct {
	Index    int    `json:"index"`
	Value    uint64 `json:"value"`
	ValueTwo uint64 `json:"valueTwo,omitempty"`
	Op       string `json:"op"`
}

// The kernel's numbers, which are the same on both architectures.
const (
	errnoPerm        = 1  // EPERM
	errnoAccess      = 13 // EACCES
	errnoNone        = 38 // ENOSYS
	errnoFamily      = 97 // EAFNOSUPPORT
	familyIP4        = 2
	familyIP6        = 10
	familyPacket     = 17
	flagThread       = 0x10000 // CLONE_THREAD
	actionErrno      = "SCMP_ACT_ERRNO"
	opEqual          = "SCMP_CMP_EQ"
	opMaskedEqual    = "SCMP_CMP_MASKED_EQ"
	noProgramsSketch = "No program is granted to it beside itself, so that it gets no second process. execve itself cannot be denied here: the runtime starts the server with it. A start through npx, uvx or a shell needs processes and fails."
)

func seccomp(buf *bytes.Buffer, n *Needs) error {
	p := seccompProfile{
		DefaultAction: "SCMP_ACT_ALLOW",
		Architectures: []string{"SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"},
		Syscalls:      []seccompSyscall{{Names: administration(), Action: actionErrno, ErrnoRet: errnoPerm}, socket(familyPacket)},
	}
	how := []string{
		"A sketch of a seccomp profile for an OCI runtime: it denies what was not needed and allows the rest. The runtime's own default profile allows less; merge the two by hand, this one is not to replace it. It knows system calls, not files or hosts.",
	}
	if n.startsPrograms() {
		how = append(how, "It starts programs, so that processes are allowed.")
	} else {
		how = append(how, noProgramsSketch)
		p.Syscalls = append(p.Syscalls, noProcesses()...)
	}
	if n.usesNetwork() {
		how = append(how, "It uses the network, so that sockets are allowed.")
	} else {
		how = append(how, "No host and no port is granted to it, so that it gets no internet sockets.")
		p.Syscalls = append(p.Syscalls, socket(familyIP4), socket(familyIP6))
	}
	p.Comment = n.comments(how...)
	return writeJSON(buf, p)
}

// startsPrograms tells whether the server starts other programs. The first
// program of the run is the server itself.
func (n *Needs) startsPrograms() bool {
	var granted []Use
	for _, u := range n.Uses {
		if u.Kind == mcpsf.AccessProgram && u.Refused == "" {
			granted = append(granted, u)
		}
	}
	return len(granted) > 1 || len(granted) == 1 && (granted[0].Tool != "" || granted[0].By != mcpsf.ByNature)
}

// usesNetwork tells whether a granted access needs a socket.
func (n *Needs) usesNetwork() bool {
	return slices.ContainsFunc(n.Uses, func(u Use) bool {
		return (u.Kind == mcpsf.AccessHost || u.Kind == mcpsf.AccessListen) && u.Refused == ""
	})
}

// noProcesses denies new processes and allows threads. The arguments of clone3 are in
// memory, which a filter cannot read. If it is refused, the C library uses clone.
func noProcesses() []seccompSyscall {
	return []seccompSyscall{
		{Names: []string{"fork", "vfork"}, Action: actionErrno, ErrnoRet: errnoAccess},
		{Names: []string{"clone"}, Action: actionErrno, ErrnoRet: errnoAccess, Args: []seccompArg{{Value: flagThread, Op: opMaskedEqual}}},
		{Names: []string{"clone3"}, Action: actionErrno, ErrnoRet: errnoNone},
	}
}

func socket(family uint64) seccompSyscall {
	return seccompSyscall{
		Names: []string{"socket"}, Action: actionErrno, ErrnoRet: errnoFamily, Args: []seccompArg{{Value: family, Op: opEqual}},
	}
}

// administration lists the system calls for administering a machine.
func administration() []string {
	return strings.Fields(`acct add_key bpf chroot delete_module finit_module fsconfig fsmount fsopen init_module
		io_uring_enter io_uring_register io_uring_setup kcmp kexec_file_load kexec_load keyctl mount mount_setattr
		move_mount name_to_handle_at open_by_handle_at open_tree perf_event_open pivot_root process_madvise
		process_vm_readv process_vm_writev ptrace quotactl reboot request_key setdomainname sethostname setns
		settimeofday swapoff swapon syslog umount2 unshare userfaultfd`)
}
