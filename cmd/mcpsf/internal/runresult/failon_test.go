package runresult

import (
	"errors"
	"testing"

	"github.com/spf13/pflag"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
)

func TestDecide(t *testing.T) {
	const high, medium, low = mcpsf.ConfidenceHigh, mcpsf.ConfidenceMedium, mcpsf.ConfidenceLow
	attack, hole := mcpsf.CategoryBehaviour, mcpsf.CategoryWeakness
	for name, c := range map[string]struct {
		behaviour, weakness mcpsf.Band
		confidence          mcpsf.ConfidenceLevel
		severity            mcpsf.Severity
		category            mcpsf.Category
		flags               []string
		want                int
	}{
		"clean":                         {mcpsf.BandPass, mcpsf.BandPass, high, "", "", []string{"--fail-on=low"}, program.ExitOK},
		"note only":                     {mcpsf.BandPass, mcpsf.BandPass, high, mcpsf.SeverityInfo, attack, []string{"--fail-on=low"}, program.ExitOK},
		"below the gate":                {mcpsf.BandMedium, mcpsf.BandPass, high, mcpsf.SeverityMedium, attack, nil, program.ExitOK},
		"at the gate":                   {mcpsf.BandHigh, mcpsf.BandPass, high, mcpsf.SeverityHigh, attack, nil, program.ExitFindings},
		"together above the gate":       {mcpsf.BandCritical, mcpsf.BandPass, high, mcpsf.SeverityHigh, attack, []string{"--fail-on=critical"}, program.ExitFindings},
		"never":                         {mcpsf.BandCritical, mcpsf.BandPass, high, mcpsf.SeverityCritical, attack, []string{"--fail-on=never"}, program.ExitOK},
		"a weakness, malicious only":    {mcpsf.BandPass, mcpsf.BandHigh, high, mcpsf.SeverityHigh, hole, []string{"--fail-on=malicious:low"}, program.ExitOK},
		"a weakness at its own gate":    {mcpsf.BandPass, mcpsf.BandHigh, high, mcpsf.SeverityHigh, hole, []string{"--fail-on=malicious:low,weak:high"}, program.ExitFindings},
		"inconclusive":                  {mcpsf.BandInconclusive, mcpsf.BandInconclusive, low, "", "", []string{"--fail-on=low"}, program.ExitInconclusive},
		"inconclusive with findings":    {mcpsf.BandInconclusive, mcpsf.BandInconclusive, low, mcpsf.SeverityLow, attack, []string{"--fail-on=low"}, program.ExitFindings},
		"inconclusive, never":           {mcpsf.BandInconclusive, mcpsf.BandInconclusive, low, "", "", []string{"--fail-on=never"}, program.ExitInconclusive},
		"incomplete below the gate":     {mcpsf.BandInconclusive, mcpsf.BandMedium, low, mcpsf.SeverityMedium, hole, nil, program.ExitInconclusive},
		"incomplete at the gate":        {mcpsf.BandInconclusive, mcpsf.BandMedium, low, mcpsf.SeverityMedium, hole, []string{"--fail-on=medium"}, program.ExitFindings},
		"limited passes":                {mcpsf.BandPass, mcpsf.BandPass, medium, "", "", nil, program.ExitOK},
		"limited is not enough":         {mcpsf.BandPass, mcpsf.BandPass, medium, "", "", []string{"--min-confidence=high"}, program.ExitInconclusive},
		"limited is enough for medium":  {mcpsf.BandPass, mcpsf.BandPass, medium, "", "", []string{"--min-confidence=medium"}, program.ExitOK},
		"findings go before confidence": {mcpsf.BandHigh, mcpsf.BandPass, medium, mcpsf.SeverityHigh, attack, []string{"--min-confidence=high"}, program.ExitFindings},
	} {
		t.Run(name, func(t *testing.T) {
			r := &mcpsf.Report{Verdict: mcpsf.Verdict{
				Behaviour: mcpsf.Answer{Band: c.behaviour}, Weakness: mcpsf.Answer{Band: c.weakness}, Confidence: mcpsf.Confidence{Level: c.confidence},
			}}
			if c.severity != "" {
				r.Findings = []mcpsf.Finding{{Severity: c.severity, Grade: mcpsf.GradeProved, Category: c.category}}
			}
			got := program.ExitOK
			if o, ok := errors.AsType[*program.Outcome](failOn(t, c.flags...).Decide(r)); ok {
				got = o.Code
			}
			if got != c.want {
				t.Errorf("exit code %d, want %d", got, c.want)
			}
		})
	}
}

func failOn(t *testing.T, args ...string) *FailOn {
	t.Helper()
	var f FailOn
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.Register(flags, "high", "a finding")
	if err := errors.Join(flags.Parse(args), f.Check()); err != nil {
		t.Fatal(err)
	}
	return &f
}
