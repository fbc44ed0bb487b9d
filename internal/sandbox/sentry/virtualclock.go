//go:build linux

package sentry

import (
	"time"

	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/ktime"
	"gvisor.dev/gvisor/pkg/sentry/socket/netstack"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
)

// While every task in the sandbox sleeps, nothing happens until the first timer
// expires. So the clock is advanced to that time; inside the sandbox the time
// has passed.
//
// Some tasks sleep because they wait for the orchestrator: for an answer, or
// until it has read what they wrote. So the orchestrator must have consented:
// it has nothing left to do, and no frame is in transit, since the last
// activity.

const (
	// checkInterval is how often we check whether every task sleeps.
	checkInterval = 5 * time.Millisecond
	// quietChecks is how many checks in a row must find that, and unreadChecks
	// how many while there is unread input.
	quietChecks, unreadChecks = 4, 40
	// worthwhile is the minimum by which the clock is advanced.
	worthwhile = 10 * time.Millisecond
)

// virtualClock advances the sandbox's clock.
type virtualClock struct {
	// later is how far the date is ahead from the beginning.
	later time.Duration

	rec     *recorder
	attr    *attribution
	conv    *conversation
	forward *forwarder
	sleeps  *sleeps
	timers  *timers

	// The following fields are set once the first task exists.
	kernel *kernel.Kernel
	clocks *clocks
	// network is the sandbox's network stack, nil if it has none of its own.
	network *stack.Stack
}

// attach takes over the kernel's clocks. It runs on the first task, where it
// checks that gVisor keeps the timers of blocked tasks in the expected place.
func (vc *virtualClock) attach(t *kernel.Task) error {
	if _, err := field[*ktime.SampledTimer](t, "blockingTimer"); err != nil {
		return err
	}
	vc.kernel = t.Kernel()
	var err error
	if vc.clocks, err = moveClocks(vc.kernel, vc.later, &vc.rec.ahead); err != nil {
		return err
	}
	if s, ok := vc.kernel.RootNetworkNamespace().Stack().(*netstack.Stack); ok {
		vc.network = s.Stack
	}
	return nil
}

// run advances the clock as far as the orchestrator allows.
func (vc *virtualClock) run() {
	quiet := 0
	var last activity
	for {
		time.Sleep(checkInterval)
		advanceTo, jumpTo := vc.rec.w.ClockTargets()
		now := vc.rec.now()
		if far := time.Duration(jumpTo - now); far >= worthwhile {
			vc.advance(far)
			continue
		}
		left := time.Duration(advanceTo - now)
		if left < worthwhile {
			quiet = 0
			continue
		}
		asleep, seen := vc.check()
		if !asleep || seen != last || quiet == 0 {
			last, quiet = seen, 1
			vc.rec.w.ReportActivity(seen.framesSent, seen.framesReceived)
			continue
		}
		if quiet++; quiet < seen.checks() || !vc.rec.w.Consented() {
			continue
		}
		quiet = 0
		if by := min(left, vc.timers.next(vc.kernel)); by >= worthwhile {
			vc.advance(by)
		}
	}
}

// advance moves the clock forward and wakes the tasks whose timers have expired
// by then.
func (vc *virtualClock) advance(by time.Duration) {
	vc.clocks.advance(by)
	vc.rec.w.SetAdvanced(vc.rec.ahead.Load())
	vc.timers.next(vc.kernel)
}

// activity is the observable state in and around the sandbox. While it stays
// the same, nothing has happened.
type activity struct {
	// sleeps is how often a task has gone to sleep, forwarded the number of
	// messages of the port forward.
	sleeps, forwarded          uint64
	framesSent, framesReceived uint64
	// waits grows when the orchestrator waits for something else; written is
	// what it has written to standard input, read how much of that was read.
	waits, written, read uint64
}

// checks returns how many checks must have seen the same activity.
func (a *activity) checks() int {
	if a.written > a.read {
		return unreadChecks
	}
	return quietChecks
}

// check reports whether every task sleeps and none waits for the orchestrator
// to read.
func (vc *virtualClock) check() (asleep bool, a activity) {
	asleep, a.sleeps = vc.asleep(), vc.sleeps.begun.Load()
	a.framesSent, a.framesReceived = vc.frames()
	a.forwarded = vc.forward.messages.Load()
	a.waits, a.written = vc.rec.w.Orchestrator()
	a.read = vc.attr.epoch.Load()
	return asleep && vc.conv.blocked.Load() == 0, a
}

// asleep reports whether every task sleeps.
func (vc *virtualClock) asleep() (all bool) {
	for _, t := range vc.kernel.RootPIDNamespace().Tasks() {
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

// frames returns how many frames the sandbox has sent and received.
func (vc *virtualClock) frames() (sent, received uint64) {
	if vc.network == nil {
		return 0, 0
	}
	for _, nic := range vc.network.NICInfo() {
		if !nic.Flags.Loopback {
			sent += nic.Stats.Tx.Packets.Value()
			received += nic.Stats.Rx.Packets.Value()
		}
	}
	return sent, received
}
