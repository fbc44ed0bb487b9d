//go:build linux

package sentry

import (
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// limitCounters is what the limits held in here are measured with.
type limitCounters struct {
	// tasks counts the tasks beside the first.
	tasks atomic.Int64
	// deadCPU is the processor time of tasks that have ended.
	deadCPU atomic.Int64

	mu  sync.Mutex
	hit map[string]bool
}

func (c *limitCounters) addDead(t *kernel.Task) {
	stats := t.CPUStats()
	c.deadCPU.Add(int64(stats.UserTime + stats.SysTime))
}

// limitHit tells of a limit once; a limit that is hit is hit all the time.
func (o *observer) limitHit(name string, limit, value int64, action string) {
	o.count.mu.Lock()
	seen := o.count.hit[name]
	if o.count.hit == nil {
		o.count.hit = map[string]bool{}
	}
	o.count.hit[name] = true
	o.count.mu.Unlock()
	if !seen {
		o.emit(&wire.Record{
			Op: wire.OpLimit, Text: name, Total: uint64(limit), N: value, Asked: action, Epoch: o.epoch.Load(),
		})
	}
}

// noteErrno notices the errors by which gVisor holds a limit.
func (o *observer) noteErrno(number uint16) {
	switch number {
	case uint16(unix.EMFILE), uint16(unix.ENFILE):
		o.limitHit(mcpsf.LimitFiles, o.conf.MaxFiles, o.conf.MaxFiles, "refused")
	case uint16(unix.ENOSPC):
		o.limitHit(mcpsf.LimitDisk, o.conf.MaxDisk, o.conf.MaxDisk, "refused")
	}
}

func (o *observer) noteResource(err error) {
	if err != nil {
		o.noteErrno(errno(err, 0))
	}
}

// descriptorCalls are the ways to a descriptor that no other group observes.
func (o *observer) descriptorCalls() map[string]wrapper {
	calls := map[string]wrapper{}
	for _, name := range []string{
		"dup", "dup2", "dup3", "fcntl", "pipe", "pipe2", "socket", "socketpair", "accept", "accept4",
		"eventfd", "eventfd2", "epoll_create", "epoll_create1", "signalfd", "signalfd4", "timerfd_create",
		"memfd_create", "inotify_init", "inotify_init1", "pidfd_open",
	} {
		calls[name] = o.noteRefused
	}
	return calls
}

func (o *observer) noteRefused(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		rval, ctrl, err := next(t, sysno, args)
		o.noteResource(err)
		return rval, ctrl, err
	}
}

// watch measures what no single call can be refused for and ends the target
// when it has too much.
func (o *observer) watch(k *kernel.Kernel) {
	const interval = 10 * time.Millisecond
	base, _ := k.MemoryFile().TotalUsage()
	for {
		time.Sleep(interval)
		if limit := o.conf.MaxMemory; limit > 0 {
			used, err := k.MemoryFile().TotalUsage()
			if grown := int64(used) - int64(base); err == nil && grown > limit {
				o.end(k, mcpsf.LimitMemory, limit, grown)
				return
			}
		}
		if limit := o.conf.MaxCPUSeconds; limit > 0 {
			if used := int64(o.cpuTime(k) / time.Second); used >= limit {
				o.end(k, mcpsf.LimitCPU, limit, used)
				return
			}
		}
	}
}

// end tells first, so that the reason stands before the consequences; but a
// reader that does not come round must not let the target grow on.
func (o *observer) end(k *kernel.Kernel, name string, limit, value int64) {
	told := make(chan struct{})
	go func() {
		defer close(told)
		o.limitHit(name, limit, value, "killed")
	}()
	select {
	case <-told:
	case <-time.After(200 * time.Millisecond):
	}
	k.Kill(linux.WaitStatusTerminationSignal(linux.SIGKILL))
}

func (o *observer) cpuTime(k *kernel.Kernel) time.Duration {
	total := time.Duration(o.count.deadCPU.Load())
	for _, t := range k.RootPIDNamespace().Tasks() {
		if t.ExitState() != kernel.TaskExitNone {
			continue // a zombie is among the dead already
		}
		stats := t.CPUStats()
		total += stats.UserTime + stats.SysTime
	}
	return total
}
