package runresult

import (
	"errors"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
)

func TestGate(t *testing.T) {
	for name, c := range map[string]struct {
		band       mcpsf.Band
		severities []mcpsf.Severity
		grade      mcpsf.Grade
		failOn     string
		want       int
	}{
		"clean":                      {mcpsf.BandPass, nil, mcpsf.GradeProved, "low", program.ExitOK},
		"note only":                  {mcpsf.BandPass, []mcpsf.Severity{mcpsf.SeverityInfo}, mcpsf.GradeProved, "low", program.ExitOK},
		"below the gate":             {mcpsf.BandMedium, []mcpsf.Severity{mcpsf.SeverityMedium}, mcpsf.GradeProved, "high", program.ExitOK},
		"at the gate":                {mcpsf.BandHigh, []mcpsf.Severity{mcpsf.SeverityHigh}, mcpsf.GradeProved, "high", program.ExitFindings},
		"together above the gate":    {mcpsf.BandCritical, []mcpsf.Severity{mcpsf.SeverityHigh, mcpsf.SeverityHigh}, mcpsf.GradeProved, "critical", program.ExitFindings},
		"never":                      {mcpsf.BandCritical, []mcpsf.Severity{mcpsf.SeverityCritical}, mcpsf.GradeProved, "never", program.ExitOK},
		"suspected at the gate":      {mcpsf.BandPass, []mcpsf.Severity{mcpsf.SeverityLow}, mcpsf.GradeSuspected, "low", program.ExitOK},
		"suspected above the gate":   {mcpsf.BandMedium, []mcpsf.Severity{mcpsf.SeverityHigh}, mcpsf.GradeSuspected, "medium", program.ExitFindings},
		"inconclusive":               {mcpsf.BandInconclusive, nil, mcpsf.GradeProved, "low", program.ExitInconclusive},
		"inconclusive with findings": {mcpsf.BandInconclusive, []mcpsf.Severity{mcpsf.SeverityMedium}, mcpsf.GradeProved, "medium", program.ExitFindings},
		"inconclusive, never":        {mcpsf.BandInconclusive, nil, mcpsf.GradeProved, "never", program.ExitInconclusive},
	} {
		t.Run(name, func(t *testing.T) {
			r := &mcpsf.Report{Verdict: mcpsf.Verdict{Band: c.band}}
			for _, s := range c.severities {
				r.Findings = append(r.Findings, mcpsf.Finding{Severity: s, Grade: c.grade})
			}
			got := program.ExitOK
			if o, ok := errors.AsType[*program.Outcome](Gate(r, c.failOn)); ok {
				got = o.Code
			}
			if got != c.want {
				t.Errorf("exit code %d, want %d", got, c.want)
			}
		})
	}
}
