//go:build linux

package sentry

import (
	"fmt"
	"reflect"
	"time"
	"unsafe"

	"gvisor.dev/gvisor/pkg/sentry/kernel"
	sentrytime "gvisor.dev/gvisor/pkg/sentry/time"
)

// Some servers wait for a date. In a sandbox whose clock is ahead it has come.

// laterClocks are clocks of which the one that tells the date is ahead.
type laterClocks struct {
	sentrytime.Clocks
	by time.Duration
}

// Update implements [sentrytime.Clocks].
func (c *laterClocks) Update() (monotonic sentrytime.Parameters, monotonicOK bool, realtime sentrytime.Parameters, realtimeOK bool) {
	monotonic, monotonicOK, realtime, realtimeOK = c.Clocks.Update()
	realtime.BaseRef += sentrytime.ReferenceNS(c.by)
	return monotonic, monotonicOK, realtime, realtimeOK
}

// GetTime implements [sentrytime.Clocks].
func (c *laterClocks) GetTime(id sentrytime.ClockID) (int64, error) {
	now, err := c.Clocks.GetTime(id)
	if id == sentrytime.Realtime {
		now += int64(c.by)
	}
	return now, err
}

// putAhead makes the sandbox's date a later one. gVisor has no way to ask for
// that: its clocks are exchanged where it keeps them, while only the first
// process is there and has not run yet.
func putAhead(k *kernel.Kernel, by time.Duration) error {
	keeper := k.Timekeeper()
	clocks, err := field[sentrytime.Clocks](keeper, "clocks")
	if err != nil {
		return err
	}
	params, err := field[*kernel.VDSOParamPage](k, "vdsoParams")
	if err != nil {
		return err
	}
	keeper.PauseUpdates()
	*clocks = &laterClocks{Clocks: *clocks, by: by}
	keeper.ResumeUpdates(*params)
	return nil
}

// field is where a structure keeps something, found by name and type so that a
// newer gVisor is noticed.
func field[T any](in any, name string) (*T, error) {
	f := reflect.ValueOf(in).Elem().FieldByName(name)
	if !f.IsValid() || f.Type() != reflect.TypeFor[T]() {
		return nil, fmt.Errorf("this gVisor keeps no %s in %T", name, in)
	}
	return (*T)(unsafe.Pointer(f.UnsafeAddr())), nil
}
