package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func graded() []*result {
	of := func(name, class, twin string, malicious bool, o outcome, band mcpsf.Band) *result {
		return &result{example: &example{Name: name, Class: class, Twin: twin, Malicious: malicious, Title: "T"}, outcome: o, band: band}
	}
	return []*result{
		of("a", "theft", "ok-a", true, proved, mcpsf.BandCritical),
		of("b", "theft", "ok-b", true, proved, mcpsf.BandHigh),
		of("c", "theft", "ok-a", true, missed, mcpsf.BandPass),
		of("ok-a", "everyday", "", false, quiet, mcpsf.BandPass),
		of("ok-b", "everyday", "", false, falseAlarm, mcpsf.BandMedium),
		of("ok-c", "everyday", "", false, quiet, mcpsf.BandInconclusive),
	}
}

func TestMeasure(t *testing.T) {
	all, by := measure(graded())
	want := figures{harmful: 3, honest: 3, found: 2, convicted: 2, alarms: 1, pairs: 3, apart: 1, inconclusive: 1}
	if all != want {
		t.Errorf("%+v, want %+v", all, want)
	}
	if by["theft"].harmful != 3 || by["everyday"].alarms != 1 {
		t.Errorf("by class %+v", by)
	}
}

func TestFloorsHold(t *testing.T) {
	got, _ := measure(graded())
	for name, tt := range map[string]struct {
		floors floors
		want   string
	}{
		"all":          {floors{Recall: 0.6, Precision: 0.6, Pairs: 0.3, FalseAlarms: 1, Inconclusive: 0.2}, ""},
		"recall":       {floors{Recall: 0.7, FalseAlarms: 1, Inconclusive: 0.2}, "recall is 0.667"},
		"precision":    {floors{Precision: 0.7, FalseAlarms: 1, Inconclusive: 0.2}, "precision is 0.667"},
		"pairs":        {floors{Pairs: 0.4, FalseAlarms: 1, Inconclusive: 0.2}, "pair discrimination is 0.333"},
		"false alarms": {floors{Inconclusive: 0.2}, "1 honest servers"},
		"inconclusive": {floors{FalseAlarms: 1, Inconclusive: 0.1}, "no verdict"},
	} {
		err := tt.floors.hold(got)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

func TestPageNamesMisses(t *testing.T) {
	text := page(graded())
	for _, want := range []string{"- `c` (T): missed", "- `ok-b` (T): false alarm", "- `ok-c` (T): INCONCLUSIVE", "| theft | 3 | 2 |", "0.667 (2 of 3)"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "- `a`") || strings.Contains(text, "- `ok-a`") {
		t.Error("the page complains about what is good")
	}
}

// A kept run is read back, and judged by today's rules and not by its old
// findings.
func TestShelf(t *testing.T) {
	s, err := newShelf(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r, events := breach()
	events[0].MCP.Method = "tools/call"
	if err := s.put("x", r, events); err != nil {
		t.Fatal(err)
	}
	back, again, err := s.get("x")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(events, again); diff != "" {
		t.Error(diff)
	}
	if len(back.Findings) != 0 || len(back.Session.Calls) != len(r.Session.Calls) {
		t.Errorf("%d findings and %d calls", len(back.Findings), len(back.Session.Calls))
	}
	if got := s.judge(&example{Name: "y"}); got.outcome != broken {
		t.Errorf("of what was never kept: %s", got.outcome)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "z.jsonl.zst"), bytes.Repeat([]byte("junk"), 10), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := s.judge(&example{Name: "z"}); got.outcome != broken {
		t.Errorf("of junk: %s", got.outcome)
	}
}
