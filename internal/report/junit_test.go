package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/gate"
	"github.com/mcpsf/mcpsf/internal/report/junit"
)

// wellFormed parses the whole document strictly.
func wellFormed(t *testing.T, data []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func readJUnit(t *testing.T, data []byte) junit.Suites {
	t.Helper()
	wellFormed(t, data)
	var s junit.Suites
	if err := xml.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestJUnit(t *testing.T) {
	for name, r := range everything() {
		t.Run(name, func(t *testing.T) {
			s := readJUnit(t, render(t, FormatJUnit, r, Style{}))
			names := map[string]bool{}
			failed := 0
			for _, c := range s.Suite.Cases {
				if c.Failure != nil {
					failed++
				}
				names[c.Class+c.Name] = true
			}
			if s.Tests != len(s.Suite.Cases) || s.Failures != failed || s.Suite.Failures != failed {
				t.Errorf("%d of %d failed, and it says %d of %d", failed, len(s.Suite.Cases), s.Failures, s.Tests)
			}
			if name == "waived" && len(names) != s.Tests {
				t.Error("two cases with one name")
			}
		})
	}
}

func TestJUnitGate(t *testing.T) {
	for _, tt := range []struct {
		name, failOn              string
		failures, errors, skipped int
	}{
		{"waived", "", 2, 0, 1}, // the verdict and the high one; a suspicion counts as low
		{"waived", "low", 3, 0, 1},
		{"waived", "critical", 0, 0, 1},
		{"waived", "never", 0, 0, 1},
		{"waived", "malicious:never,weak:low", 1, 0, 1},
		{"waived", "malicious:low", 2, 0, 1},
		{"pass", "low", 0, 0, 0},
		{"inconclusive", "", 0, 1, 0},
		{"inconclusive", "never", 0, 1, 0},
	} {
		s := readJUnit(t, render(t, FormatJUnit, everything()[tt.name], Style{Gate: gateOf(t, tt.failOn)}))
		if s.Failures != tt.failures || s.Errors != tt.errors || s.Skipped != tt.skipped {
			t.Errorf("%s at %q: %d failures, %d errors, %d skipped", tt.name, tt.failOn, s.Failures, s.Errors, s.Skipped)
		}
	}
}

// gateOf returns the gate of a flag, nil for none.
func gateOf(t *testing.T, failOn string) *gate.Gate {
	t.Helper()
	if failOn == "" {
		return nil
	}
	g, err := gate.Parse(failOn, "")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A verdict that rests on too little is an error, whatever its band.
func TestJUnitConfidence(t *testing.T) {
	r := everything()["waived"]
	r.report.Verdict.Confidence.Level = mcpsf.ConfidenceLow
	if s := readJUnit(t, render(t, FormatJUnit, r, Style{Gate: gateOf(t, "critical")})); s.Errors != 1 || s.Failures != 0 {
		t.Errorf("%d errors, %d failures", s.Errors, s.Failures)
	}
}

func TestJUnitSaysWhatIsLeftOut(t *testing.T) {
	for failOn, fails := range map[string]bool{"low": true, "high": false} {
		s := readJUnit(t, render(t, FormatJUnit, huge(junit.MaxCases+7, "x"), Style{Gate: gateOf(t, failOn)}))
		last := s.Suite.Cases[len(s.Suite.Cases)-1]
		if !strings.Contains(last.Out+messageOf(last.Failure), "7 more findings") || (last.Failure != nil) != fails {
			t.Errorf("the last case is %+v", last)
		}
	}
}

func messageOf(r *junit.Reason) string {
	if r == nil {
		return ""
	}
	return r.Message
}

func FuzzJUnit(f *testing.F) {
	f.Add(pwn)
	f.Add("]]><x>&#0;\ufffe\uffff")
	f.Fuzz(func(t *testing.T, s string) {
		r := huge(1, s)
		r.report.Waived = []mcpsf.Waived{{Finding: r.report.Findings[0], Reason: s}}
		wellFormed(t, render(t, FormatJUnit, r, Style{}))
	})
}
