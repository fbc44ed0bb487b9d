package history

import (
	"math"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

// When contacts are regular: the minimum number, the minimum time span in
// seconds, and the maximum deviation of an interval from the mean.
// gap: rule-memory
const (
	beaconLeast  = 4
	beaconSpan   = 1.5
	beaconJitter = 0.35
	maxBeats     = 64
	maxBeacons   = 500
)

// beat holds the times at which a host was contacted outside of calls. They are
// kept by call and request, because contacts in different calls are unrelated.
type beat struct {
	at map[string][]float64
	// steady caches the result.
	steady *bool
}

func (t *Traffic) beat(host string, e *mcpsf.Event) {
	if e.Phase == mcpsf.PhaseInstall || e.Call != "" && e.Phase != mcpsf.PhaseIdle && e.Phase != mcpsf.PhaseStart && e.Phase != mcpsf.PhaseStop {
		return
	}
	// A connection is reported when it ends, each request on it when it is made.
	// Requests are counted by method and URL.
	key := e.Call + " connections"
	if e.HTTP != nil {
		asked, _, _ := strings.Cut(quote.Cut(e.HTTP.URL, lex.MaxURL), "?")
		key = e.Call + " " + e.HTTP.Method + " " + asked
	}
	b := t.beacons[host]
	if b == nil {
		if len(t.beacons) >= maxBeacons {
			return
		}
		b = &beat{at: map[string][]float64{}}
		t.beacons[host] = b
	}
	if len(b.at) < maxBeats && len(b.at[key]) < maxBeats {
		b.at[key] = append(b.at[key], e.T)
	}
}

// Beacon tells whether a host was contacted repeatedly: the same request over
// some time at any interval, because a busy machine stretches intervals, or
// connections at a steady pace.
func (t *Traffic) Beacon(host string) bool {
	b := t.beacons[host]
	if b == nil {
		return false
	}
	if b.steady == nil {
		found := false
		for key, times := range b.at {
			again := strings.Contains(key, "://") && len(times) >= beaconLeast && times[len(times)-1]-times[0] >= beaconSpan
			found = found || again || steady(times)
		}
		b.steady = &found
	}
	return *b.steady
}

// steady tells whether the intervals are equal. A quarter may differ: a busy
// machine stretches one and shortens the next.
func steady(times []float64) bool {
	n := len(times) - 1
	if n+1 < beaconLeast || times[n]-times[0] < beaconSpan {
		return false
	}
	mean := (times[n] - times[0]) / float64(n)
	off := 0
	for i := range n {
		if math.Abs(times[i+1]-times[i]-mean) > beaconJitter*mean {
			off++
		}
	}
	return off*4 <= n
}
