//go:build linux

package sentry

import (
	"errors"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// A limit on tasks applies as soon as it is reached, is recorded once, and
// admits again when a task could not be made.
func TestTaskLimit(t *testing.T) {
	ring, err := wire.NewRing(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ring.Close()
	w, err := wire.NewWriter(int(ring.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	r, err := wire.NewReader(ring)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	l := newObserver(&Config{MaxPIDs: 3}, w, nil).limits

	for i, want := range []bool{true, true, false, false} { // beside the first task
		if err := l.admitTask(); (err == nil) != want {
			t.Errorf("task %d: %v", i, err)
		}
	}
	l.taskMade(errors.New("could not be made"))
	if err := l.admitTask(); err != nil {
		t.Errorf("after one that could not be made: %v", err)
	}
	record, err := r.Next()
	if err != nil || record == nil || record.Op != wire.OpLimit || record.Text != mcpsf.LimitPIDs || record.Total != 3 {
		t.Errorf("recorded %+v, %v", record, err)
	}
	if record, err := r.Next(); record != nil || err != nil {
		t.Errorf("recorded again: %+v, %v", record, err)
	}
}
