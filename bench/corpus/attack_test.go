package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// Every class has a pair in both languages.
func TestPairsOfEveryClass(t *testing.T) {
	list, err := load(corpusDir)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	pairs := 0
	for _, e := range list {
		if e.Vulnerable {
			pairs++
			have[e.Expect.Attacks[0].Class+" "+e.Server] = true
		}
	}
	if pairs < 44 {
		t.Errorf("%d pairs", pairs)
	}
	for _, class := range classes() {
		for _, server := range []string{"server.py", "server.mjs"} {
			if !have[class+" "+server] {
				t.Errorf("no pair of %s has a %s", class, server)
			}
		}
	}
}

func TestCheckPairs(t *testing.T) {
	good := func() *example {
		return &example{
			Name: "vuln-x", Server: "server.py", Title: "T", Package: "p", Vulnerable: true, Class: "ssrf", Twin: "fixed-x", Try: trial{Tool: "find"},
			Expect: expected{Severity: mcpsf.SeverityHigh, Attacks: []attack{{Class: "ssrf", Tool: "find", Place: "/url", Grade: mcpsf.GradeProved}}},
		}
	}
	for _, tt := range []struct {
		name   string
		change func(*example)
		want   string
	}{
		{"as it should be", func(*example) {}, ""},
		{"not called vulnerable", func(e *example) { e.Name = "ok-x" }, "vuln-"},
		{"only called vulnerable", func(e *example) { e.Vulnerable, e.Expect.Severity = false, mcpsf.SeverityLow }, "vuln-"},
		{"malicious, too", func(e *example) { e.Malicious = true }, "vuln-"},
		{"no attack", func(e *example) { e.Expect.Attacks = nil }, "no attack"},
		{"somebody else's twin", func(e *example) { e.Twin = "fixed-y" }, "its twin"},
		{"nothing to try", func(e *example) { e.Try.Tool = "" }, "to try"},
		{"a class nobody knows", func(e *example) { e.Expect.Attacks[0].Class = "magic" }, "magic"},
		{"of another class than its attack", func(e *example) { e.Class = "redos" }, "redos"},
		{"no tool", func(e *example) { e.Expect.Attacks[0].Tool = "" }, "a tool"},
		{"a place that is no pointer", func(e *example) { e.Expect.Attacks[0].Place = "url" }, "pointer"},
		{"a grade nobody knows", func(e *example) { e.Expect.Attacks[0].Grade = "sure" }, "sure"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := good()
			tt.change(e)
			err := e.check()
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func TestMarry(t *testing.T) {
	vuln := &example{
		Name: "vuln-x", Server: "server.py", Package: "p", Vulnerable: true, Twin: "fixed-x", Try: trial{Tool: "find"},
		Expect: expected{Attacks: []attack{{Class: "ssrf", Tool: "find"}}},
	}
	fixed := &example{Name: "fixed-x", Server: "server.py", Package: "p"}
	if err := marry([]*example{fixed, vuln, {Name: "ok-y"}}); err != nil {
		t.Error(err)
	}
	if len(fixed.refutes) != 1 || fixed.Try.Tool != "find" {
		t.Errorf("the twin refutes %v and tries %v", fixed.refutes, fixed.Try)
	}
	for name, list := range map[string][]*example{
		"alone":            {{Name: "fixed-x"}},
		"another language": {{Name: "fixed-x", Server: "server.mjs", Package: "p"}, vuln},
		"another name":     {{Name: "fixed-x", Server: "server.py", Package: "q"}, vuln},
		"other arguments":  {{Name: "fixed-x", Server: "server.py", Package: "p", Args: []string{"/"}}, vuln},
	} {
		if marry(list) == nil {
			t.Errorf("%s: passes", name)
		}
	}
}

// breach is a run with a successful attack.
func breach() (*mcpsf.Report, []mcpsf.Event) {
	r := &mcpsf.Report{Findings: []mcpsf.Finding{
		{ID: "note", Severity: mcpsf.SeverityInfo, Evidence: []int64{1}},
		{ID: "injection", Severity: mcpsf.SeverityHigh, Grade: mcpsf.GradeProved, Evidence: []int64{1, 4}},
	}}
	r.Session = mcpsf.Session{Initialized: true, Closed: "orderly", Calls: []mcpsf.Call{
		{ID: "c3", Method: "tools/call", Tool: "find", Status: mcpsf.CallOK},
		{ID: "c4", Method: "tools/call", Tool: "find", Status: mcpsf.CallRefused},
	}}
	r.Coverage.Events.Complete = true
	attack := &mcpsf.AttackDetail{Class: "command-injection", Place: "/name", Sign: mcpsf.SignExec, Marker: "m"}
	return r, []mcpsf.Event{
		{Seq: 1, Kind: mcpsf.KindMCPRequest, Call: "c3", MCP: &mcpsf.MCPDetail{Tool: "find"}},
		{Seq: 2, Kind: mcpsf.KindProcessExec, Call: "c3"},
		{Seq: 3, Kind: mcpsf.KindMCPRequest, Call: "c4", MCP: &mcpsf.MCPDetail{Tool: "find", Attack: attack}},
		{Seq: 4, Kind: mcpsf.KindProcessExec, Call: "c4"},
	}
}

func TestJudgeVulnerable(t *testing.T) {
	want := attack{Class: "command-injection", Tool: "find", Place: "/name", Grade: mcpsf.GradeProved}
	for _, tt := range []struct {
		name  string
		want  attack
		spoil func(*mcpsf.Report, []mcpsf.Event)
		is    outcome
	}{
		{"as expected", want, nil, proved},
		{"wherever", attack{Class: "command-injection", Tool: "find"}, nil, proved},
		{"a class that others provoke, too", attack{Class: "secret-in-error", Tool: "find", Place: "/name"}, nil, proved},
		{"another class", attack{Class: "ssrf", Tool: "find"}, nil, missed},
		{"another tool", attack{Class: "command-injection", Tool: "add"}, nil, missed},
		{"another place", attack{Class: "command-injection", Tool: "find", Place: "/dir"}, nil, missed},
		{"not sure enough", want, func(r *mcpsf.Report, _ []mcpsf.Event) { r.Findings[1].Grade = mcpsf.GradeAttempted }, unjudged},
		{"sure enough", attack{Class: "command-injection", Tool: "find", Grade: mcpsf.GradeAttempted}, nil, proved},
		{"judged too mildly", want, func(r *mcpsf.Report, _ []mcpsf.Event) { r.Findings[1].Severity = mcpsf.SeverityMedium }, unjudged},
		{"evidence from another call", want, func(r *mcpsf.Report, _ []mcpsf.Event) { r.Findings[1].Evidence = []int64{1, 2} }, missed},
		{"no attack was made", want, func(_ *mcpsf.Report, events []mcpsf.Event) { events[2].MCP.Attack = nil }, missed},
		{"the server ended by it", want, func(r *mcpsf.Report, _ []mcpsf.Event) { r.Session.Closed = "crashed" }, proved},
		{"never started", want, func(r *mcpsf.Report, _ []mcpsf.Event) { r.Session.Initialized = false }, broken},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, events := breach()
			if tt.spoil != nil {
				tt.spoil(r, events)
			}
			e := &example{Name: "vuln-x", Vulnerable: true, Expect: expected{Severity: mcpsf.SeverityHigh, Attacks: []attack{tt.want}}}
			if got := judge(e, r, events); got.outcome != tt.is {
				t.Errorf("%s %q, want %s", got.outcome, got.reasons, tt.is)
			}
		})
	}
}

func TestJudgeFixed(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(*mcpsf.Report, []mcpsf.Event)
		is    outcome
	}{
		{"refuses attacks and nothing else", func(r *mcpsf.Report, _ []mcpsf.Event) { r.Findings = r.Findings[:1] }, quiet},
		{"found vulnerable", func(*mcpsf.Report, []mcpsf.Event) {}, falseAlarm},
		{"mildly accused of what was fixed", func(r *mcpsf.Report, _ []mcpsf.Event) {
			r.Findings[1].ID, r.Findings[1].Severity = "os-command-injection", mcpsf.SeverityLow
		}, falseAlarm},
		{"something else is seen in an attack", func(r *mcpsf.Report, _ []mcpsf.Event) {
			r.Findings[1].ID, r.Findings[1].Severity = "home-folder-created", mcpsf.SeverityLow
		}, quiet},
		{"mildly accused of something else", func(r *mcpsf.Report, _ []mcpsf.Event) {
			r.Findings[1].Severity, r.Findings[1].Evidence = mcpsf.SeverityLow, []int64{2}
		}, quiet},
		{"refuses everything", func(r *mcpsf.Report, _ []mcpsf.Event) {
			r.Findings, r.Session.Calls[0].Status = nil, mcpsf.CallRefused
		}, broken},
		{"ended", func(r *mcpsf.Report, _ []mcpsf.Event) { r.Findings, r.Session.Closed = nil, "crashed" }, broken},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, events := breach()
			tt.spoil(r, events)
			e := &example{Name: "fixed-x", Expect: expected{Severity: mcpsf.SeverityLow}, refutes: []attack{{Class: "command-injection", Tool: "find"}}}
			if got := judge(e, r, events); got.outcome != tt.is {
				t.Errorf("%s %q, want %s", got.outcome, got.reasons, tt.is)
			}
		})
	}
}

func TestTallies(t *testing.T) {
	vuln := func(name, class string, o outcome) *result {
		x := expected{Attacks: []attack{{Class: class}}}
		return &result{example: &example{Name: "vuln-" + name, Vulnerable: true, Twin: "fixed-" + name, Expect: x}, outcome: o}
	}
	fixed := func(name string, o outcome) *result {
		return &result{example: &example{Name: "fixed-" + name}, outcome: o}
	}
	results := []*result{
		fixed("a", quiet), fixed("b", falseAlarm), fixed("c", quiet), fixed("d", quiet),
		vuln("a", "ssrf", proved), vuln("b", "ssrf", proved), vuln("c", "ssrf", missed), vuln("d", "xxe", proved), vuln("alone", "xxe", proved),
	}
	by := tallies(results)
	if by["ssrf"] != (tally{3, 2, 2, 1}) || by["xxe"] != (tally{1, 1, 1, 1}) || len(by) != 2 {
		t.Errorf("%+v", by)
	}
	if by := tallies(results, "server.py"); len(by) != 0 {
		t.Errorf("none is in Python, but %+v", by)
	}
	var out bytes.Buffer
	pairs(&out, results)
	last := strings.Fields(out.String()[strings.LastIndex(out.String(), "all"):])
	if !slices.Equal(last, []string{"all", "4", "3", "3", "2"}) {
		t.Errorf("%q", last)
	}
	out.Reset()
	if pairs(&out, []*result{fixed("a", quiet)}); out.Len() > 0 {
		t.Errorf("no pair, but %q", out.String())
	}
}
