//go:build linux

package wire

import "testing"

// Each side reads what the other wrote about the clock, and what is handled is void
// after the next activity.
func TestClock(t *testing.T) {
	w, r := newPair(t)
	r.AdvanceTo(10)
	r.JumpTo(20)
	r.StdinWritten(3)
	r.StdinWritten(4)
	if advanceTo, jumpTo := w.ClockTargets(); advanceTo != 10 || jumpTo != 20 {
		t.Errorf("targets are %d and %d", advanceTo, jumpTo)
	}
	if waits, stdin := w.Orchestrator(); waits != 1 || stdin != 7 {
		t.Errorf("the orchestrator waits for the %d. time and has written %d bytes", waits, stdin)
	}
	w.SetAdvanced(5)
	if r.Advanced() != 5 {
		t.Errorf("advanced by %d", r.Advanced())
	}
	w.ReportActivity(1, 2)
	activity, sent, received := r.Activity()
	if sent != 1 || received != 2 {
		t.Errorf("%d frames sent and %d received", sent, received)
	}
	if w.Consented() {
		t.Error("handled before it was given")
	}
	r.HandledUpTo(activity)
	if !w.Consented() {
		t.Error("handled did not arrive")
	}
	w.ReportActivity(1, 2)
	if w.Consented() {
		t.Error("handled for what happened after it")
	}
}
