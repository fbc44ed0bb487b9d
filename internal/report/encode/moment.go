package encode

import (
	"time"

	"github.com/mcpsf/mcpsf"
)

// Longest is how many seconds a run is believed to have taken. A stored report
// may claim any number.
const Longest = 366 * 24 * 3600

// Moment is the time of day at which a run was so many seconds old; zero if it
// is not known when the run began.
func Moment(r mcpsf.Run, seconds float64) time.Time {
	if r.Started.IsZero() || !(seconds >= 0 && seconds <= Longest) { // also NaN
		return r.Started
	}
	return r.Started.Add(time.Duration(seconds * float64(time.Second)))
}

// Stamp writes a time as RFC 3339 has it, "" if there is none.
func Stamp(t time.Time) string {
	t = t.UTC()
	if t.IsZero() || t.Year() < 1 || t.Year() > 9999 {
		return ""
	}
	return t.Format("2006-01-02T15:04:05.000Z")
}
