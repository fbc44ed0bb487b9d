package verdict

import (
	"fmt"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/gap"
)

func weakness(id string, s mcpsf.Severity, weight int) mcpsf.Finding {
	return mcpsf.Finding{ID: id, Category: mcpsf.CategoryWeakness, Severity: s, Grade: mcpsf.GradeProved, Weight: weight}
}

func attack(s mcpsf.Severity, weight int) mcpsf.Finding { return finding(s, mcpsf.GradeProved, weight) }

// The worse of both answers decides, and says what to do.
func TestTwoQuestions(t *testing.T) {
	const medium, high, critical = mcpsf.SeverityMedium, mcpsf.SeverityHigh, mcpsf.SeverityCritical
	var many []mcpsf.Finding
	for i := range 20 {
		many = append(many, weakness(fmt.Sprint("w", i), high, 30))
	}
	option := weakness("argument-injection-option", medium, 15)
	for _, tt := range []struct {
		name                string
		findings            []mcpsf.Finding
		band                mcpsf.Band
		score               int
		behaviour, weakness int
		decides             mcpsf.Category
		action              string
	}{
		{"a weakness alone", []mcpsf.Finding{weakness("w", high, 30)}, mcpsf.BandHigh, 60, 0, 60, mcpsf.CategoryWeakness, "restrict it to trusted input, and tell the author"},
		{"an attack alone", []mcpsf.Finding{attack(high, 30)}, mcpsf.BandHigh, 60, 60, 0, mcpsf.CategoryBehaviour, "block it"},
		{"many weaknesses are no attack", many, mcpsf.BandHigh, 79, 0, 79, mcpsf.CategoryWeakness, "restrict it to trusted input, and tell the author"},
		{"an option that is passed on, in many arguments", []mcpsf.Finding{option, option, option, option}, mcpsf.BandMedium, 40, 0, 40, mcpsf.CategoryWeakness, "restrict what it can reach, and tell the author"},
		{"the worse decides", []mcpsf.Finding{attack(medium, 15), weakness("w", critical, 60)}, mcpsf.BandCritical, 80, 40, 80, mcpsf.CategoryWeakness, "isolate it: nobody untrusted may reach it; tell the author"},
		{"and they do not add up", []mcpsf.Finding{attack(medium, 39), weakness("w", medium, 39)}, mcpsf.BandMedium, 40, 40, 40, mcpsf.CategoryBehaviour, "block it until its behaviour is explained"},
		{"between equals the attack decides", []mcpsf.Finding{attack(high, 10), weakness("w", high, 70)}, mcpsf.BandHigh, 70, 60, 70, mcpsf.CategoryBehaviour, "block it"},
		{"no category is an attack", []mcpsf.Finding{{ID: "x", Severity: high, Grade: mcpsf.GradeProved}}, mcpsf.BandHigh, 60, 60, 0, mcpsf.CategoryBehaviour, "block it"},
	} {
		c, s := whole()
		v := Judge(tt.findings, c, s)
		if v.Band != tt.band || v.Score != tt.score || v.Behaviour.Score != tt.behaviour || v.Weakness.Score != tt.weakness || v.Decides != tt.decides || v.Action != tt.action {
			t.Errorf("%s: %+v", tt.name, v)
		}
	}
}

func TestConfidence(t *testing.T) {
	ten := func(worked int, otherwise mcpsf.CallStatus) func(*mcpsf.Coverage, *mcpsf.Session) {
		return func(c *mcpsf.Coverage, s *mcpsf.Session) {
			c.Calls, s.Calls = mcpsf.CallTotals{Tools: 10, Reached: 10}, nil
			for i := range 10 {
				call := mcpsf.Call{Method: "tools/call", Tool: fmt.Sprint("t", i), Status: otherwise}
				if i < worked {
					call.Status = mcpsf.CallOK
				}
				s.Calls = append(s.Calls, call)
			}
		}
	}
	with := func(g mcpsf.Gap) func(*mcpsf.Coverage, *mcpsf.Session) {
		return func(c *mcpsf.Coverage, _ *mcpsf.Session) { c.Gaps = append(c.Gaps, g) }
	}
	attacks := func(planned, made int) func(*mcpsf.Coverage, *mcpsf.Session) {
		return func(c *mcpsf.Coverage, _ *mcpsf.Session) {
			c.Attacks = &mcpsf.AttackTotals{Planned: planned, Made: made}
		}
	}
	doubtful := func(c *mcpsf.Coverage, s *mcpsf.Session) {
		ten(10, "")(c, s)
		s.Calls[3].Doubtful = true
		s.Calls = append(s.Calls, s.Calls[4])
		s.Calls[4].Doubtful = true // another call of this tool worked
	}
	for _, tt := range []struct {
		name  string
		spoil func(*mcpsf.Coverage, *mcpsf.Session)
		level mcpsf.ConfidenceLevel
		band  mcpsf.Band
		why   []string
	}{
		{"all worked", ten(10, mcpsf.CallOK), mcpsf.ConfidenceHigh, mcpsf.BandPass, nil},
		{"all worked", ten(10, mcpsf.CallRefused), mcpsf.ConfidenceHigh, mcpsf.BandPass, nil},
		{"one did not work", ten(9, mcpsf.CallRefused), mcpsf.ConfidenceMedium, mcpsf.BandPass, []string{"only 9 of 10 tools worked"}},
		{"one never answered", ten(9, mcpsf.CallTimeout), mcpsf.ConfidenceMedium, mcpsf.BandPass, []string{"only 9 of 10 tools worked", "1 tool never answered"}},
		{"one in doubt", doubtful, mcpsf.ConfidenceMedium, mcpsf.BandPass, []string{"1 tool gave only answers that may be refusals"}},
		{"none worked", ten(0, mcpsf.CallRefused), mcpsf.ConfidenceLow, mcpsf.BandInconclusive, []string{"every tool rejected"}},
		{"a few attacks left out", attacks(1000, 950), mcpsf.ConfidenceHigh, mcpsf.BandPass, nil},
		{"many attacks left out", attacks(1000, 850), mcpsf.ConfidenceMedium, mcpsf.BandPass, []string{"only 850 of 1000 attacks"}},
		{"nothing to attack", attacks(0, 0), mcpsf.ConfidenceHigh, mcpsf.BandPass, nil},
		{"no attacks", func(c *mcpsf.Coverage, _ *mcpsf.Session) { c.Attacks = nil }, mcpsf.ConfidenceMedium, mcpsf.BandPass, []string{"no attacks were made"}},
		{"a gap of every run", with(gap.New(gap.FakeHosts, 0, 0)), mcpsf.ConfidenceHigh, mcpsf.BandPass, nil},
		{"a gap that hides", with(gap.New(gap.ListEntries, 10, 3)), mcpsf.ConfidenceLow, mcpsf.BandInconclusive, []string{"not covered: 3 entries of a list"}},
		{"code not run", with(gap.Detailed(gap.CodeNotRun, "its use of the network")), mcpsf.ConfidenceMedium, mcpsf.BandPass, []string{"not covered: its use of the network"}},
		{"noise", with(gap.New(gap.NotCompared, 0, 2)), mcpsf.ConfidenceMedium, mcpsf.BandPass, []string{"not covered: whether what 2 calls sent"}},
		{"calls not repeated", with(gap.New(gap.CallsNotRepeated, 10, 3)), mcpsf.ConfidenceMedium, mcpsf.BandPass, []string{"not covered: 3 of 10 repeated"}},
		{"remote", func(c *mcpsf.Coverage, _ *mcpsf.Session) { c.Remote = true }, mcpsf.ConfidenceLow, mcpsf.BandInconclusive, []string{"runs remotely"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, s := whole()
			tt.spoil(&c, &s)
			v := Judge(nil, c, s)
			if v.Confidence.Level != tt.level || v.Band != tt.band {
				t.Errorf("%s with confidence %s, want %s with %s", v.Band, v.Confidence.Level, tt.band, tt.level)
			}
			checkReasons(t, v.Confidence.Reasons, tt.why)
			checkReasons(t, v.Reasons, tt.why)
		})
	}
}

// An incomplete run keeps a band from MEDIUM on, and says nothing about the
// other question.
func TestIncompleteKeepsWhatWasFound(t *testing.T) {
	c, s := whole()
	s.Initialized = false
	v := Judge([]mcpsf.Finding{weakness("resource-limit-reached", mcpsf.SeverityMedium, 15)}, c, s)
	if v.Band != mcpsf.BandMedium || v.Behaviour.Band != mcpsf.BandInconclusive || v.Weakness.Band != mcpsf.BandMedium || !v.Incomplete() || len(v.Reasons) == 0 {
		t.Errorf("%+v", v)
	}
}
