package leak

import (
	"bytes"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
)

// A flood of meaningless data does not use up the effort; a secret after it is
// found.
func TestFloodHidesNothing(t *testing.T) {
	f := finder(t)
	flood := bytes.Repeat([]byte("x"), 64<<10)
	for range 1000 {
		f.Message(mcpsf.ChannelStderr, "standard error", "", flood)
	}
	fl := f.Flow(mcpsf.ChannelStream, "collect.example:9", "example")
	for range 1000 {
		fl.Write("", flood)
	}
	if f.Exhausted() {
		t.Error("a flood used up the effort")
	}
	if got := fl.Write("", []byte(awsSecret)); len(got) != 1 {
		t.Errorf("after a flood: %+v", got)
	}
	if got := f.Message(mcpsf.ChannelStderr, "standard error", "", append(flood, npmToken...)); len(got) != 1 {
		t.Errorf("behind a flood: %+v", got)
	}
}

// The effort is bounded, and reaching the bound is reported.
func TestEffortEnds(t *testing.T) {
	f := finder(t)
	f.effort.spent.Store(int64(maxEffort) + int64(time.Second))
	if got := f.Message(mcpsf.ChannelStderr, "standard error", "", []byte(awsSecret)); got != nil || !f.Exhausted() {
		t.Errorf("found %v, exhausted %v", got, f.Exhausted())
	}
}
