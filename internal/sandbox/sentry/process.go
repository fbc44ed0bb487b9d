//go:build linux

package sentry

import (
	"strings"
	"time"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// processes observes how tasks begin and end.
type processes struct {
	// linger is how long the first process waits for others to end before it
	// may exit.
	linger time.Duration

	rec    *recorder
	attr   *attribution
	limits *limits
	execs  *execs
	root   *rootFS
}

// forked records a child before it runs and gives it its creator's label.
func (ps *processes) forked(t *kernel.Task, child, childPID int32) {
	s := ps.attr.state(t)
	if label := ps.attr.label(s); label != 0 {
		ps.attr.tasks.announced.Store(child, label)
	}
	r := &wire.Record{Op: wire.OpFork, Child: child, ChildPID: childPID}
	if childPID == s.pid {
		r.Flags |= wire.FlagThread
	}
	ps.attr.tasks.join(childPID)
	ps.rec.emitFor(t, r)
}

// exited records a task's end. The tasks of a process are counted here, because
// gVisor's own count includes those that are about to exit.
func (ps *processes) exited(t *kernel.Task, status linux.WaitStatus) {
	ps.execs.settleExec(t)
	s := ps.attr.state(t)
	r := &wire.Record{Op: wire.OpExit, PID: s.pid, TID: s.tid}
	if status.Signaled() {
		r.Num = uint32(status.TerminationSignal())
	} else {
		r.N = int64(status.ExitStatus())
	}
	ps.rec.mu.Lock()
	left := ps.attr.tasks.leave(s.pid)
	if left > 0 {
		r.Flags |= wire.FlagThread
	}
	r.Epoch = ps.attr.label(s)
	ps.rec.deliver(r)
	ps.rec.mu.Unlock()
	if left == 0 && s.pid == 1 {
		ps.root.export(t)
	}
	ps.limits.taskEnded(t)
	ps.attr.tasks.byTask.Delete(t)
}

// namespaceFlags are the flags of clone and unshare that ask for new namespaces.
const namespaceFlags = linux.CLONE_NEWNS | linux.CLONE_NEWUTS | linux.CLONE_NEWIPC |
	linux.CLONE_NEWUSER | linux.CLONE_NEWPID | linux.CLONE_NEWNET | linux.CLONE_NEWCGROUP

func (ps *processes) calls() map[string]wrapper {
	return map[string]wrapper{
		"clone": ps.clone("clone", func(a arch.SyscallArguments) uint64 { return a[0].Uint64() }),
		"fork":  ps.clone("fork", func(arch.SyscallArguments) uint64 { return 0 }),
		"vfork": ps.clone("vfork", func(arch.SyscallArguments) uint64 { return 0 }),
		"clone3": func(syscallFn) syscallFn {
			return ps.clone3
		},
		"prctl":      ps.prctl,
		"exit_group": ps.exitGroup,
	}
}

func (ps *processes) clone(name string, flags func(arch.SyscallArguments) uint64) wrapper {
	return func(next syscallFn) syscallFn {
		return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			if err := ps.admit(t, name, flags(args)); err != nil {
				return 0, nil, err
			}
			rval, ctrl, err := next(t, sysno, args)
			ps.limits.taskMade(err)
			return rval, ctrl, err
		}
	}
}

// clone3 has its flags in memory, where another thread could change them
// between check and use; so they are copied once, for both.
func (ps *processes) clone3(t *kernel.Task, _ uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
	size := args[1].SizeT()
	if size < linux.CLONE_ARGS_SIZE_VER0 || size > linux.CLONE_ARGS_SIZE_VER2 {
		return 0, nil, linuxerr.EINVAL
	}
	var wanted linux.CloneArgs
	if _, err := wanted.CopyInN(t, args[0].Pointer(), int(size)); err != nil {
		return 0, nil, err
	}
	if wanted.Flags&linux.CLONE_DETACHED != 0 {
		return 0, nil, linuxerr.EINVAL
	}
	if err := ps.admit(t, "clone3", wanted.Flags); err != nil {
		return 0, nil, err
	}
	child, ctrl, err := t.Clone(&wanted)
	ps.limits.taskMade(err)
	return uintptr(child), ctrl, err
}

// admit refuses new namespaces and enforces the limit on tasks.
func (ps *processes) admit(t *kernel.Task, name string, flags uint64) error {
	if flags&namespaceFlags != 0 {
		ps.rec.refused(t, name, namespaceNames(flags))
		return linuxerr.EPERM
	}
	return ps.limits.admitTask()
}

func namespaceNames(flags uint64) string {
	names := []string{}
	for _, n := range []struct {
		bit  uint64
		name string
	}{
		{linux.CLONE_NEWUSER, "user"}, {linux.CLONE_NEWNS, "mount"}, {linux.CLONE_NEWPID, "pid"},
		{linux.CLONE_NEWNET, "net"}, {linux.CLONE_NEWIPC, "ipc"}, {linux.CLONE_NEWUTS, "uts"}, {linux.CLONE_NEWCGROUP, "cgroup"},
	} {
		if flags&n.bit != 0 {
			names = append(names, n.name)
		}
	}
	return "namespaces=" + strings.Join(names, ",")
}

func (ps *processes) prctl(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		rval, ctrl, err := next(t, sysno, args)
		if err == nil && args[0].Int() == unix.PR_SET_NAME {
			ps.rec.emitFor(t, &wire.Record{Op: wire.OpName, Text: t.Name()})
		}
		return rval, ctrl, err
	}
}
