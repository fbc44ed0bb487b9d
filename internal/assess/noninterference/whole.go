package noninterference

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// A thread that a call leaves behind sends in the time of the next call as often
// as not. So where messages seem to move between calls, whole starts are compared:
// what was sent to the host, whichever call it was.

// withWholeStarts replaces the comparisons of calls whose messages move by those
// of whole starts, if equal starts sent the same. In which call something was sent
// is then not compared: that is timing.
func (r *Runs) withWholeStarts(all []*comparison) []*comparison {
	inTime, sorted := r.ofWholeStarts(false), r.ofWholeStarts(true)
	instead := map[place]*comparison{}
	unsteady := map[int]bool{} // starts in which messages move
	for _, c := range all {
		at := ofStart(c.at)
		if !c.moved() || instead[at] != nil {
			continue
		}
		if w := (&comparison{runs: inTime, at: at, toTheEnd: true}); w.equalStartsAgree() {
			instead[at], unsteady[at.start] = w, true
			continue
		}
		if w := (&comparison{runs: sorted, at: at, toTheEnd: true}); !orderMatters(at, sorted.Usual[0][at]) && w.equalStartsAgree() {
			instead[at], unsteady[at.start] = w, true
		}
	}
	all = slices.DeleteFunc(all, func(c *comparison) bool {
		return instead[ofStart(c.at)] != nil || c.at.kind == order && unsteady[c.at.start]
	})
	for _, at := range slices.SortedFunc(maps.Keys(instead), inOrder) {
		all = append(all, instead[at])
	}
	return all
}

// moved tells whether a message may have moved to another call or from it.
func (c *comparison) moved() bool {
	byNumber := slices.ContainsFunc(c.flows, func(f Flow) bool { return f.Detail.Part == numberPart })
	return c.at.kind.concurrent() && (byNumber || len(c.noisy) > 0)
}

// equalStartsAgree compares, and reports whether equal starts sent the same.
func (c *comparison) equalStartsAgree() bool {
	c.compare()
	return len(c.noisy) == 0
}

// manyInOrder is how many different messages can spell something in their order
// that is worth stealing. If that many are sent in another order each time, they
// stay noise.
const manyInOrder = 12

// orderMatters tells whether messages could spell a secret in their order.
func orderMatters(at place, list []message) bool {
	seen := map[string]bool{}
	for _, m := range list {
		seen[m.parts[0].text] = true
	}
	return !at.kind.unordered() && len(seen) >= manyInOrder
}

// ofWholeStarts returns the runs without regard to the calls: in the order of the
// calls, or sorted, so that no order is left.
func (r *Runs) ofWholeStarts(sorted bool) *Runs {
	whole := &Runs{Replace: r.Replace}
	for i := range r.Usual {
		whole.Usual[i], whole.Other[i] = merged(r.Usual[i], r.Replace, sorted), merged(r.Other[i], r.Replace, sorted)
	}
	return whole
}

// merged puts what all calls sent to a host together, sorted by its texts once
// replace has made those of all runs comparable.
func merged(run Messages, replace func(string) string, sorted bool) Messages {
	out := Messages{}
	for _, at := range slices.SortedFunc(maps.Keys(run), inOrder) {
		if at.kind == call && at.inputs == "" {
			out[at] = run[at]
		}
		if at.kind.concurrent() {
			out[ofStart(at)] = append(out[ofStart(at)], run[at]...)
		}
	}
	byText := func(a, b message) int {
		return slices.CompareFunc(a.parts, b.parts, func(p, q part) int { return strings.Compare(replace(p.text), replace(q.text)) })
	}
	for at, list := range out {
		slices.SortStableFunc(list, func(a, b message) int { return cmp.Compare(a.t, b.t) })
		if sorted || at.kind.unordered() {
			slices.SortStableFunc(list, byText)
		}
		if at.kind == lookup {
			out[at] = withoutRepetition(list)
		}
	}
	return out
}

func ofStart(at place) place {
	return place{start: at.start, again: at.again, host: at.host, kind: at.kind}
}
