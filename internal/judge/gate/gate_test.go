package gate

import (
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		failOn, confidence string
		behaviour, weak    string
		bad                bool
	}{
		{failOn: "low", behaviour: "low", weak: "low"},
		{failOn: "never", behaviour: "never", weak: "never"},
		{failOn: "malicious:medium,weak:critical", behaviour: "medium", weak: "critical"},
		{failOn: "weak:high,malicious:low", behaviour: "low", weak: "high"},
		{failOn: "malicious:medium", behaviour: "medium", weak: "never"},
		{failOn: "weak:never", behaviour: "never", weak: "never"},
		{failOn: "high", confidence: "high", behaviour: "high", weak: "high"},
		{failOn: "", bad: true},
		{failOn: "pass", bad: true},
		{failOn: "malicious:pass", bad: true},
		{failOn: "malicious", bad: true},
		{failOn: "malicious:", bad: true},
		{failOn: "behaviour:high", bad: true},
		{failOn: "weak:high,weak:low", bad: true},
		{failOn: "weak:high,", bad: true},
		{failOn: "high,weak:low", bad: true},
		{failOn: "high", confidence: "some", bad: true},
	} {
		g, err := Parse(tt.failOn, tt.confidence)
		if (err != nil) != tt.bad {
			t.Errorf("%q, %q: %v", tt.failOn, tt.confidence, err)
		}
		if err != nil {
			continue
		}
		if got := levels()[g.behaviour]; got != tt.behaviour {
			t.Errorf("%q: malicious fails from %s", tt.failOn, got)
		}
		if got := levels()[g.weakness]; got != tt.weak {
			t.Errorf("%q: weak fails from %s", tt.failOn, got)
		}
	}
}

func TestFails(t *testing.T) {
	attack := mcpsf.Finding{Category: mcpsf.CategoryBehaviour, Severity: mcpsf.SeverityMedium, Grade: mcpsf.GradeProved}
	hole := mcpsf.Finding{Category: mcpsf.CategoryWeakness, Severity: mcpsf.SeverityHigh, Grade: mcpsf.GradeProved}
	sign := mcpsf.Finding{Category: mcpsf.CategoryBehaviour, Severity: mcpsf.SeverityMedium, Grade: mcpsf.GradeSuspected}
	for _, tt := range []struct {
		name    string
		failOn  string
		finding mcpsf.Finding
		want    bool
	}{
		{"below both", "high", attack, false},
		{"at both", "medium", attack, true},
		{"the other question", "malicious:high,weak:low", attack, false},
		{"its own question", "malicious:medium,weak:never", attack, true},
		{"a weakness is not malicious", "malicious:low", hole, false},
		{"a weakness at its gate", "malicious:low,weak:high", hole, true},
		{"a weakness below its gate", "weak:critical", hole, false},
		{"a suspicion counts one lower", "malicious:medium", sign, false},
		{"and fails there", "malicious:low", sign, true},
	} {
		g, err := Parse(tt.failOn, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Fails(&mcpsf.Report{Findings: []mcpsf.Finding{tt.finding}}); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// Findings that together reach a band fail like one of that severity.
func TestFailsTogether(t *testing.T) {
	v := mcpsf.Verdict{Behaviour: mcpsf.Answer{Band: mcpsf.BandCritical}, Weakness: mcpsf.Answer{Band: mcpsf.BandInconclusive}}
	for failOn, want := range map[string]bool{"critical": true, "never": false, "weak:low": false, "malicious:high": true} {
		g, err := Parse(failOn, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := g.FailsVerdict(&v); got != want {
			t.Errorf("%s: %v", failOn, got)
		}
	}
}

func TestUnsure(t *testing.T) {
	for _, tt := range []struct {
		level mcpsf.ConfidenceLevel
		least string
		want  bool
	}{
		{mcpsf.ConfidenceHigh, "high", false},
		{mcpsf.ConfidenceMedium, "high", true},
		{mcpsf.ConfidenceMedium, "medium", false},
		{mcpsf.ConfidenceMedium, "low", false},
		{mcpsf.ConfidenceLow, "low", true},
	} {
		g, err := Parse("high", tt.least)
		if err != nil {
			t.Fatal(err)
		}
		v := mcpsf.Verdict{Band: mcpsf.BandMedium, Confidence: mcpsf.Confidence{Level: tt.level}}
		if got := g.Unsure(&v); got != tt.want {
			t.Errorf("%s with --min-confidence %s: %v", tt.level, tt.least, got)
		}
	}
}

// A question without an answer does not pass, whatever the rest of a stored
// report says.
func TestNoAnswerIsUnsure(t *testing.T) {
	g, err := Parse("high", "")
	if err != nil {
		t.Fatal(err)
	}
	v := mcpsf.Verdict{
		Band: mcpsf.BandMedium, Confidence: mcpsf.Confidence{Level: mcpsf.ConfidenceHigh},
		Behaviour: mcpsf.Answer{Band: mcpsf.BandMedium}, Weakness: mcpsf.Answer{Band: mcpsf.BandInconclusive},
	}
	if !g.Unsure(&v) {
		t.Error("it passes")
	}
}
