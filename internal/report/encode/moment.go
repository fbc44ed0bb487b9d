package encode

import (
	"time"

	"github.com/mcpsf/mcpsf"
)

// Longest is the maximum accepted duration of a run in seconds, because a stored
// report may claim any number.
const Longest = 366 * 24 * 3600

// Moment returns the time at which a run was so many seconds old; zero if the
// start of the run is not known.
func Moment(r mcpsf.Run, seconds float64) time.Time {
	if r.Started.IsZero() || !(seconds >= 0 && seconds <= Longest) { // also NaN
		return r.Started
	}
	return r.Started.Add(time.Duration(seconds * float64(time.Second)))
}

// Stamp writes a time in RFC 3339, "" for the zero time.
func Stamp(t time.Time) string {
	t = t.UTC()
	if t.IsZero() || t.Year() < 1 || t.Year() > 9999 {
		return ""
	}
	return t.Format("2006-01-02T15:04:05.000Z")
}
