package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func samples() []*sample {
	return []*sample{
		{name: "bad-a", Title: "A", Malicious: true, Class: "theft", alarms: []string{"high x: y"}},
		{name: "bad-b", Title: "B", Malicious: true, Class: "theft"},
		{name: "vuln-c", Title: "C", Class: vulnerableClass, alarms: []string{"medium x: y"}},
		{name: "ok-d", Title: "D", Class: "benign", alarms: []string{"medium x: says `z`"}},
		{name: "ok-e", Title: "E", Class: "benign"},
	}
}

func TestSourceFigures(t *testing.T) {
	var out bytes.Buffer
	all := summariseSource(&out, samples())
	if want := (sourceFigures{harmful: 3, found: 2, honest: 2, alarms: 1}); all != want {
		t.Errorf("%+v, want %+v", all, want)
	}
	for _, want := range []string{"recall 0.667 (2 of 3)", "`bad-b` (B): missed", "`ok-d` (D): false alarm: medium x: says 'z'"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	if page := sourcePage(samples()); !strings.Contains(page, "| theft | 2 | 1 | 0 | 0 |") || !strings.Contains(page, "| all | 3 | 2 | 2 | 1 |") {
		t.Errorf("the page is\n%s", page)
	}
}

func TestSourceFloors(t *testing.T) {
	all, _ := measureSource(samples())
	for _, tt := range []struct {
		floors floors
		want   string
	}{
		{floors{SourceRecall: 0.6, SourceAlarms: 1}, ""},
		{floors{SourceRecall: 0.7, SourceAlarms: 1}, "recall by source alone is 0.667"},
		{floors{}, "1 honest samples"},
	} {
		err := tt.floors.holdSource(all)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
}

// The samples in the repository are complete, and have each kind.
func TestSamplesAreThere(t *testing.T) {
	list, err := loadSamples("../../corpus/static", "")
	if err != nil {
		t.Fatal(err)
	}
	all, by := measureSource(list)
	if all.harmful < 40 || all.honest < 39 || by[vulnerableClass].harmful < 3 {
		t.Errorf("%+v, %+v", all, by)
	}
	if list, err := loadSamples(t.TempDir()+"/none", ""); err != nil || len(list) > 0 {
		t.Errorf("%d samples, %v", len(list), err)
	}
	if _, err := os.Stat("../../corpus/floors.yaml"); err != nil {
		t.Error(err)
	}
}
