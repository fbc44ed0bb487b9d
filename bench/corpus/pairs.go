package main

import (
	"fmt"
	"io"
	"slices"
)

// tally counts the pairs of a class.
type tally struct {
	// pairs is how many were tried, found how many of the vulnerable ones were
	// proved, quiet how many of the fixed ones raised no alarm, and apart how
	// many pairs had both.
	pairs, found, quiet, apart int
}

func (t tally) plus(o tally) tally {
	return tally{t.pairs + o.pairs, t.found + o.found, t.quiet + o.quiet, t.apart + o.apart}
}

// pairs prints, for every class of attacks, how many vulnerable examples were
// told from their fixed twins.
func pairs(w io.Writer, results []*result) {
	by := tallies(results)
	if len(by) == 0 {
		return
	}
	const format = "%-22s %6v %6v %6v %6v\n"
	fmt.Fprintf(w, "\n"+format, "attack", "pairs", "found", "quiet", "apart")
	var all tally
	for _, class := range classes() {
		t, ok := by[class]
		if !ok {
			continue
		}
		fmt.Fprintf(w, format, class, t.pairs, t.found, t.quiet, t.apart)
		all = all.plus(t)
	}
	fmt.Fprintf(w, format, "all", all.pairs, all.found, all.quiet, all.apart)
}

// tallies counts by class, only examples that were tried with their twin, and
// only the named servers if any are named.
func tallies(results []*result, servers ...string) map[string]tally {
	named := map[string]*result{}
	for _, r := range results {
		named[r.Name] = r
	}
	by := map[string]tally{}
	for _, r := range results {
		twin := named[r.Twin]
		if !r.Vulnerable || twin == nil || len(servers) > 0 && !slices.Contains(servers, r.Server) {
			continue
		}
		t := by[r.Expect.Attacks[0].Class]
		t.pairs++
		t.found += one(r.outcome == proved)
		t.quiet += one(twin.outcome == quiet)
		t.apart += one(r.outcome == proved && twin.outcome == quiet)
		by[r.Expect.Attacks[0].Class] = t
	}
	return by
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
