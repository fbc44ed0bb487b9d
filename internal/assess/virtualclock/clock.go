// Package virtualclock is the clock of a sandbox that the driver waits by. While every
// process inside sleeps and the driver is idle too, the clock is advanced to the next
// timer or deadline: a server that waits for a day is seen a second later.
package virtualclock

import (
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/drive/transport"
	"github.com/mcpsf/mcpsf/internal/network/fakenet"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

const (
	// shortest is the duration below which a wait uses the host's clock.
	shortest = 60 * time.Millisecond
	// delivery is how long a message that was sent before the time was up may
	// take to arrive, once all records of the kernel have arrived.
	delivery = 20 * time.Millisecond
	// tick is how often the clock of a sandbox is checked.
	tick = 5 * time.Millisecond
	// looks is how many checks in a row must find nothing to do before the clock
	// is advanced.
	looks = 4
)

// Clock is the clock of one sandbox.
type Clock struct {
	mu  sync.Mutex
	box *box.Box // nil before it has started
	// network is the fake network around the box, nil if there is none.
	network *fakenet.Network
	// realTime keeps the clock from being advanced.
	realTime bool
	// deadlines are the times at which the driver's waits end.
	deadlines map[*int64]bool
	// worker says whether the driver is busy and how much it has done, nil if
	// there is none; done is its last count.
	worker func() (busy bool, done int)
	done   int
	// activity is the kernel's counter at the last idle check, and idle the
	// number of idle checks in a row.
	activity uint64
	idle     int
}

var _ transport.Clock = (*Clock)(nil)

// New makes the clock of a box that is to be started. With realTime it is never advanced.
func New(realTime bool) *Clock { return &Clock{realTime: realTime} }

// RealTime tells whether it is never advanced.
func (c *Clock) RealTime() bool { return c.realTime }

// Attach makes it the clock of a running sandbox in a network.
func (c *Clock) Attach(running *box.Box, network *fakenet.Network) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.box, c.network = running, network
}

// allowAdvance lets the kernel advance the clock once nothing is left to do. It
// checks several times, because a task that was just woken may not have begun.
func (c *Clock) allowAdvance() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.box == nil || c.realTime {
		return
	}
	activity, sent, received := c.box.Clock().Activity()
	if activity != c.activity || c.busy() || !c.box.PortForward().Idle() || !c.box.Settled() || !c.network.Idle(sent, received) {
		c.activity, c.idle = activity, 0
		return
	}
	if c.idle++; c.idle == looks {
		c.box.Clock().HandledUpTo(activity)
	}
}

// busy tells whether the driver is busy, or was since the last check. The caller holds mu.
func (c *Clock) busy() bool {
	if c.worker == nil {
		return false
	}
	busy, done := c.worker()
	if done != c.done {
		c.done, busy = done, true
		c.setTarget() // revokes the earlier permission
	}
	return busy
}

// Nanos is the time that the sandbox's records are stamped with.
func (c *Clock) Nanos() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.box == nil {
		return Nanotime()
	}
	return c.box.Clock().Now()
}

// Advanced is how far it is ahead of the host's clock.
func (c *Clock) Advanced() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.box == nil {
		return 0
	}
	return c.box.Clock().Advanced()
}

// settled tells whether all records of earlier actions have arrived.
func (c *Clock) settled() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.box == nil || c.box.Settled()
}

// Now implements [transport.Clock].
func (c *Clock) Now() time.Duration { return time.Duration(c.Nanos()) }

// After implements [transport.Clock].
func (c *Clock) After(d time.Duration) (rings <-chan struct{}, stop func()) {
	up, quit := make(chan struct{}), make(chan struct{})
	if d < shortest {
		timer := time.AfterFunc(d, func() { close(up) })
		return up, func() { timer.Stop() }
	}
	until, ours := c.Nanos()+int64(d), time.Now().Add(d)
	c.wait(&until, true)
	go func() {
		defer c.wait(&until, false)
		ticks := time.NewTicker(tick)
		defer ticks.Stop()
		for c.Nanos() < until || !c.settled() && time.Now().Before(ours) {
			select {
			case <-quit:
				return
			case <-ticks.C:
				c.allowAdvance()
			}
		}
		late := time.NewTimer(min(delivery, time.Until(ours)))
		defer late.Stop()
		select {
		case <-quit:
		case <-late.C:
			close(up)
		}
	}()
	return up, sync.OnceFunc(func() { close(quit) })
}

// HoldWhile implements [transport.Clock].
func (c *Clock) HoldWhile(worker func() (busy bool, done int)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.worker = worker
}

// Jump implements [transport.Clock].
func (c *Clock) Jump(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.box != nil && !c.realTime {
		c.box.Clock().JumpTo(c.box.Clock().Now() + int64(d))
	}
}

// wait adds or removes a deadline.
func (c *Clock) wait(until *int64, begins bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.deadlines == nil {
		c.deadlines = map[*int64]bool{}
	}
	if begins {
		c.deadlines[until] = true
	} else {
		delete(c.deadlines, until)
	}
	c.setTarget()
}

// setTarget lets the clock be advanced to the driver's first deadline. The caller holds mu.
func (c *Clock) setTarget() {
	if c.box == nil || c.realTime {
		return
	}
	c.idle = 0
	first := int64(0)
	for d := range c.deadlines {
		if first == 0 || *d < first {
			first = *d
		}
	}
	c.box.Clock().AdvanceTo(first)
}
