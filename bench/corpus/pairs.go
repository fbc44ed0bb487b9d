package main

import (
	"fmt"
	"io"
)

// tally counts the pairs of a class.
type tally struct {
	// pairs is how many were tried, found how many of the vulnerable ones were
	// proved, quiet how many of the fixed ones were left alone, and apart how
	// many pairs had both.
	pairs, found, quiet, apart int
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
		all = tally{all.pairs + t.pairs, all.found + t.found, all.quiet + t.quiet, all.apart + t.apart}
	}
	fmt.Fprintf(w, format, "all", all.pairs, all.found, all.quiet, all.apart)
}

// tallies counts by class. Only what was tried with its twin is a pair.
func tallies(results []*result) map[string]tally {
	named := map[string]*result{}
	for _, r := range results {
		named[r.Name] = r
	}
	by := map[string]tally{}
	for _, r := range results {
		twin := named[r.Twin]
		if !r.Vulnerable || twin == nil {
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
