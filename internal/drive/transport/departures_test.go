package transport

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// departed is a tap that stores the end offsets of messages.
type departed struct{ offsets []int64 }

func (d *departed) Observe(m mcpsf.Message)          { d.offsets = append(d.offsets, m.Offset) }
func (*departed) Consumed(mcpsf.Stream, int64)       {}
func (*departed) Limit(mcpsf.LimitDetail)            {}
func (*departed) Changed(string, mcpsf.ChangeDetail) {}

func TestDepartures(t *testing.T) {
	tap := &departed{}
	d := &Departures{tap: NewMeter(tap, &Limits{MaxOutput: 1, MaxMessages: 1})}
	if !d.next(&Outbound{}, 10) || !d.next(&Outbound{}, 5) || !d.at(&Outbound{}, 40, 20) {
		t.Error("a message did not leave")
	}
	d.Other(mcpsf.Message{}, 30, 5)
	if !d.close() || d.close() {
		t.Error("the close has to be told once")
	}
	if d.next(&Outbound{}, 1) || d.at(&Outbound{}, 90, 1) {
		t.Error("a message left after the close")
	}
	if diff := cmp.Diff([]int64{10, 15, 40, 30, 40}, tap.offsets); diff != "" {
		t.Errorf("offsets (-want +got):\n%s", diff)
	}
}

func TestQueueKnowsWhatHasNotLeft(t *testing.T) {
	q := newQueue()
	one, two := mark(), mark()
	if q.put(one) != nil || q.put(two) != nil {
		t.Fatal("the queue is full")
	}
	if busy, all := q.busy(); !busy || all != 2 {
		t.Errorf("busy %v, %d in all", busy, all)
	}
	close(one.Written)
	q.drop(two)
	if busy, all := q.busy(); busy || all != 2 {
		t.Errorf("busy %v, %d in all", busy, all)
	}
	for range queueLength {
		_ = q.put(mark())
	}
	if q.put(mark()) == nil {
		t.Error("a full queue took a message")
	}
}
