//go:build linux

package sentry

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"gvisor.dev/gvisor/pkg/sentry/kernel"
	sentrytime "gvisor.dev/gvisor/pkg/sentry/time"
)

// The sandbox's clocks are the host's, moved forward. Some malicious servers
// wait for a date: the realtime clock may be ahead from the start. Others
// sleep: both clocks are advanced meanwhile.

// clocks are those of gVisor's kernel, replaced by moved ones.
type clocks struct {
	sentrytime.Clocks
	keeper *kernel.Timekeeper
	page   *kernel.VDSOParamPage
	// later is how far the date is ahead, ahead how far both clocks are.
	later time.Duration
	ahead *atomic.Int64

	mu sync.Mutex
	// known is the last reading of gVisor's clocks, and its time.
	known  calibration
	looked time.Time
}

// calibration is the data from which a process computes the time without a
// system call.
type calibration struct {
	monotonic, realtime     sentrytime.Parameters
	monotonicOK, realtimeOK bool
}

var _ sentrytime.Clocks = (*clocks)(nil)

// recalibrate is how often gVisor's clocks are updated: they treat every update
// as a step of about a second.
const recalibrate = sentrytime.ApproxUpdateInterval * 3 / 4

// Update implements [sentrytime.Clocks].
func (c *clocks) Update() (monotonic sentrytime.Parameters, monotonicOK bool, realtime sentrytime.Parameters, realtimeOK bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.looked) >= recalibrate {
		k := &c.known
		k.monotonic, k.monotonicOK, k.realtime, k.realtimeOK = c.Clocks.Update()
		c.looked = time.Now()
	}
	k, ahead := c.known, sentrytime.ReferenceNS(c.ahead.Load())
	k.monotonic.BaseRef += ahead
	k.realtime.BaseRef += ahead + sentrytime.ReferenceNS(c.later)
	return k.monotonic, k.monotonicOK, k.realtime, k.realtimeOK
}

// GetTime implements [sentrytime.Clocks].
func (c *clocks) GetTime(id sentrytime.ClockID) (int64, error) {
	now, err := c.Clocks.GetTime(id)
	now += c.ahead.Load()
	if id == sentrytime.Realtime {
		now += int64(c.later)
	}
	return now, err
}

// moveClocks replaces the clocks of gVisor's kernel by ours. gVisor has no
// interface for that, so its fields are replaced while the first process is
// alone and has not run yet.
func moveClocks(k *kernel.Kernel, later time.Duration, ahead *atomic.Int64) (*clocks, error) {
	c := &clocks{keeper: k.Timekeeper(), later: later, ahead: ahead}
	kept, err := field[sentrytime.Clocks](c.keeper, "clocks")
	if err != nil {
		return nil, err
	}
	page, err := field[*kernel.VDSOParamPage](k, "vdsoParams")
	if err != nil {
		return nil, err
	}
	c.Clocks, c.page = *kept, *page
	c.keeper.PauseUpdates()
	*kept = c
	c.keeper.ResumeUpdates(c.page)
	return c, nil
}

// advance moves both clocks forward. When it returns, no task sees the old time
// any more: gVisor's updater of the page that processes read the time from
// starts with an update, and advance waits for that.
func (c *clocks) advance(by time.Duration) {
	c.keeper.PauseUpdates()
	c.ahead.Add(int64(by))
	c.keeper.ResumeUpdates(c.page)
	c.keeper.PauseUpdates()
	c.keeper.ResumeUpdates(c.page)
}

// field finds a field of a gVisor structure by name and type, so that a change
// in a newer gVisor is noticed.
func field[T any](in any, name string) (*T, error) {
	f := reflect.ValueOf(in).Elem().FieldByName(name)
	if !f.IsValid() || f.Type() != reflect.TypeFor[T]() {
		return nil, fmt.Errorf("this gVisor keeps no %s in %T", name, in)
	}
	return (*T)(unsafe.Pointer(f.UnsafeAddr())), nil
}
