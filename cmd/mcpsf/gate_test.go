package main

import (
	"errors"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestGate(t *testing.T) {
	for name, c := range map[string]struct {
		band       mcpsf.Band
		severities []mcpsf.Severity
		failOn     string
		want       int
	}{
		"clean":                      {mcpsf.BandPass, nil, "low", exitOK},
		"note only":                  {mcpsf.BandPass, []mcpsf.Severity{mcpsf.SeverityInfo}, "low", exitOK},
		"below the gate":             {mcpsf.BandMedium, []mcpsf.Severity{mcpsf.SeverityMedium}, "high", exitOK},
		"at the gate":                {mcpsf.BandHigh, []mcpsf.Severity{mcpsf.SeverityHigh}, "high", exitFindings},
		"together above the gate":    {mcpsf.BandCritical, []mcpsf.Severity{mcpsf.SeverityHigh, mcpsf.SeverityHigh}, "critical", exitFindings},
		"never":                      {mcpsf.BandCritical, []mcpsf.Severity{mcpsf.SeverityCritical}, "never", exitOK},
		"inconclusive":               {mcpsf.BandInconclusive, nil, "low", exitInconclusive},
		"inconclusive with findings": {mcpsf.BandInconclusive, []mcpsf.Severity{mcpsf.SeverityMedium}, "medium", exitFindings},
		"inconclusive, never":        {mcpsf.BandInconclusive, nil, "never", exitInconclusive},
	} {
		t.Run(name, func(t *testing.T) {
			r := &mcpsf.Report{Verdict: mcpsf.Verdict{Band: c.band}}
			for _, s := range c.severities {
				r.Findings = append(r.Findings, mcpsf.Finding{Severity: s})
			}
			got := exitOK
			if o, ok := errors.AsType[*outcome](gate(r, c.failOn)); ok {
				got = o.code
			}
			if got != c.want {
				t.Errorf("exit code %d, want %d", got, c.want)
			}
		})
	}
}
