package assess

import "strings"

const (
	// maxTries bounds how often a server that does not answer is started
	// again in another way.
	maxTries = 6
	// maxSilent bounds how many of these wait for an answer until the time is
	// up, and oneSilent how many of one candidate: that takes a minute each,
	// and who says nothing gives no hint what to do differently.
	maxSilent, oneSilent = 3, 2
)

// tries decides what is worth another start.
type tries struct {
	made    map[string]bool
	silent  map[int]int
	silence int
}

// another reports whether this way is still to be tried, and takes it as made.
func (t *tries) another(l *launch) bool {
	id := strings.Join(l.command, "\x00") + "\x01" + strings.Join(l.env, "\x00") + string(rune(l.reach))
	if t.made[id] || len(t.made) >= maxTries || t.silence >= maxSilent || t.silent[l.candidate] >= oneSilent {
		return false
	}
	if t.made == nil {
		t.made, t.silent = map[string]bool{}, map[int]int{}
	}
	t.made[id] = true
	return true
}

// failed notes a start without an answer. ran says that the server was still
// there when the time was up.
func (t *tries) failed(l *launch, ran bool) {
	if ran {
		t.silent[l.candidate]++
		t.silence++
	}
}
