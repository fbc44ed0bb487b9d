package rules

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// rate remembers the latest hits of a group, as many as the rule asks for: if
// the oldest of those lies within the time, so do all.
type rate struct {
	box     int
	latest  []moment
	reached bool
}

// moment is when something was hit.
type moment struct {
	t     float64
	seq   int64
	value string
}

// take takes in a hit and tells whether that makes them enough for the first
// time. An event that stands for several happened once: when the others did is
// not known. Another start of the server is another beginning.
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

// evidence are the first of the events that came so close.
func (r *rate) evidence() []int64 {
	var seqs []int64
	for _, m := range r.latest[:min(len(r.latest), maxEvidence)] {
		seqs = append(seqs, m.seq)
	}
	return seqs
}
