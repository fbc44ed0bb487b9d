//go:build linux

package sentry

import (
	"sync/atomic"
	"time"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/hostarch"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// A server that acts later has to be woken. Every such wake-up needs a system
// call with a time in it, so it is known how long to wait for it.

const (
	// longSleep is the shortest sleep that is recorded.
	longSleep = 2 * time.Second
	// sameWaking is the maximum difference of two wake-up times that count as
	// one: a task that is woken in between goes back to sleep for the rest.
	sameWaking = 500 * time.Millisecond
)

// timeout reads how long a call will wait; false if it is unknown or unlimited.
type timeout func(t *kernel.Task, args arch.SyscallArguments) (time.Duration, bool)

// sleeps observes the calls by which a task sleeps or arms a timer.
type sleeps struct {
	rec  *recorder
	attr *attribution
	// begun counts the calls after which a task may sleep.
	begun atomic.Uint64
}

func (sl *sleeps) calls() map[string]wrapper {
	calls := map[string]wrapper{
		"timerfd_settime": sl.arm(interval(2)), "timer_settime": sl.arm(interval(2)), "setitimer": sl.arm(intervalMicros(1)),
		"alarm": sl.arm(func(_ *kernel.Task, args arch.SyscallArguments) (time.Duration, bool) {
			return time.Duration(args[0].Uint()) * time.Second, args[0].Uint() > 0
		}),
	}
	for name, how := range map[string]timeout{
		"epoll_wait": millis(3), "epoll_pwait": millis(3), "epoll_pwait2": span(3), "poll": millis(2), "ppoll": span(2),
		"pselect6": span(4), "select": micros(4), "nanosleep": span(0), "clock_nanosleep": napping, "rt_sigtimedwait": span(2), "futex": waiting,
	} {
		calls[name] = sl.sleep(how)
	}
	return calls
}

// sleep records when a task goes to sleep for long, and when it then sleeps in
// another way.
func (sl *sleeps) sleep(how timeout) wrapper {
	return func(next syscallFn) syscallFn {
		return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			sl.beforeSleep(t, args, how)
			return next(t, sysno, args)
		}
	}
}

func (sl *sleeps) beforeSleep(t *kernel.Task, args arch.SyscallArguments, how timeout) {
	sl.begun.Add(1)
	s := sl.attr.state(t)
	d, ok := how(t, args)
	if !ok || d < longSleep {
		d = 0
	}
	if d == 0 && s.wakesAt == 0 {
		return
	}
	var at int64
	if d > 0 {
		if at = sl.rec.now() + int64(d); time.Duration(at-s.wakesAt).Abs() < sameWaking {
			return
		}
	}
	s.wakesAt = at
	sl.rec.emitFor(t, &wire.Record{Op: wire.OpSleep, N: int64(d)})
}

// arm records a timer that expires later.
func (sl *sleeps) arm(how timeout) wrapper {
	return func(next syscallFn) syscallFn {
		return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			d, ok := how(t, args)
			rval, ctrl, err := next(t, sysno, args)
			if err == nil && ok && d >= longSleep {
				sl.rec.emitFor(t, &wire.Record{Op: wire.OpSleep, N: int64(d), Flags: wire.FlagAll})
			}
			return rval, ctrl, err
		}
	}
}

func millis(position int) timeout {
	return func(_ *kernel.Task, args arch.SyscallArguments) (time.Duration, bool) {
		ms := args[position].Int()
		return time.Duration(ms) * time.Millisecond, ms > 0
	}
}

func span(position int) timeout {
	return func(t *kernel.Task, args arch.SyscallArguments) (time.Duration, bool) {
		return timespec(t, args[position].Pointer())
	}
}

func timespec(t *kernel.Task, addr hostarch.Addr) (time.Duration, bool) {
	var ts linux.Timespec
	if addr == 0 {
		return 0, false
	}
	if _, err := ts.CopyIn(t, addr); err != nil || !ts.Valid() {
		return 0, false
	}
	return ts.ToDuration(), true
}

func micros(position int) timeout {
	return func(t *kernel.Task, args arch.SyscallArguments) (time.Duration, bool) {
		var tv linux.Timeval
		if args[position].Pointer() == 0 {
			return 0, false
		}
		if _, err := tv.CopyIn(t, args[position].Pointer()); err != nil {
			return 0, false
		}
		return tv.ToDuration(), true
	}
}

// until returns the time left until a time of one of the kernel's clocks.
func until(t *kernel.Task, realtime bool, addr hostarch.Addr) (time.Duration, bool) {
	at, ok := timespec(t, addr)
	if !ok {
		return 0, false
	}
	clock := t.Kernel().MonotonicClock()
	if realtime {
		clock = t.Kernel().RealtimeClock()
	}
	return at - time.Duration(clock.Now().Nanoseconds()), true
}

func napping(t *kernel.Task, args arch.SyscallArguments) (time.Duration, bool) {
	if args[1].Int()&linux.TIMER_ABSTIME == 0 {
		return timespec(t, args[2].Pointer())
	}
	return until(t, args[0].Int() == linux.CLOCK_REALTIME, args[2].Pointer())
}

func waiting(t *kernel.Task, args arch.SyscallArguments) (time.Duration, bool) {
	switch op := args[1].Int(); op &^ (linux.FUTEX_PRIVATE_FLAG | linux.FUTEX_CLOCK_REALTIME) {
	case linux.FUTEX_WAIT:
		return timespec(t, args[3].Pointer())
	case linux.FUTEX_WAIT_BITSET:
		return until(t, op&linux.FUTEX_CLOCK_REALTIME != 0, args[3].Pointer())
	}
	return 0, false
}

func interval(position int) timeout {
	return func(t *kernel.Task, args arch.SyscallArguments) (time.Duration, bool) {
		var its linux.Itimerspec
		if _, err := its.CopyIn(t, args[position].Pointer()); err != nil || args[1].Int()&linux.TIMER_ABSTIME != 0 {
			return 0, false
		}
		return repeated(its.Value.ToDuration(), its.Interval.ToDuration()), true
	}
}

// repeated is when a timer has fired three times, or once if it does not repeat.
func repeated(first, interval time.Duration) time.Duration {
	if interval <= 0 || interval > (never-first)/2 {
		return first
	}
	return first + 2*interval
}

func intervalMicros(position int) timeout {
	return func(t *kernel.Task, args arch.SyscallArguments) (time.Duration, bool) {
		var its linux.ItimerVal
		if _, err := its.CopyIn(t, args[position].Pointer()); err != nil {
			return 0, false
		}
		return repeated(its.Value.ToDuration(), its.Interval.ToDuration()), true
	}
}
