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
		grade      mcpsf.Grade
		failOn     string
		want       int
	}{
		"clean":                      {mcpsf.BandPass, nil, mcpsf.GradeProved, "low", exitOK},
		"note only":                  {mcpsf.BandPass, []mcpsf.Severity{mcpsf.SeverityInfo}, mcpsf.GradeProved, "low", exitOK},
		"below the gate":             {mcpsf.BandMedium, []mcpsf.Severity{mcpsf.SeverityMedium}, mcpsf.GradeProved, "high", exitOK},
		"at the gate":                {mcpsf.BandHigh, []mcpsf.Severity{mcpsf.SeverityHigh}, mcpsf.GradeProved, "high", exitFindings},
		"together above the gate":    {mcpsf.BandCritical, []mcpsf.Severity{mcpsf.SeverityHigh, mcpsf.SeverityHigh}, mcpsf.GradeProved, "critical", exitFindings},
		"never":                      {mcpsf.BandCritical, []mcpsf.Severity{mcpsf.SeverityCritical}, mcpsf.GradeProved, "never", exitOK},
		"suspected at the gate":      {mcpsf.BandPass, []mcpsf.Severity{mcpsf.SeverityLow}, mcpsf.GradeSuspected, "low", exitOK},
		"suspected above the gate":   {mcpsf.BandMedium, []mcpsf.Severity{mcpsf.SeverityHigh}, mcpsf.GradeSuspected, "medium", exitFindings},
		"inconclusive":               {mcpsf.BandInconclusive, nil, mcpsf.GradeProved, "low", exitInconclusive},
		"inconclusive with findings": {mcpsf.BandInconclusive, []mcpsf.Severity{mcpsf.SeverityMedium}, mcpsf.GradeProved, "medium", exitFindings},
		"inconclusive, never":        {mcpsf.BandInconclusive, nil, mcpsf.GradeProved, "never", exitInconclusive},
	} {
		t.Run(name, func(t *testing.T) {
			r := &mcpsf.Report{Verdict: mcpsf.Verdict{Band: c.band}}
			for _, s := range c.severities {
				r.Findings = append(r.Findings, mcpsf.Finding{Severity: s, Grade: c.grade})
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
