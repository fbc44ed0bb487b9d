package plan

// no gap: a server that does not start gets no PASS
const (
	// maxStarts bounds how many ways are tried to start a server that does not
	// answer.
	maxStarts = 6
	// maxSilent bounds how many of these may run into the timeout, and oneSilent
	// how many of one candidate. Each takes a minute, and a server that prints
	// nothing does not show what to change.
	maxSilent, oneSilent = 3, 2
)

// Starts decides which ways to start a server are still tried.
type Starts struct {
	made    map[string]bool
	silent  map[int]int
	silence int
}

// Another reports whether this way to start a candidate is still to be tried,
// and records it as tried.
func (s *Starts) Another(way string, candidate int) bool {
	if s.made[way] || len(s.made) >= maxStarts || s.silence >= maxSilent || s.silent[candidate] >= oneSilent {
		return false
	}
	if s.made == nil {
		s.made, s.silent = map[string]bool{}, map[int]int{}
	}
	s.made[way] = true
	return true
}

// Failed records a start without an answer. ran says that the server was still
// running when the time was up.
func (s *Starts) Failed(candidate int, ran bool) {
	if ran {
		s.silent[candidate]++
		s.silence++
	}
}
