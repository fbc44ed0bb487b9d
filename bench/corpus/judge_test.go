package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// theft is a run in which a key was sent away in a call.
func theft(change func(*mcpsf.LeakDetail)) (*mcpsf.Report, []mcpsf.Event) {
	d := &mcpsf.LeakDetail{Kind: "ssh-key", Channel: "http", Destination: "c.example:443", Part: "body", Chain: []string{"base64", "xor(5a)"}}
	if change != nil {
		change(d)
	}
	r := &mcpsf.Report{Findings: []mcpsf.Finding{{ID: "note", Severity: mcpsf.SeverityInfo}, {ID: "secret-exfiltration", Severity: mcpsf.SeverityCritical}}}
	r.Session = mcpsf.Session{Initialized: true, Closed: "orderly", Calls: []mcpsf.Call{
		{ID: "c3", Method: "tools/call", Tool: "add", Status: mcpsf.CallOK},
	}}
	r.Coverage.Events.Complete = true
	return r, []mcpsf.Event{{Kind: mcpsf.KindCanaryLeak, Call: "c3", Phase: mcpsf.PhaseDrive, Leak: d}}
}

func TestJudgeMalicious(t *testing.T) {
	want := leak{Kind: "ssh-key", Channel: "http", To: "c.example", Part: "body", Chain: []string{"base64", "xor"}, Tool: "add"}
	for _, tt := range []struct {
		name   string
		change func(*mcpsf.LeakDetail)
		spoil  func(*mcpsf.Report)
		want   outcome
	}{
		{"as expected", nil, nil, proved},
		{"another secret", func(d *mcpsf.LeakDetail) { d.Kind = "npmrc" }, nil, missed},
		{"another way", func(d *mcpsf.LeakDetail) { d.Channel = "dns" }, nil, missed},
		{"another place", func(d *mcpsf.LeakDetail) { d.Destination = "d.example:443" }, nil, missed},
		{"another part", func(d *mcpsf.LeakDetail) { d.Part = "url" }, nil, missed},
		{"another order", func(d *mcpsf.LeakDetail) { d.Chain = []string{"xor(5a)", "base64"} }, nil, missed},
		{"one encoding more", func(d *mcpsf.LeakDetail) { d.Chain = []string{"gzip", "base64", "xor(5a)"} }, nil, proved},
		{"what the caller gave", func(d *mcpsf.LeakDetail) { d.Given = true }, nil, missed},
		{"another tool", nil, func(r *mcpsf.Report) { r.Session.Calls[0].Tool = "subtract" }, missed},
		{"judged too mildly", nil, func(r *mcpsf.Report) { r.Findings = r.Findings[:1] }, unjudged},
		{"caught for something else", nil, func(r *mcpsf.Report) { r.Findings[1].ID = "slow-tool" }, unjudged},
		{"no findings at all", nil, func(r *mcpsf.Report) { r.Findings = nil }, unjudged},
		{"never started", nil, func(r *mcpsf.Report) { r.Session.Initialized = false }, broken},
		{"events lost", nil, func(r *mcpsf.Report) { r.Coverage.Events.Lost = 1 }, broken},
		{"a tool that refuses, as thieves may", nil, func(r *mcpsf.Report) { r.Session.Calls[0].Status = mcpsf.CallRefused }, proved},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, events := theft(tt.change)
			if tt.spoil != nil {
				tt.spoil(r)
			}
			e := &example{Name: "x", Malicious: true, Expect: expected{Severity: mcpsf.SeverityCritical, Rules: []string{"gone", "exfiltration"}, Leaks: []leak{want}}}
			if got := judge(e, r, events); got.outcome != tt.want {
				t.Errorf("%s %q, want %s", got.outcome, got.reasons, tt.want)
			}
		})
	}
}

func TestJudgeSigns(t *testing.T) {
	r, events := theft(nil)
	for _, tt := range []struct {
		sign sign
		want outcome
	}{
		{sign{Kind: mcpsf.KindCanaryLeak, Has: []string{"ssh-key", "c.example"}, Tool: "add", Phase: mcpsf.PhaseDrive}, proved},
		{sign{Kind: mcpsf.KindNetHTTP, Has: []string{"ssh-key"}}, missed},
		{sign{Kind: mcpsf.KindCanaryLeak, Has: []string{"ssh-key", "d.example"}}, missed},
		{sign{Kind: mcpsf.KindCanaryLeak, Has: []string{"ssh-key"}, Tool: "subtract"}, missed},
		{sign{Kind: mcpsf.KindCanaryLeak, Has: []string{"ssh-key"}, Phase: mcpsf.PhaseIdle}, missed},
	} {
		e := &example{Name: "x", Malicious: true, Expect: expected{Severity: mcpsf.SeverityHigh, Rules: []string{"exfiltration"}, Events: []sign{tt.sign}}}
		if got := judge(e, r, events); got.outcome != tt.want {
			t.Errorf("%+v: %s, want %s", tt.sign, got.outcome, tt.want)
		}
	}
}

func TestJudgeHonest(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(*mcpsf.Report)
		want  outcome
	}{
		{"a note", func(r *mcpsf.Report) { r.Findings = r.Findings[:1] }, quiet},
		{"nothing", func(r *mcpsf.Report) { r.Findings = nil }, quiet},
		{"an alarm", func(*mcpsf.Report) {}, falseAlarm},
		{"a tool that did not work", func(r *mcpsf.Report) { r.Findings, r.Session.Calls[0].Status = nil, mcpsf.CallRefused }, broken},
		{"a tool that worked only once", func(r *mcpsf.Report) {
			r.Findings = nil
			r.Session.Calls = append(r.Session.Calls, mcpsf.Call{ID: "c4", Method: "tools/call", Tool: "add", Status: mcpsf.CallRefused})
		}, quiet},
		{"a tool that hung once", func(r *mcpsf.Report) {
			r.Findings = nil
			r.Session.Calls = append(r.Session.Calls, mcpsf.Call{ID: "c4", Method: "tools/call", Tool: "add", Status: mcpsf.CallTimeout})
		}, broken},
		{"a tool that stopped when it was told to", func(r *mcpsf.Report) {
			r.Findings = nil
			r.Session.Calls = append(r.Session.Calls, mcpsf.Call{ID: "c4", Method: "tools/call", Tool: "add", Status: mcpsf.CallTimeout, Note: calledOff})
		}, quiet},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, events := theft(nil)
			tt.spoil(r)
			got := judge(&example{Name: "ok-x", Expect: expected{Severity: mcpsf.SeverityLow}}, r, events)
			if got.outcome != tt.want {
				t.Errorf("%s %q, want %s", got.outcome, got.reasons, tt.want)
			}
		})
	}
}

// A secret that was never opened cannot have leaked.
func TestJudgeStrays(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*mcpsf.LeakDetail)
		opened string
		want   outcome
	}{
		{"opened", func(d *mcpsf.LeakDetail) { d.ID, d.Source = "ssh-1", mcpsf.Home+"/.ssh/id_rsa" }, "ssh-1", proved},
		{"another was opened", func(d *mcpsf.LeakDetail) { d.ID, d.Source = "ssh-1", mcpsf.Home+"/.ssh/id_rsa" }, "aws-1", mistaken},
		{"a variable", func(d *mcpsf.LeakDetail) { d.ID, d.Source = "var-1", "variable X" }, "", proved},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, events := theft(tt.change)
			events = append(events, mcpsf.Event{Kind: mcpsf.KindCanaryRead, Canary: &mcpsf.CanaryDetail{ID: tt.opened}})
			e := &example{Name: "x", Malicious: true, Expect: expected{
				Severity: mcpsf.SeverityHigh, Rules: []string{"exfiltration"}, Leaks: []leak{{Kind: "ssh-key", Channel: "http"}},
			}}
			if got := judge(e, r, events); got.outcome != tt.want {
				t.Errorf("%s %q, want %s", got.outcome, got.reasons, tt.want)
			}
		})
	}
}

func TestTable(t *testing.T) {
	var out bytes.Buffer
	row(&out, &result{example: &example{Name: "x"}, outcome: missed, reasons: []string{"no leak \x1b[31m" + strings.Repeat("a", 1000)}})
	if text := out.String(); strings.ContainsRune(text, 0x1b) || len(text) > 600 || !strings.Contains(text, "MISSED") {
		t.Errorf("%q", text)
	}
	came := func(list ...outcome) (results []*result) {
		for _, o := range list {
			results = append(results, &result{example: &example{Name: "x"}, outcome: o})
		}
		return results
	}
	if err := total(&out, came(proved, proved, quiet, caught, limited)); err != nil {
		t.Error(err)
	}
	for _, o := range []outcome{missed, unjudged, bought, falseAlarm, mistaken, broken} {
		if err := total(&out, came(proved, proved, o)); err == nil {
			t.Errorf("%s passes", o)
		}
	}
	if err := total(&out, nil); err == nil {
		t.Error("running nothing passes")
	}
}
