//go:build linux

package sentry

import (
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// limits enforces the resource limits that are measured inside the kernel, and
// records those that were hit.
type limits struct {
	conf *Config // Max*; 0 is no limit
	rec  *recorder
	attr *attribution

	// tasks counts the tasks other than the first.
	tasks atomic.Int64
	// deadCPU is the processor time of tasks that have ended.
	deadCPU atomic.Int64

	mu  sync.Mutex
	hit map[string]bool
}

// admitTask counts a task before it exists, so that many simultaneous ones
// cannot exceed the limit together.
func (l *limits) admitTask() error {
	limit := l.conf.MaxPIDs
	if tasks := l.tasks.Add(1); limit > 0 && tasks >= limit {
		l.tasks.Add(-1)
		l.record(mcpsf.LimitPIDs, limit, tasks, "refused")
		return linuxerr.EAGAIN
	}
	return nil
}

// taskMade undoes [limits.admitTask] if the task could not be made.
func (l *limits) taskMade(err error) {
	if err != nil {
		l.tasks.Add(-1)
	}
}

func (l *limits) taskEnded(t *kernel.Task) {
	l.tasks.Add(-1)
	stats := t.CPUStats()
	l.deadCPU.Add(int64(stats.UserTime + stats.SysTime))
}

// record reports a limit once; a limit that is hit is usually hit again.
func (l *limits) record(name string, limit, value int64, action string) {
	l.mu.Lock()
	seen := l.hit[name]
	if l.hit == nil {
		l.hit = map[string]bool{}
	}
	l.hit[name] = true
	l.mu.Unlock()
	if !seen {
		l.rec.emit(&wire.Record{
			Op: wire.OpLimit, Text: name, Total: uint64(limit), N: value, Asked: action, Epoch: l.attr.epoch.Load(),
		})
	}
}

// noteErrno recognises the errors by which gVisor enforces a limit.
func (l *limits) noteErrno(number uint16) {
	switch number {
	case uint16(unix.EMFILE), uint16(unix.ENFILE):
		l.record(mcpsf.LimitFiles, l.conf.MaxFiles, l.conf.MaxFiles, "refused")
	case uint16(unix.ENOSPC):
		l.record(mcpsf.LimitDisk, l.conf.MaxDisk, l.conf.MaxDisk, "refused")
	}
}

func (l *limits) noteResource(err error) {
	if err != nil {
		l.noteErrno(errno(err, 0))
	}
}

// calls are those that make descriptors and that no other group observes.
func (l *limits) calls() map[string]wrapper {
	calls := map[string]wrapper{}
	for _, name := range []string{
		"dup", "dup2", "dup3", "fcntl", "pipe", "pipe2", "socket", "socketpair", "accept", "accept4",
		"eventfd", "eventfd2", "epoll_create", "epoll_create1", "signalfd", "signalfd4", "timerfd_create",
		"memfd_create", "inotify_init", "inotify_init1", "pidfd_open",
	} {
		calls[name] = l.noteRefused
	}
	return calls
}

func (l *limits) noteRefused(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		rval, ctrl, err := next(t, sysno, args)
		l.noteResource(err)
		return rval, ctrl, err
	}
}

// watch measures resources that no single call can be refused for, and ends the
// target when a limit is exceeded.
func (l *limits) watch(k *kernel.Kernel) {
	const interval = 10 * time.Millisecond
	base, _ := k.MemoryFile().TotalUsage()
	for {
		time.Sleep(interval)
		if limit := l.conf.MaxMemory; limit > 0 {
			used, err := k.MemoryFile().TotalUsage()
			if grown := int64(used) - int64(base); err == nil && grown > limit {
				l.end(k, mcpsf.LimitMemory, limit, grown)
				return
			}
		}
		if limit := l.conf.MaxCPUSeconds; limit > 0 {
			if used := int64(l.cpuTime(k) / time.Second); used >= limit {
				l.end(k, mcpsf.LimitCPU, limit, used)
				return
			}
		}
	}
}

// end records the reason first, so that it precedes the consequences. It waits
// only briefly for a slow reader, because the target must not grow further.
func (l *limits) end(k *kernel.Kernel, name string, limit, value int64) {
	recorded := make(chan struct{})
	go func() {
		defer close(recorded)
		l.record(name, limit, value, "killed")
	}()
	select {
	case <-recorded:
	case <-time.After(200 * time.Millisecond):
	}
	k.Kill(linux.WaitStatusTerminationSignal(linux.SIGKILL))
}

func (l *limits) cpuTime(k *kernel.Kernel) time.Duration {
	total := time.Duration(l.deadCPU.Load())
	for _, t := range k.RootPIDNamespace().Tasks() {
		if t.ExitState() != kernel.TaskExitNone {
			continue // a zombie is already counted in deadCPU
		}
		stats := t.CPUStats()
		total += stats.UserTime + stats.SysTime
	}
	return total
}
