package leak

// Each leak is an event, and a server can leak the same secret without end. So
// reports are bounded, but only against each other: the reports of one secret
// never displace those of another, nor those to one host those to another.
const (
	// maxTold bounds how often the same secret is reported for the same
	// destination.
	// no gap: the same leak was reported as often as that
	maxTold = 5
	// maxParts bounds the parts of messages to one destination that are told
	// apart; further ones count as one.
	// no gap: the same leak to the same destination was reported
	maxParts = 64
	// maxDestinations bounds the destinations of one secret on one channel.
	// gap: leaks-not-told
	maxDestinations = 1024
)

// secretWay is how a secret left: the channel, and whether the destinations are
// those that may receive it. Many leaks to these must not hide the one that is a
// theft.
type secretWay struct {
	mark, channel string
	belongs       bool
}

// reports counts the reports of each leak.
type reports struct {
	ways map[secretWay]map[string]map[string]int // by destination and part
	// untold counts the leaks that were not reported at all.
	untold int64
}

// allow counts a leak, and says whether it is to be reported.
func (r *reports) allow(w secretWay, destination, part string) bool {
	destinations := r.ways[w]
	if destinations == nil {
		destinations = map[string]map[string]int{}
		r.ways[w] = destinations
	}
	parts := destinations[destination]
	if parts == nil {
		if len(destinations) >= maxDestinations {
			r.untold++
			return false
		}
		parts = map[string]int{}
		destinations[destination] = parts
	}
	if _, known := parts[part]; !known && len(parts) >= maxParts {
		part = "" // all others together
	}
	parts[part]++
	return parts[part] <= maxTold
}

// forget drops the counts of a caller's value that is no longer searched for.
func (r *reports) forget(mark string) {
	for w := range r.ways {
		if w.mark == mark {
			delete(r.ways, w)
		}
	}
}
