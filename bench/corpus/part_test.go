package main

import (
	"fmt"
	"testing"
)

func TestParsePart(t *testing.T) {
	for text, want := range map[string]part{"": {1, 1}, "1/1": {1, 1}, "2/3": {2, 3}} {
		if got, err := parsePart(text); err != nil || got != want {
			t.Errorf("%q is %v (%v), want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"3", "0/3", "4/3", "1/0", "-1/3", "1/3x", " 1/3", "a/b"} {
		if got, err := parsePart(text); err == nil {
			t.Errorf("%q is %v, want an error", text, got)
		}
	}
}

// Every example is in exactly one part, and no part is much larger than another.
func TestPartsCoverTheCorpus(t *testing.T) {
	const of, examples = 3, 600
	counts := map[uint32]int{}
	for i := range examples {
		e := &example{Name: fmt.Sprintf("ok-server-%d", i)}
		in := 0
		for which := uint32(1); which <= of; which++ {
			if (part{which, of}).has(e) {
				in++
				counts[which]++
			}
		}
		if in != 1 {
			t.Fatalf("%s is in %d parts", e.Name, in)
		}
	}
	for which, n := range counts {
		if n < examples/of/2 {
			t.Errorf("part %d has %d of %d", which, n, examples)
		}
	}
}
