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
// expires. There is no need to wait for that: the clock is advanced to it. For
// those inside the time has passed.
//
// Some tasks sleep because they wait for the orchestrator: for an answer, or
// until it has read what they wrote. So the orchestrator must have consented: it
// has nothing left to do, and no frame is on its way, since the last activity.

const (
	// checkInterval is how often is checked whether every task sleeps.
	checkInterval = 5 * time.Millisecond
	// quietChecks is how many checks in a row must have found that, and
	// unreadChecks how many while there is input that nobody has read.
	quietChecks, unreadChecks = 4, 40
	// worthwhile is the least that the clock is advanced.
	worthwhile = 10 * time.Millisecond
)

// virtualClock advances the sandbox's clock.
type virtualClock struct {
	// later is by how much the date is ahead from the beginning.
	later time.Duration

	rec     *recorder
	attr    *attribution
	conv    *conversation
	forward *forwarder
	sleeps  *sleeps
	timers  *timers

	// What follows is known once the first task exists.
	kernel *kernel.Kernel
	clocks *clocks
	// network is the sandbox's, nil if it has none of its own.
	network *stack.Stack
}

// attach takes over the kernel's clocks. It runs on the first task, by which it
// is noticed if gVisor keeps the timers of blocked tasks elsewhere.
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

// advance puts the clock forward and wakes the tasks whose timers have expired
// by then.
func (vc *virtualClock) advance(by time.Duration) {
	vc.clocks.advance(by)
	vc.rec.w.SetAdvanced(vc.rec.ahead.Load())
	vc.timers.next(vc.kernel)
}

// activity is what can be seen of what happens in and around the sandbox. As
// long as it stays the same, nothing has happened.
type activity struct {
	// sleeps is how often a task has gone to sleep, forwarded how many messages
	// went through the port forward.
	sleeps, forwarded          uint64
	framesSent, framesReceived uint64
	// waits grows when the orchestrator waits for something else; written is
	// what it has written to standard input, read how much of that was read.
	waits, written, read uint64
}

// checks is how many checks must have seen the same activity.
func (a *activity) checks() int {
	if a.written > a.read {
		return unreadChecks
	}
	return quietChecks
}

// check tells whether every task sleeps and none waits for the orchestrator to
// read.
func (vc *virtualClock) check() (asleep bool, a activity) {
	asleep, a.sleeps = vc.asleep(), vc.sleeps.begun.Load()
	a.framesSent, a.framesReceived = vc.frames()
	a.forwarded = vc.forward.messages.Load()
	a.waits, a.written = vc.rec.w.Orchestrator()
	a.read = vc.attr.epoch.Load()
	return asleep && vc.conv.blocked.Load() == 0, a
}

// asleep tells whether no task is at work.
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

// frames are what the sandbox has sent and received over its network.
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
