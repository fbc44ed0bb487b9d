package leak

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
)

func TestSqueezed(t *testing.T) {
	long := strings.Repeat("x", longestRun)
	for _, tt := range []struct{ in, want string }{
		{"", ""}, {"abc", "abc"}, {long, long}, {long + "x", long},
		{"a" + long + "xxxx" + "b", "a" + long + "b"},
		{strings.Repeat("y", 1000) + "z" + strings.Repeat("q", 1000), strings.Repeat("y", longestRun) + "z" + strings.Repeat("q", longestRun)},
		{strings.Repeat("xy", 100), strings.Repeat("xy", 100)},
		{"ab" + strings.Repeat("x", longestRun-1) + "cd" + long + long, "ab" + strings.Repeat("x", longestRun-1) + "cd" + long},
	} {
		if got := string(squeezed([]byte(tt.in))); got != tt.want {
			t.Errorf("squeezed(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

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
