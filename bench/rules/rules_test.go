package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/judge/rules"
)

// Target: a million events in less than two seconds on one processor.
func BenchmarkEvaluate(b *testing.B) {
	set, err := rules.Builtin()
	if err != nil {
		b.Fatal(err)
	}
	events, scope := mixed(1_000_000, false), scope()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := set.Evaluate(events, nil, scope); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(events)), "ns/event")
}

// The rules find something in the mixture.
func TestRun(t *testing.T) {
	var out bytes.Buffer
	if err := run([]string{"-events", "5000", "-rounds", "1"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{"5000 events", "judging", "decoding the same", "bytes per event", "every name a new one", "lookups"} {
		if !strings.Contains(out.String(), row) {
			t.Errorf("no %q in\n%s", row, out.String())
		}
	}
	set, err := rules.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	judged, err := set.Evaluate(mixed(5000, false), nil, scope())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, f := range judged.Findings {
		found[f.ID] = true
	}
	for _, id := range []string{"decoy-read", "secret-exfiltration"} {
		if !found[id] {
			t.Errorf("no %s", id)
		}
	}
}

// Names that never repeat cost about what others cost: nothing is asked of every
// name that came before.
func TestUniqueNames(t *testing.T) {
	set, err := rules.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	s := settings{rounds: 3}
	for name, events := range storms() {
		few, err := s.best(set, events(4000))
		if err != nil {
			t.Fatal(err)
		}
		many, err := s.best(set, events(16000))
		if err != nil {
			t.Fatal(err)
		}
		// Four times as many take sixteen times as long if each is compared with all.
		if ratio := many.took.Seconds() / max(few.took.Seconds(), 0.004); ratio > 10 {
			t.Errorf("%s: four times as many take %.1f times as long", name, ratio)
		}
	}
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"-events", "0"}, {"-rounds", "0"}, {"more"}, {"-what"}} {
		if _, err := parse(args, io.Discard); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
