//go:build linux

package sentry

import (
	"strings"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// forked tells of a child before it runs and hands it its creator's label.
func (o *observer) forked(t *kernel.Task, child, childPID int32) {
	s := o.state(t)
	if label := o.label(s); label != 0 {
		o.tasks.announced.Store(child, label)
	}
	r := &wire.Record{Op: wire.OpFork, Child: child, ChildPID: childPID}
	if childPID == s.pid {
		r.Flags |= wire.FlagThread
	}
	o.tasks.join(childPID)
	o.emitFor(t, r)
}

// exited tells of a task's end. Who is the last of a process is counted here:
// gVisor's own count still has those that are about to go.
func (o *observer) exited(t *kernel.Task, status linux.WaitStatus) {
	o.settleExec(t)
	s := o.state(t)
	r := &wire.Record{Op: wire.OpExit, PID: s.pid, TID: s.tid}
	if status.Signaled() {
		r.Num = uint32(status.TerminationSignal())
	} else {
		r.N = int64(status.ExitStatus())
	}
	o.mu.Lock()
	left := o.tasks.leave(s.pid)
	if left > 0 {
		r.Flags |= wire.FlagThread
	}
	r.Epoch = o.label(s)
	o.deliver(r)
	o.mu.Unlock()
	if left == 0 && s.pid == 1 && len(o.conf.Export) > 0 {
		o.export(t)
	}
	o.count.tasks.Add(-1)
	o.count.addDead(t)
	o.tasks.byTask.Delete(t)
}

// namespaceFlags are the parts of clone's and unshare's flags that ask for a
// world of one's own.
const namespaceFlags = linux.CLONE_NEWNS | linux.CLONE_NEWUTS | linux.CLONE_NEWIPC |
	linux.CLONE_NEWUSER | linux.CLONE_NEWPID | linux.CLONE_NEWNET | linux.CLONE_NEWCGROUP

func (o *observer) processCalls() map[string]wrapper {
	return map[string]wrapper{
		"clone": o.clone("clone", func(a arch.SyscallArguments) uint64 { return a[0].Uint64() }),
		"fork":  o.clone("fork", func(arch.SyscallArguments) uint64 { return 0 }),
		"vfork": o.clone("vfork", func(arch.SyscallArguments) uint64 { return 0 }),
		"clone3": func(syscallFn) syscallFn {
			return o.clone3
		},
		"prctl":      o.prctl,
		"exit_group": o.exits,
	}
}

func (o *observer) clone(name string, flags func(arch.SyscallArguments) uint64) wrapper {
	return func(next syscallFn) syscallFn {
		return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			if err := o.mayClone(t, name, flags(args)); err != nil {
				return 0, nil, err
			}
			rval, ctrl, err := next(t, sysno, args)
			o.cloned(err)
			return rval, ctrl, err
		}
	}
}

// clone3 has its flags in memory, where another thread could change them
// between a look and the act; so they are copied once, for both.
func (o *observer) clone3(t *kernel.Task, _ uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
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
	if err := o.mayClone(t, "clone3", wanted.Flags); err != nil {
		return 0, nil, err
	}
	child, ctrl, err := t.Clone(&wanted)
	o.cloned(err)
	return uintptr(child), ctrl, err
}

// mayClone holds the limit on tasks and refuses new namespaces.
func (o *observer) mayClone(t *kernel.Task, name string, flags uint64) error {
	if flags&namespaceFlags != 0 {
		o.refused(t, name, namespaceNames(flags))
		return linuxerr.EPERM
	}
	// Counted before it exists, so that many at once cannot pass together.
	limit := o.conf.MaxPIDs
	if tasks := o.count.tasks.Add(1); limit > 0 && tasks >= limit {
		o.count.tasks.Add(-1)
		o.limitHit(mcpsf.LimitPIDs, limit, tasks, "refused")
		return linuxerr.EAGAIN
	}
	return nil
}

// cloned takes the count back if nothing came of it.
func (o *observer) cloned(err error) {
	if err != nil {
		o.count.tasks.Add(-1)
	}
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

func (o *observer) prctl(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		rval, ctrl, err := next(t, sysno, args)
		if err == nil && args[0].Int() == unix.PR_SET_NAME {
			o.emitFor(t, &wire.Record{Op: wire.OpName, Text: t.Name()})
		}
		return rval, ctrl, err
	}
}
