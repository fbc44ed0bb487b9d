// Package virtualclock is the clock of a sandbox as the driver waits by it. While every
// process inside sleeps and the driver has nothing to do either, it is advanced to the next
// moment at which somebody has: a server that waits for a day is seen a second later.
package virtualclock

import (
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/drive/transport"
	"github.com/mcpsf/mcpsf/internal/network/fakenet"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

const (
	// shortest is the longest wait that goes by the host's clock.
	shortest = 60 * time.Millisecond
	// delivery is how long a message that was sent before the time was up may take to
	// arrive, once all that the kernel recorded is known.
	delivery = 20 * time.Millisecond
	// tick is how often the clock of a sandbox is looked at.
	tick = 5 * time.Millisecond
	// looks is how many times in a row nothing may have been left to do before the clock
	// is advanced.
	looks = 4
)

// Clock is the clock of one sandbox.
type Clock struct {
	mu  sync.Mutex
	box *box.Box // nil before it has begun
	// network is the fake network around the box, nil if there is none.
	network *fakenet.Network
	// realTime keeps the clock from being advanced.
	realTime bool
	// deadlines are the moments that waits of ours end at.
	deadlines map[*int64]bool
	// worker says whether the driver is busy and how much it has done, nil if there is
	// none; done is what it said last.
	worker func() (busy bool, done int)
	done   int
	// activity is the kernel's counter when we last had nothing to do, and idle how often
	// in a row that was so.
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

// allowAdvance lets the kernel advance the clock once nothing is left for us to do. It
// looks several times: who has just been given something may not have begun.
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
		c.box.Clock().Consent(activity)
	}
}

// busy tells whether the driver is, or has been since the last time. The caller holds mu.
func (c *Clock) busy() bool {
	if c.worker == nil {
		return false
	}
	busy, done := c.worker()
	if done != c.done {
		c.done, busy = done, true
		c.setTarget() // what was allowed before is void
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

// Advanced is how far it is ahead of the host's.
func (c *Clock) Advanced() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.box == nil {
		return 0
	}
	return c.box.Clock().Advanced()
}

// settled tells whether all records of what was done before have arrived.
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

// Mind implements [transport.Clock].
func (c *Clock) Mind(worker func() (busy bool, done int)) {
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

// wait notes that somebody waits for a moment, or no longer does.
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

// setTarget lets the clock be advanced to the first deadline of ours. The caller holds mu.
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
