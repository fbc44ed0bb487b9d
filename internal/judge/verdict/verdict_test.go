package verdict

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mcpsf/mcpsf"
)

func finding(s mcpsf.Severity, g mcpsf.Grade, weight int) mcpsf.Finding {
	return mcpsf.Finding{ID: "rule", Category: mcpsf.CategoryBehaviour, Severity: s, Grade: g, Weight: weight}
}

// whole returns the coverage and session of a complete run.
func whole() (mcpsf.Coverage, mcpsf.Session) {
	return mcpsf.Coverage{
			Phases:   []mcpsf.Phase{mcpsf.PhaseStart, mcpsf.PhaseDrive, mcpsf.PhaseStop},
			Monitors: []mcpsf.MonitorStatus{{Name: "kernel", Alive: true}, {Name: "mcp", Alive: true}},
			Events:   mcpsf.EventTotals{Produced: 900, Received: 900, Complete: true},
			Limits:   []mcpsf.LimitStatus{{Name: mcpsf.LimitWall}, {Name: mcpsf.LimitMemory}},
			Calls:    mcpsf.CallTotals{Tools: 2, Reached: 2, OK: 4, Refused: 1},
			Attacks:  &mcpsf.AttackTotals{Planned: 100, Made: 100}, Texts: 5,
		}, mcpsf.Session{
			Initialized: true, Closed: "orderly",
			Calls: []mcpsf.Call{
				{Method: "initialize", Status: mcpsf.CallOK},
				{Method: "tools/call", Tool: "a", Status: mcpsf.CallOK},
				{Method: "tools/call", Tool: "b", Status: mcpsf.CallTimeout},
				{Method: "tools/call", Tool: "b", Status: mcpsf.CallOK},
			},
		}
}

// failing returns calls of both tools that end like that.
func failing(status mcpsf.CallStatus) []mcpsf.Call {
	return []mcpsf.Call{{Method: "tools/call", Tool: "a", Status: status}, {Method: "tools/call", Tool: "b", Status: status}}
}

func TestScoreAndBand(t *testing.T) {
	const (
		info, low, medium      = mcpsf.SeverityInfo, mcpsf.SeverityLow, mcpsf.SeverityMedium
		high, critical         = mcpsf.SeverityHigh, mcpsf.SeverityCritical
		proved, tried, suspect = mcpsf.GradeProved, mcpsf.GradeAttempted, mcpsf.GradeSuspected
	)
	repeat := func(n int, f mcpsf.Finding) (all []mcpsf.Finding) {
		for i := range n {
			f.ID = fmt.Sprint("rule", i)
			all = append(all, f)
		}
		return all
	}
	again := func(n int, f mcpsf.Finding) []mcpsf.Finding { return slices.Repeat([]mcpsf.Finding{f}, n) }
	tools := func(n int, f mcpsf.Finding) []mcpsf.Finding {
		all := again(n, f)
		for i := range all {
			all[i].Tool = fmt.Sprint("tool", i)
		}
		return all
	}
	other := finding(medium, proved, 15)
	other.ID = "other"
	tests := []struct {
		name     string
		findings []mcpsf.Finding
		score    int
		band     mcpsf.Band
		action   string
	}{
		{"nothing", nil, 0, mcpsf.BandPass, "deploy"},
		{"info never raises", repeat(9, finding(info, proved, 100)), 0, mcpsf.BandPass, "deploy"},
		{"proved low", repeat(1, finding(low, proved, 5)), 20, mcpsf.BandLow, "deploy with monitoring"},
		{"proved medium", repeat(1, finding(medium, proved, 15)), 40, mcpsf.BandMedium, "block it until its behaviour is explained"},
		{"proved high", repeat(1, finding(high, proved, 30)), 60, mcpsf.BandHigh, "block it"},
		{"proved critical", repeat(1, finding(critical, proved, 40)), 80, mcpsf.BandCritical, "do not deploy"},
		{"attempted high", repeat(1, finding(high, tried, 30)), 60, mcpsf.BandHigh, "block it"},
		{"suspected low", repeat(1, finding(low, suspect, 5)), 5, mcpsf.BandPass, "deploy"},
		{"suspected medium", repeat(1, finding(medium, suspect, 10)), 20, mcpsf.BandLow, "deploy with monitoring"},
		{"suspected high", repeat(1, finding(high, suspect, 10)), 40, mcpsf.BandMedium, "block it until its behaviour is explained"},
		{"suspected critical", repeat(1, finding(critical, suspect, 10)), 60, mcpsf.BandHigh, "block it"},
		{"the sum is above the floor", repeat(3, finding(high, proved, 30)), 90, mcpsf.BandCritical, "do not deploy"},
		{"the sum is below the floor", repeat(3, finding(medium, proved, 10)), 40, mcpsf.BandMedium, "block it until its behaviour is explained"},
		{"never above 100", repeat(50, finding(high, proved, 100)), 100, mcpsf.BandCritical, "do not deploy"},
		{"a negative weight takes nothing away", []mcpsf.Finding{finding(low, proved, 5), finding(low, proved, -100)}, 20, mcpsf.BandLow, "deploy with monitoring"},
		{"many files by one tool count once", again(50, finding(high, proved, 30)), 60, mcpsf.BandHigh, "block it"},
		{"and the heaviest of them", append(again(3, finding(low, suspect, 5)), finding(low, suspect, 12), finding(low, suspect, 7)), 12, mcpsf.BandPass, "deploy"},
		{"another rule counts on its own", append(again(9, finding(high, proved, 30)), other, other, finding(critical, proved, 40)), 80, mcpsf.BandCritical, "do not deploy"},
		{"rules add up", append(repeat(2, finding(high, proved, 30)), other, other), 75, mcpsf.BandHigh, "block it"},
		{"the same in many tools counts once", tools(30, finding(low, proved, 5)), 20, mcpsf.BandLow, "deploy with monitoring"},
		{"just below a band", repeat(1, finding(low, suspect, 19)), 19, mcpsf.BandPass, "deploy"},
		{"just in the next", repeat(4, finding(low, suspect, 5)), 20, mcpsf.BandLow, "deploy with monitoring"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, s := whole()
			got := Judge(tt.findings, c, s)
			want := mcpsf.Verdict{
				Band: tt.band, Score: tt.score, Action: tt.action, Behaviour: mcpsf.Answer{Band: tt.band, Score: tt.score}, Weakness: mcpsf.Answer{Band: mcpsf.BandPass},
				Confidence: mcpsf.Confidence{Level: mcpsf.ConfidenceHigh, Tools: 2, ToolsWorked: 2, AttacksPlanned: 100, AttacksMade: 100, TextsRead: 5, Reasons: []string{}},
			}
			if tt.band != mcpsf.BandPass {
				want.Decides = mcpsf.CategoryBehaviour
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestInconclusive(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(*mcpsf.Coverage, *mcpsf.Session)
		want  []string
	}{
		{"lost events", func(c *mcpsf.Coverage, _ *mcpsf.Session) { c.Events.Lost, c.Events.Received = 3, 897 }, []string{"3 events were lost"}},
		{"more than there were", func(c *mcpsf.Coverage, _ *mcpsf.Session) { c.Events.Lost, c.Events.Received = -1, 901 }, []string{"900 events were produced but 901 arrived"}},
		{"cut in the middle", func(c *mcpsf.Coverage, _ *mcpsf.Session) { c.Events.Complete = false }, []string{"cut off"}},
		{"a dead monitor", func(c *mcpsf.Coverage, _ *mcpsf.Session) { c.Monitors[0].Alive = false }, []string{`the monitor "kernel" did not run`}},
		{"no monitors", func(c *mcpsf.Coverage, _ *mcpsf.Session) { c.Monitors = nil }, []string{"no monitor"}},
		{"no handshake", func(_ *mcpsf.Coverage, s *mcpsf.Session) { s.Initialized = false }, []string{"never answered initialize"}},
		{"nothing driven", func(c *mcpsf.Coverage, _ *mcpsf.Session) { c.Phases = c.Phases[:1] }, []string{"before anything was called"}},
		{"time is up", func(c *mcpsf.Coverage, _ *mcpsf.Session) { c.Limits[0].Hit = true }, []string{"the time limit ended the run"}},
		{"tools left out", func(c *mcpsf.Coverage, _ *mcpsf.Session) { c.Calls.Reached = 1 }, []string{"only 1 of 2 tools were called"}},
		{"no tools reached", func(c *mcpsf.Coverage, _ *mcpsf.Session) { c.Calls.Reached = 0 }, []string{"only 0 of 2 tools were called"}},
		{"no answers", func(_ *mcpsf.Coverage, s *mcpsf.Session) { s.Calls = failing(mcpsf.CallCrashed) }, []string{"no tool call was answered"}},
		{"nothing but refusals", func(_ *mcpsf.Coverage, s *mcpsf.Session) { s.Calls = failing(mcpsf.CallRefused) }, []string{"every tool rejected its inputs"}},
		{"nothing offered", func(c *mcpsf.Coverage, _ *mcpsf.Session) { c.Calls = mcpsf.CallTotals{OK: 2} }, []string{"listed no tools, resources or prompts"}},
		{"nothing at all", func(c *mcpsf.Coverage, s *mcpsf.Session) { *c, *s = mcpsf.Coverage{}, mcpsf.Session{} }, []string{"cut off", "no monitor", "never answered initialize"}},
		{"another limit is a finding and no reason", func(c *mcpsf.Coverage, _ *mcpsf.Session) { c.Limits[1].Hit = true }, nil},
		{"resources alone are something", func(c *mcpsf.Coverage, _ *mcpsf.Session) { c.Calls = mcpsf.CallTotals{Resources: 1, OK: 2} }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, s := whole()
			tt.spoil(&c, &s)
			for _, g := range []struct {
				findings   []mcpsf.Finding
				score      int
				whole, cut mcpsf.Band
			}{
				{nil, 0, mcpsf.BandPass, mcpsf.BandInconclusive},
				{[]mcpsf.Finding{finding(mcpsf.SeverityLow, mcpsf.GradeProved, 5)}, 20, mcpsf.BandLow, mcpsf.BandInconclusive},
				{[]mcpsf.Finding{finding(mcpsf.SeverityMedium, mcpsf.GradeProved, 5)}, 40, mcpsf.BandMedium, mcpsf.BandMedium},
				{[]mcpsf.Finding{finding(mcpsf.SeverityHigh, mcpsf.GradeProved, 5)}, 60, mcpsf.BandHigh, mcpsf.BandHigh},
			} {
				got := Judge(g.findings, c, s)
				want := g.whole
				if tt.want != nil {
					want = g.cut
				}
				if got.Band != want || got.Score != g.score || got.Action == "" {
					t.Errorf("%s %d %q, want %s %d", got.Band, got.Score, got.Action, want, g.score)
				}
				checkReasons(t, got.Reasons, tt.want)
			}
		})
	}
}

// What was rejected limits the verdict and does not change its band.
func TestMostToolsRefused(t *testing.T) {
	tests := []struct {
		name    string
		ok, ref int
		want    []string
	}{
		{"two of three", 1, 2, []string{"2 of 3 tool calls were rejected"}},
		{"all but one", 1, 40, []string{"40 of 41 tool calls were rejected"}},
		{"half", 2, 2, nil},
		{"none", 3, 0, nil},
	}
	for _, tt := range tests {
		c, s := whole()
		s.Calls = s.Calls[:1]
		call := mcpsf.Call{Method: "tools/call", Tool: "a", Status: mcpsf.CallOK}
		s.Calls = append(s.Calls, slices.Repeat([]mcpsf.Call{call}, tt.ok)...)
		call.Status = mcpsf.CallRefused
		s.Calls = append(s.Calls, slices.Repeat([]mcpsf.Call{call}, tt.ref)...)
		c.Calls = mcpsf.CallTotals{Tools: 1, Reached: 1}
		got := Judge(nil, c, s)
		if got.Band != mcpsf.BandPass || got.Limited() != (tt.want != nil) {
			t.Errorf("%s: %s with confidence %s", tt.name, got.Band, got.Confidence.Level)
		}
		checkReasons(t, got.Reasons, tt.want)
	}
}

func checkReasons(t *testing.T, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("reasons %q, want %q", got, want)
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("reason %q, want %q", got[i], want[i])
		}
	}
}

// A package that was only read can pass, but not if advisories could not be
// looked up.
func TestOnlyRead(t *testing.T) {
	read := mcpsf.MonitorStatus{Name: "source", Alive: true}
	known := mcpsf.MonitorStatus{Name: "advisories", Alive: true}
	unknown := mcpsf.MonitorStatus{Name: "advisories", Note: "there is no database"}
	grave := []mcpsf.Finding{{ID: "x", Category: mcpsf.CategoryBehaviour, Severity: mcpsf.SeverityCritical, Grade: mcpsf.GradeProved, Weight: 80}}
	for name, tt := range map[string]struct {
		findings []mcpsf.Finding
		monitors []mcpsf.MonitorStatus
		want     mcpsf.Band
		reasons  int
	}{
		"nothing found":           {nil, []mcpsf.MonitorStatus{read, known}, mcpsf.BandPass, 1},
		"nothing looked up":       {nil, []mcpsf.MonitorStatus{read, unknown}, mcpsf.BandInconclusive, 2},
		"found all the same":      {grave, []mcpsf.MonitorStatus{read, unknown}, mcpsf.BandCritical, 2},
		"found and all looked up": {grave, []mcpsf.MonitorStatus{read, known}, mcpsf.BandCritical, 1},
	} {
		t.Run(name, func(t *testing.T) {
			got := Judge(tt.findings, mcpsf.Coverage{Static: true, Monitors: tt.monitors}, mcpsf.Session{})
			if got.Band != tt.want || len(got.Reasons) != tt.reasons {
				t.Errorf("got %s with %q, want %s with %d reasons", got.Band, got.Reasons, tt.want, tt.reasons)
			}
		})
	}
}

// What may have become of one secret is one suspicion, however many rules say so; what
// was proved counts beside it.
func TestSuspicionsOfOneCause(t *testing.T) {
	of := func(id string, g mcpsf.Grade, evidence ...int64) mcpsf.Finding {
		return mcpsf.Finding{ID: id, Category: mcpsf.CategoryBehaviour, Severity: mcpsf.SeverityMedium, Grade: g, Weight: 40, Evidence: evidence}
	}
	const suspect, proved = mcpsf.GradeSuspected, mcpsf.GradeProved
	for _, tt := range []struct {
		name     string
		findings []mcpsf.Finding
		score    int
	}{
		{"the same read", []mcpsf.Finding{of("sent", suspect, 7, 9), of("returned", suspect, 7, 12), of("sent", suspect, 7, 20)}, 40},
		{"two reads", []mcpsf.Finding{of("sent", suspect, 7, 9), of("returned", suspect, 8, 12)}, 80},
		{"one is proved", []mcpsf.Finding{of("sent", suspect, 7, 9), of("returned", proved, 7, 12)}, 80},
		{"no evidence", []mcpsf.Finding{of("sent", suspect), of("returned", suspect)}, 80},
	} {
		c, s := whole()
		if v := Judge(tt.findings, c, s); v.Score != tt.score {
			t.Errorf("%s: %d, want %d", tt.name, v.Score, tt.score)
		}
	}
}
