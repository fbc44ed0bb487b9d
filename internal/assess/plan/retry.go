package plan

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
)

// no gap: a retry makes a finding surer; without it the finding stays as it is
const (
	// slow is the number of seconds from which a call is retried.
	slow = 1.0
	// maxRetries bounds the number of retries.
	maxRetries = 6
)

// HangAllowance is how much time a server that hangs costs the remaining
// attacks; they get it back.
const HangAllowance = 8 * time.Second

// Hangs tells whether a server no longer answered when its session ended.
func Hangs(s *mcpsf.Session) bool {
	n := len(s.Calls)
	return n > 0 && s.Calls[n-1].Method == "ping" && s.Calls[n-1].Status == mcpsf.CallTimeout
}

// Retries are the attack calls that are repeated with a new server. A call may
// be slow because the machine was busy, so it counts only if it is slow again.
type Retries map[string]bool

// Of returns the calls of a session to retry, in order: slow calls whose smaller
// input was answered, and calls that the server did not survive.
func (r Retries) Of(calls []attackplan.AttackCall, s *mcpsf.Session) []attackplan.AttackCall {
	var again []attackplan.AttackCall
	n, answered := 0, false // answered is that of the previous call
	for i := range s.Calls {
		c := &s.Calls[i]
		if !isAttack(c) {
			continue
		}
		if n >= len(calls) {
			break
		}
		call := &calls[n]
		n++
		before := answered
		answered = c.Status != mcpsf.CallTimeout
		if c.Seconds < slow && answered {
			continue
		}
		stuck := n == len(calls) && Hangs(s)
		switch {
		case call.Attack.Sign == mcpsf.SignCrash && stuck:
			again = append(again, r.first(calls[n-1:n])...)
		case call.Attack.Sign == mcpsf.SignCost && (before && largerOfPair(calls, n-1) || stuck):
			again = append(again, r.first(calls[max(0, n-2):n])...)
		}
	}
	return again
}

// largerOfPair tells whether a call is the larger of a pair that differs only in size.
func largerOfPair(calls []attackplan.AttackCall, i int) bool {
	if i == 0 {
		return false
	}
	small, _, _ := strings.Cut(calls[i-1].Attack.Marker, "/")
	large, _, _ := strings.Cut(calls[i].Attack.Marker, "/")
	return small == large && calls[i-1].Tool == calls[i].Tool && calls[i-1].Attack.Place == calls[i].Attack.Place
}

// first returns the calls, unless they were retried before or maxRetries is reached.
func (r Retries) first(calls []attackplan.AttackCall) []attackplan.AttackCall {
	last := &calls[len(calls)-1]
	key := last.Tool + " " + last.Attack.Class + " " + last.Attack.Place + " " + last.Attack.Marker + " " + last.Attack.Payload + strconv.FormatBool(last.Attack.Encoded)
	if r[key] || len(r) >= maxRetries {
		return nil
	}
	r[key] = true
	return calls
}

// AttacksMade counts the attack calls among the calls of a session.
func AttacksMade(s *mcpsf.Session) int {
	n := 0
	for i := range s.Calls {
		if isAttack(&s.Calls[i]) {
			n++
		}
	}
	return n
}

// isAttack tells whether a call of a session of attacks is one, not one that made the
// state for it.
func isAttack(c *mcpsf.Call) bool { return attackplan.IsAttackMethod(c.Method) && !c.Preparing }

// WithoutState tells whether a start came to no attack because what makes the state for
// the first one took the server down. That tool is attacked without it then.
func WithoutState(calls []attackplan.AttackCall, s *mcpsf.Session) bool {
	tried := slices.ContainsFunc(s.Calls, func(c mcpsf.Call) bool { return c.Preparing })
	if !tried || len(calls) == 0 || calls[0].Sequence == nil {
		return false
	}
	for i, tool := 0, calls[0].Tool; i < len(calls); i++ {
		if calls[i].Tool == tool {
			calls[i].Sequence = nil
		}
	}
	return true
}
