package plan

const (
	// maxStarts bounds how often a server that does not answer is started again in another
	// way.
	maxStarts = 6
	// maxSilent bounds how many of these wait for an answer until the time is up, and
	// oneSilent how many of one candidate: that takes a minute each, and a server that
	// prints nothing gives no hint what to do differently.
	maxSilent, oneSilent = 3, 2
)

// Starts decides which ways to start a server are still tried.
type Starts struct {
	made    map[string]bool
	silent  map[int]int
	silence int
}

// Another reports whether this way, one of a candidate's, is still to be tried, and takes it
// as made.
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

// Failed notes a start without an answer. ran says that the server was still there when the
// time was up.
func (s *Starts) Failed(candidate int, ran bool) {
	if ran {
		s.silent[candidate]++
		s.silence++
	}
}
