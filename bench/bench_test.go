package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRow(t *testing.T) {
	slower := &row{Unit: "ms", Max: 10, MaxHooks: 1.15}
	faster := &row{Unit: "per s", MoreIsBetter: true, MaxHooks: 1.15}
	for _, round := range [][ways]float64{{1, 4, 8}, {2, 10, 11}, {1, 5, 5.5}, {1, 100, 90}} {
		for w, value := range round {
			slower.add(way(w), value)
			faster.add(way(w), 1000/value)
		}
	}
	for _, r := range []*row{slower, faster} {
		r.finish()
		// Within the rounds the ratios are 2, 1.1, 1.1 and 0.9: the slow last
		// round, which affected both ways, has no influence.
		if got := times(r.Hooks); got != "1.10x" {
			t.Errorf("hooks cost %s, want 1.10x", got)
		}
		if got := times(r.Sandbox); got != "6.75x" {
			t.Errorf("the sandbox costs %s, want 6.75x", got)
		}
	}
	if got, want := slower.promise(), "10 ms: met, hooks 1.15x: met"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	slower.Max, slower.MaxHooks = 9, 1.05
	if got, want := slower.promise(), "9 ms: MISSED, hooks 1.05x: MISSED"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTable(t *testing.T) {
	r := &row{Name: "one pread", Unit: "µs", Samples: [ways][]float64{nil, {2}, {3}}}
	r.finish()
	var out bytes.Buffer
	if err := (&results{Rounds: 1, Rows: []*row{r}}).writeTable(&out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	want := []string{"one", "pread", "2.00", "3.00", "µs", "1.50x"} // nothing was measured natively
	if diff := cmp.Diff(want, strings.Fields(lines[3])); diff != "" {
		t.Error(diff)
	}
}

func TestMemoryIsSortedByOwner(t *testing.T) {
	const smaps = `00400000-01400000 r-xp 00000000 fe:00 77                         /tmp/a bench
Size:              16384 kB
Pss:                8000 kB
Pss_Dirty:             7 kB
c000000000-c000400000 rw-p 00000000 00:00 0
Pss:                4000 kB
7f0000000000-7f0000400000 rw-s 00000000 00:01 12                 /memfd:runsc-memory (deleted)
Pss:                 500 kB
7f1000000000-7f1000400000 rw-s 00000000 00:01 13                 /memfd:ring (deleted)
Pss:                  30 kB
7f2000000000-7f2000400000 r-xp 00000000 fe:00 78                 /root/usr/bin/node
Pss:                   1 kB
7f2000400000-7f2000800000 r-xp 00400000 fe:00 78                 /root/usr/bin/node
Pss:                   1 kB
`
	got := map[string]float64{}
	for file, megabytes := range mapped([]byte(smaps)) {
		owner := "sandbox"
		if ofServer(file, "/tmp/a bench") {
			owner = "server"
		}
		got[owner] += megabytes
	}
	want := map[string]float64{"sandbox": 12030 * 1024 / 1e6, "server": 502 * 1024 / 1e6}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 })); diff != "" {
		t.Error(diff)
	}
}

func TestEveryWayIsFirstAsOften(t *testing.T) {
	first := map[way]int{}
	for round := range 9 {
		order := turns(round)
		seen := map[way]bool{}
		for _, w := range order {
			seen[w] = true
		}
		if len(order) != int(ways) || len(seen) != int(ways) {
			t.Fatalf("round %d: %v", round, order)
		}
		first[order[0]]++
	}
	if diff := cmp.Diff(map[way]int{native: 3, bare: 3, observed: 3}, first); diff != "" {
		t.Error(diff)
	}
}

func TestParse(t *testing.T) {
	for _, args := range [][]string{{"--rounds", "0"}, {"--calls", "-1"}, {"--only", "nothing"}, {"--unknown"}, {"stray"}} {
		if _, err := parse(args, io.Discard); err == nil {
			t.Errorf("%v was accepted", args)
		}
	}
	if _, err := parse([]string{"--only", "calls", "--json"}, io.Discard); err != nil {
		t.Error(err)
	}
}
