package assess

import (
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
)

// What takes time may have taken it because the machine was busy. It is tried
// again with a new server, and judged only if it takes as long once more.

const (
	// slow is when a call is tried again, in seconds.
	slow = 1.0
	// maxDoubts bounds how many are.
	maxDoubts = 6
)

// forDeaf is the time that a server which answers nothing any more takes from
// the others; it is given back.
const forDeaf = 8 * time.Second

// deaf tells whether a session ended so.
func deaf(s *mcpsf.Session) bool {
	n := len(s.Calls)
	return n > 0 && s.Calls[n-1].Method == "ping" && s.Calls[n-1].Status == mcpsf.CallTimeout
}

// doubts are the attacks that were tried again.
type doubts map[string]bool

// of are the attacks of a session to try again, in the order they were made: what
// cost much although less of it did not, and what the server did not get over.
func (d doubts) of(shots []attackplan.AttackCall, s *mcpsf.Session) []attackplan.AttackCall {
	var again []attackplan.AttackCall
	n, answered := 0, false // whether the one before was
	for i := range s.Calls {
		c := &s.Calls[i]
		if !attackplan.IsAttackMethod(c.Method) {
			continue
		}
		if n >= len(shots) {
			break
		}
		shot := &shots[n]
		n++
		before := answered
		answered = c.Status != mcpsf.CallTimeout
		if c.Seconds < slow && answered {
			continue
		}
		stuck := n == len(shots) && deaf(s)
		switch {
		case shot.Attack.Sign == mcpsf.SignCrash && stuck:
			again = append(again, d.doubted(shots[n-1:n])...)
		case shot.Attack.Sign == mcpsf.SignCost && (before && paired(shots, n-1) || stuck):
			again = append(again, d.doubted(shots[max(0, n-2):n])...)
		}
	}
	return again
}

// paired tells whether a shot is the larger of a pair.
func paired(shots []attackplan.AttackCall, i int) bool {
	if i == 0 {
		return false
	}
	small, _, _ := strings.Cut(shots[i-1].Attack.Marker, "/")
	large, _, _ := strings.Cut(shots[i].Attack.Marker, "/")
	return small == large && shots[i-1].Tool == shots[i].Tool && shots[i-1].Attack.Place == shots[i].Attack.Place
}

// doubted returns the shots unless they were tried again before, or enough
// others were.
func (d doubts) doubted(shots []attackplan.AttackCall) []attackplan.AttackCall {
	last := &shots[len(shots)-1]
	key := last.Tool + " " + last.Attack.Class + " " + last.Attack.Place + " " + last.Attack.Marker + " " + last.Attack.Payload + strconv.FormatBool(last.Attack.Encoded)
	if d[key] || len(d) >= maxDoubts {
		return nil
	}
	d[key] = true
	return shots
}

// shotsMade counts them: there are other calls, too.
func shotsMade(s *mcpsf.Session) int {
	n := 0
	for i := range s.Calls {
		if attackplan.IsAttackMethod(s.Calls[i].Method) {
			n++
		}
	}
	return n
}
