package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// What counts for a verdict is compared, and nothing else.
func TestVerdictChanges(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*mcpsf.Report)
		want   string
	}{
		{"nothing", func(*mcpsf.Report) {}, ""},
		{"a note more", func(r *mcpsf.Report) {
			r.Findings = append(r.Findings, mcpsf.Finding{ID: "slow", Severity: mcpsf.SeverityInfo})
		}, ""},
		{"the same finding twice", func(r *mcpsf.Report) { r.Findings = append(r.Findings, r.Findings...) }, ""},
		{"fewer calls", func(r *mcpsf.Report) { r.Session.Calls = nil }, ""},
		{"another number in a reason", func(r *mcpsf.Report) { r.Verdict.Confidence.Reasons = []string{"only 8 of 9"} }, ""},
		{"a band", func(r *mcpsf.Report) { r.Verdict.Behaviour.Band = mcpsf.BandLow }, "malicious: HIGH 60, under load LOW 60"},
		{"a score", func(r *mcpsf.Report) { r.Verdict.Weakness.Score = 5 }, "weak: PASS 0, under load PASS 5"},
		{"the confidence", func(r *mcpsf.Report) { r.Verdict.Confidence.Level = mcpsf.ConfidenceLow }, "confidence: medium (only 7 of 9)"},
		{"a finding", func(r *mcpsf.Report) { r.Findings = nil }, "findings: high decoy-read add, under load none"},
	} {
		made := func() *mcpsf.Report {
			r, _ := theft(nil)
			r.Findings = []mcpsf.Finding{{ID: "decoy-read", Tool: "add", Severity: mcpsf.SeverityHigh}}
			r.Verdict.Behaviour = mcpsf.Answer{Band: mcpsf.BandHigh, Score: 60}
			r.Verdict.Weakness = mcpsf.Answer{Band: mcpsf.BandPass}
			r.Verdict.Confidence = mcpsf.Confidence{Level: mcpsf.ConfidenceMedium, Reasons: []string{"only 7 of 9"}}
			return r
		}
		after := made()
		tt.change(after)
		got := verdictChanges(made(), after)
		if tt.want == "" && len(got) > 0 || tt.want != "" && (len(got) != 1 || !strings.Contains(got[0], tt.want)) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The loops run while the work is done, and no longer.
func TestBeside(t *testing.T) {
	var during []string
	failed := errors.New("x")
	if err := beside(t.Context(), 2, func() error { during = loopsOf(t); return failed }); !errors.Is(err, failed) {
		t.Errorf("the error is %v", err)
	}
	if len(during) != 2 {
		t.Errorf("%d loops ran, not 2", len(during))
	}
	if after := loopsOf(t); len(after) != 0 {
		t.Errorf("%v are left", after)
	}
}

// loopsOf lists the busy loops that this process has started: every process says
// who its parent is.
func loopsOf(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(all) == 0 {
		t.Fatalf("no processes in /proc: %v", err)
	}
	return slices.DeleteFunc(all, func(dir string) bool {
		status, _ := os.ReadFile(filepath.Join(dir, "status")) // of one that may have ended
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		return !strings.Contains(string(status), fmt.Sprintf("\nPPid:\t%d\n", os.Getpid())) || !strings.Contains(string(line), busyLoop)
	})
}
