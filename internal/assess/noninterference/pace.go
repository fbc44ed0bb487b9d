package noninterference

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// A server that waits longer for a one than for a zero sends a secret in the times
// between its messages. Times are never equal, so they are not compared one by
// one: it is counted how often the two usual starts agree, the two others agree,
// and the pairs are far apart, and how often that holds for starts paired across.
// A noisy machine does not know which start has which secrets.

const (
	// leastApart is the least difference in seconds that counts.
	leastApart = 0.005
	// timesFarther is how much farther apart than those of equal starts the times
	// of different starts must be.
	timesFarther = 3
	// leastPauses is the least number of pauses that must differ, and
	// timesMoreOften how much more often they do so than in pairs across.
	leastPauses    = 6
	timesMoreOften = 4
)

// pacePart names the times between messages, which can be a covert channel.
const pacePart = "timing of messages"

// pauses are the times between the messages of one call.
func pauses(list []message) []float64 {
	var out []float64
	for i := 1; i < len(list); i++ {
		out = append(out, list[i].t-list[i-1].t)
	}
	return out
}

// samePace tells whether the first usual and the first other start have about the
// same pauses, as far as the start before can tell.
func (r *Runs) samePace() bool {
	apart := 0
	for at, u := range r.Usual[0] {
		before, usual, other := pauses(r.Before[at]), pauses(u), pauses(r.Other[0][at])
		if at.kind != pace || len(usual) != len(other) {
			continue
		}
		for i := range usual {
			if len(before) != len(usual) || separate(before[i], usual[i], other[i], other[i]) {
				apart++
			}
		}
	}
	return apart < leastPauses
}

// paceFlows returns the call whose pauses depend on the secrets, if any do.
func (r *Runs) paceFlows() []Flow {
	var byUse, across1, across2 int
	var out []Flow
	for _, at := range slices.SortedFunc(maps.Keys(r.Usual[0]), inOrder) {
		u, v, x, y := r.Usual[0][at], r.Usual[1][at], r.Other[0][at], r.Other[1][at]
		if at.kind != pace || len(u) != len(v) || len(u) != len(x) || len(u) != len(y) {
			continue
		}
		before := byUse
		a, b, c, d := pauses(u), pauses(v), pauses(x), pauses(y)
		for i := range a {
			byUse += count(separate(a[i], b[i], c[i], d[i]))
			across1 += count(separate(a[i], c[i], b[i], d[i]))
			across2 += count(separate(a[i], d[i], b[i], c[i]))
		}
		if byUse > before && out == nil {
			found := comparison{runs: r, at: at}
			found.at.host = pacedHost(u)
			found.flow(u[0], pacePart, milliseconds(a), milliseconds(c), byRace)
			out = found.flows
			out[0].exact = false
		}
	}
	if byUse < leastPauses || byUse < timesMoreOften*max(across1, across2) {
		return nil
	}
	return out
}

// otherIsApart tells whether, of two usual starts and one other, the other one is
// apart from them more often than one of them is from the rest.
func (r *Runs) otherIsApart() bool {
	var other, first, second int
	for at, list := range r.Usual[0] {
		u, v, x := pauses(list), pauses(r.Usual[1][at]), pauses(r.Other[0][at])
		if at.kind != pace || len(u) != len(v) || len(u) != len(x) {
			continue
		}
		for i := range u {
			other += count(separate(u[i], v[i], x[i], x[i]))
			first += count(separate(v[i], x[i], u[i], u[i]))
			second += count(separate(u[i], x[i], v[i], v[i]))
		}
	}
	return other > max(first, second)
}

// pacedHost returns the first host that got a message.
func pacedHost(list []message) string {
	host := list[0].parts[0].text
	for _, m := range list {
		if m.parts[0].text != resolver {
			return m.parts[0].text
		}
	}
	return host
}

// separate tells whether a and b are close to each other, c and d too, and both
// pairs far apart.
func separate(a, b, c, d float64) bool {
	within := max(math.Abs(a-b), math.Abs(c-d))
	between := max(min(a, b)-max(c, d), min(c, d)-max(a, b))
	return between >= leastApart && between >= timesFarther*within
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func milliseconds(list []float64) string {
	var words []string
	for _, s := range list[:min(len(list), 12)] {
		words = append(words, fmt.Sprintf("%.0f", s*1000))
	}
	return strings.Join(words, " ") + " ms"
}
