//go:build linux

package sentry

import (
	"sync"
	"time"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/fsimpl/timerfd"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/ktime"
)

// maxTimers bounds how many timers are remembered.
// no gap: bounds a table or a string of the kernel; a record says that it was cut, and what is forgotten is recorded again
const maxTimers = 1 << 16

// timers finds the timers of the sandbox. The kernel knows those of blocked
// tasks; the others are recorded when they are created.
type timers struct {
	mu sync.Mutex
	// files are timerfds, signals are timers that send signals.
	files   map[*timerfd.TimerFileDescription]bool
	signals map[signalTimer]bool
}

// signalTimer is a timer of a process.
type signalTimer struct {
	process *kernel.Task
	id      linux.TimerID
}

func newTimers() *timers {
	return &timers{files: map[*timerfd.TimerFileDescription]bool{}, signals: map[signalTimer]bool{}}
}

// never is longer than any task waits.
const never = time.Duration(1<<63 - 1)

// next returns the time until the first timer expires. Overdue timers expire
// here: reading a timer makes it read its clock.
func (tm *timers) next(k *kernel.Kernel) time.Duration {
	first := never
	for _, t := range k.RootPIDNamespace().Tasks() {
		first = min(first, blockedFor(t))
		if t == t.ThreadGroup().Leader() {
			d, _ := guarded(func() time.Duration {
				itv, err := t.Getitimer(linux.ITIMER_REAL)
				return expires(itv.Value.ToDuration(), err)
			})
			first = min(first, d)
		}
	}
	tm.mu.Lock()
	defer tm.mu.Unlock()
	for f := range tm.files {
		d, there := guarded(func() time.Duration { return left(f.GetTime()) })
		if !there {
			delete(tm.files, f)
		}
		first = min(first, d)
	}
	for s := range tm.signals {
		its, err := s.process.IntervalTimerGettime(s.id)
		if err != nil {
			delete(tm.signals, s)
		}
		first = min(first, expires(its.Value.ToDuration(), err))
	}
	return first
}

// blockedFor returns how long a task sleeps at most.
func blockedFor(t *kernel.Task) time.Duration {
	timer, err := field[*ktime.SampledTimer](t, "blockingTimer")
	if err != nil || *timer == nil {
		return never
	}
	d, _ := guarded(func() time.Duration { return left((*timer).Get()) })
	return d
}

func left(now ktime.Time, s ktime.Setting) time.Duration {
	if !s.Enabled {
		return never
	}
	return s.Next.Sub(now)
}

func expires(after time.Duration, err error) time.Duration {
	if err != nil || after <= 0 {
		return never
	}
	return after
}

// guarded reads a timer that may have been deleted: gVisor panics on those.
func guarded(read func() time.Duration) (d time.Duration, there bool) {
	defer func() {
		if recover() != nil {
			d, there = never, false
		}
	}()
	return read(), true
}

func (tm *timers) calls() map[string]wrapper {
	return map[string]wrapper{"timerfd_create": tm.timerFile, "timer_create": tm.timerSignal}
}

func (tm *timers) timerFile(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		fd, ctrl, err := next(t, sysno, args)
		if file := t.GetFile(int32(fd)); err == nil && file != nil {
			if timer, ok := file.Impl().(*timerfd.TimerFileDescription); ok {
				remember(tm, tm.files, timer)
			}
			file.DecRef(t)
		}
		return fd, ctrl, err
	}
}

func (tm *timers) timerSignal(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		rval, ctrl, err := next(t, sysno, args)
		var id [4]byte
		if err == nil {
			if _, bad := t.CopyInBytes(args[2].Pointer(), id[:]); bad == nil {
				at := signalTimer{t.ThreadGroup().Leader(), linux.TimerID(int32(uint32(id[0]) | uint32(id[1])<<8 | uint32(id[2])<<16 | uint32(id[3])<<24))}
				remember(tm, tm.signals, at)
			}
		}
		return rval, ctrl, err
	}
}

func remember[T comparable](tm *timers, known map[T]bool, timer T) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	if len(known) < maxTimers {
		known[timer] = true
	}
}
