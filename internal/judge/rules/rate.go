package rules

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// rate remembers the latest hits of a group, as many as the rule requires. If
// the oldest is within the time limit, all are.
type rate struct {
	box     int
	latest  []moment
	reached bool
}

// moment is the time of a hit.
type moment struct {
	t     float64
	seq   int64
	value string
}

// take adds a hit and tells whether the required number is now reached for the
// first time. An event that stands for several counts once, because the times of
// the others are unknown. A new start of the server starts over.
func (r *rate) take(c rulefile.Count, s sighting) bool {
	if r.reached {
		return false
	}
	if r.box != s.box {
		r.box, r.latest = s.box, nil
	}
	if c.Distinct != "" {
		r.latest = slices.DeleteFunc(r.latest, func(m moment) bool { return m.value == s.value })
	}
	r.latest = append(r.latest, moment{s.event.T, s.event.Seq, s.value})
	if len(r.latest) > c.Min {
		r.latest = slices.Delete(r.latest, 0, 1)
	}
	r.reached = len(r.latest) == c.Min && s.event.T-r.latest[0].t <= c.Seconds
	return r.reached
}

// evidence returns the first events that came close enough in time.
func (r *rate) evidence() []int64 {
	var seqs []int64
	for _, m := range r.latest[:min(len(r.latest), maxEvidence)] {
		seqs = append(seqs, m.seq)
	}
	return seqs
}
