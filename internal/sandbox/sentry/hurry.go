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
	"gvisor.dev/gvisor/pkg/sentry/socket/netstack"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
)

// While everybody in the sandbox sleeps, nothing happens until the first of
// them wakes up. Nobody has to wait for that: the clock is put forward to it.
// For those inside the time has passed.
//
// Some sleep because they wait for us: for an answer, or until we have read what
// they wrote. So the orchestrator must have consented: it has nothing left to
// do, and no frame is on its way, since the last time that anything happened.

const (
	// look is how often is looked whether everybody sleeps.
	look = 5 * time.Millisecond
	// calm is how many looks in a row must have found that, and unheard how many
	// while there is something to read that nobody has read.
	calm, unheard = 4, 40
	// worthwhile is the least that the clock is put forward.
	worthwhile = 10 * time.Millisecond
	// maxTimers bounds how many timers that nobody waits at are remembered.
	maxTimers = 1 << 16
)

// hurrier puts the clock forward.
type hurrier struct {
	clocks *clocks
	kernel *kernel.Kernel
	// network is the sandbox's, nil if it has none of its own.
	network *stack.Stack

	mu sync.Mutex
	// files are the timers that are read like files, signals those that send
	// signals.
	files   map[*timerfd.TimerFileDescription]bool
	signals map[signalTimer]bool
}

// signalTimer is a timer of a process.
type signalTimer struct {
	process *kernel.Task
	id      linux.TimerID
}

// now is the sandbox's clock, which the records are stamped with.
func (o *observer) now() int64 {
	if o.hurrier == nil {
		return nanotime()
	}
	return nanotime() + o.hurrier.clocks.skipped.Load()
}

// newHurrier is made on the first task, by which it is noticed if gVisor keeps
// the timers of blocked tasks elsewhere.
func newHurrier(t *kernel.Task, later time.Duration) (*hurrier, error) {
	if _, err := field[*ktime.SampledTimer](t, "blockingTimer"); err != nil {
		return nil, err
	}
	k := t.Kernel()
	c, err := moveClocks(k, later)
	if err != nil {
		return nil, err
	}
	h := &hurrier{clocks: c, kernel: k, files: map[*timerfd.TimerFileDescription]bool{}, signals: map[signalTimer]bool{}}
	if s, ok := k.RootNetworkNamespace().Stack().(*netstack.Stack); ok {
		h.network = s.Stack
	}
	return h, nil
}

// hurry puts the clock forward as far as the orchestrator lets it.
func (o *observer) hurry() {
	h := o.hurrier
	quiet := 0
	var last sight
	for {
		time.Sleep(look)
		until, leap := o.w.Until()
		now := o.now()
		if far := time.Duration(leap - now); far >= worthwhile {
			o.skip(far)
			continue
		}
		left := time.Duration(until - now)
		if left < worthwhile {
			quiet = 0
			continue
		}
		asleep, seen := o.see()
		if !asleep || seen != last || quiet == 0 {
			last, quiet = seen, 1
			o.w.Stirred(seen.sent, seen.received)
			continue
		}
		if quiet++; quiet < o.calm(seen) || !o.w.Consent() {
			continue
		}
		quiet = 0
		if by := min(left, h.next()); by >= worthwhile {
			o.skip(by)
		}
	}
}

// skip puts the clock forward and wakes who is to wake up by then.
func (o *observer) skip(by time.Duration) {
	o.hurrier.clocks.skip(by)
	o.w.Skip(o.hurrier.clocks.skipped.Load())
	o.hurrier.next()
}

// sight is what can be seen of what goes on.
type sight struct {
	// sleeps is how often anybody has gone to sleep, sent and received are the
	// frames of the network, and knocks what went through the door.
	sleeps, sent, received, knocks uint64
	// asked is what the orchestrator waits for, said what it has written, and
	// read how much of that was.
	asked, said, read uint64
}

// see tells whether everybody sleeps and waits for nobody outside to read.
func (o *observer) see() (asleep bool, s sight) {
	asleep, s.sleeps = o.hurrier.asleep(), o.sleepsBegun.Load()
	s.sent, s.received = o.hurrier.frames()
	s.knocks = o.door.heard()
	s.asked, s.said = o.w.Asked()
	s.read = o.epoch.Load()
	return asleep && o.clogged.Load() == 0, s
}

// calm is how many looks must have seen the same.
func (o *observer) calm(s sight) int {
	if s.said > s.read {
		return unheard
	}
	return calm
}

// asleep tells whether nobody is at work.
func (h *hurrier) asleep() (all bool) {
	for _, t := range h.kernel.RootPIDNamespace().Tasks() {
		switch t.TaskGoroutineState() {
		case kernel.TaskGoroutineBlockedInterruptible, kernel.TaskGoroutineStopped:
			all = true
		case kernel.TaskGoroutineNonexistent:
		default:
			return false
		}
	}
	return all
}

// frames are what the sandbox has sent and received over its network.
func (h *hurrier) frames() (sent, received uint64) {
	if h.network == nil {
		return 0, 0
	}
	for _, nic := range h.network.NICInfo() {
		if !nic.Flags.Loopback {
			sent += nic.Stats.Tx.Packets.Value()
			received += nic.Stats.Rx.Packets.Value()
		}
	}
	return sent, received
}

// never is longer than anybody waits.
const never = time.Duration(1<<63 - 1)

// next is how long it takes until the first timer rings. Those that should have
// rung do: to look at one makes it look at its clock.
func (h *hurrier) next() time.Duration {
	first := never
	for _, t := range h.kernel.RootPIDNamespace().Tasks() {
		first = min(first, blockedFor(t))
		if t == t.ThreadGroup().Leader() {
			d, _ := guarded(func() time.Duration {
				itv, err := t.Getitimer(linux.ITIMER_REAL)
				return rings(itv.Value.ToDuration(), err)
			})
			first = min(first, d)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for f := range h.files {
		d, there := guarded(func() time.Duration { return left(f.GetTime()) })
		if !there {
			delete(h.files, f)
		}
		first = min(first, d)
	}
	for s := range h.signals {
		its, err := s.process.IntervalTimerGettime(s.id)
		if err != nil {
			delete(h.signals, s)
		}
		first = min(first, rings(its.Value.ToDuration(), err))
	}
	return first
}

// blockedFor is how long a task sleeps at most.
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

func rings(after time.Duration, err error) time.Duration {
	if err != nil || after <= 0 {
		return never
	}
	return after
}

// guarded looks at a timer that may be gone since: gVisor panics over such.
func guarded(look func() time.Duration) (d time.Duration, there bool) {
	defer func() {
		if recover() != nil {
			d, there = never, false
		}
	}()
	return look(), true
}

// timerCalls are the ways to a timer that nobody waits at.
func (o *observer) timerCalls() map[string]wrapper {
	return map[string]wrapper{"timerfd_create": o.timerFile, "timer_create": o.timerSignal}
}

func (o *observer) timerFile(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		fd, ctrl, err := next(t, sysno, args)
		if file := t.GetFile(int32(fd)); err == nil && file != nil {
			if timer, ok := file.Impl().(*timerfd.TimerFileDescription); ok {
				remember(o.hurrier, o.hurrier.files, timer)
			}
			file.DecRef(t)
		}
		return fd, ctrl, err
	}
}

func (o *observer) timerSignal(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		rval, ctrl, err := next(t, sysno, args)
		var id [4]byte
		if err == nil {
			if _, bad := t.CopyInBytes(args[2].Pointer(), id[:]); bad == nil {
				at := signalTimer{t.ThreadGroup().Leader(), linux.TimerID(int32(uint32(id[0]) | uint32(id[1])<<8 | uint32(id[2])<<16 | uint32(id[3])<<24))}
				remember(o.hurrier, o.hurrier.signals, at)
			}
		}
		return rval, ctrl, err
	}
}

func remember[T comparable](h *hurrier, timers map[T]bool, timer T) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(timers) < maxTimers {
		timers[timer] = true
	}
}
