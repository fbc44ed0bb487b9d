//go:build linux

package assesstest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
)

// EventsOf selects events.
func EventsOf(r *assess.Result, keep func(*mcpsf.Event) bool) []mcpsf.Event {
	var out []mcpsf.Event
	for i := range r.Events {
		if keep(&r.Events[i]) {
			out = append(out, r.Events[i])
		}
	}
	return out
}

// SecretsIn lists the decoys read in a call, once per event.
func SecretsIn(r *assess.Result, call string) []string {
	var out []string
	for _, e := range EventsOf(r, func(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindCanaryRead && e.Call == call }) {
		out = append(out, e.Canary.Source)
	}
	return out
}

// CallOf returns the id of the first call of a tool.
func CallOf(t *testing.T, r *assess.Result, tool string) string {
	t.Helper()
	for _, c := range r.Report.Session.Calls {
		if c.Tool == tool {
			return c.ID
		}
	}
	s := r.Report.Session
	t.Fatalf("%s was not among %d calls; %s", tool, len(s.Calls), Explain(r))
	return ""
}

// CalledAs lists the calls with how they ended, for failures.
func CalledAs(r *assess.Result) string {
	var b strings.Builder
	for _, c := range r.Report.Session.Calls {
		fmt.Fprintf(&b, "%s %s %s: %s %.1f s %s; ", c.ID, c.Method, c.Tool, c.Status, c.Seconds, c.Note)
	}
	return b.String()
}

// Said returns the message with which a tool's first call was answered.
func Said(t *testing.T, r *assess.Result, tool string) string {
	t.Helper()
	call := CallOf(t, r, tool)
	for _, e := range EventsOf(r, func(e *mcpsf.Event) bool {
		return e.Kind == mcpsf.KindMCPResponse && e.Call == call
	}) {
		return string(e.MCP.Body)
	}
	t.Fatalf("%s was not answered; %s; calls %s", tool, Explain(r), CalledAs(r))
	return ""
}

// ReplyOf returns the text that a tool answered with.
func ReplyOf(t *testing.T, r *assess.Result, tool string) string {
	t.Helper()
	answers := EventsOf(r, func(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindMCPResponse && e.MCP.Tool == tool })
	if len(answers) == 0 {
		t.Fatalf("%s did not answer; %s", tool, Explain(r))
	}
	var body struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	if err := json.Unmarshal(answers[0].MCP.Body, &body); err != nil || len(body.Content) == 0 {
		t.Fatalf("%s answered %s", tool, answers[0].MCP.Body)
	}
	return body.Content[0].Text
}

// Number reads "name=123" from the text that a tool returned.
func Number(t *testing.T, text, name string) int64 {
	t.Helper()
	var n int64
	_, rest, ok := strings.Cut(text, name+"=")
	if _, err := fmt.Sscan(rest, &n); !ok || err != nil {
		t.Fatalf("no number %s in %s", name, text)
	}
	return n
}

// Complete fails the test if any part of the run was not observed.
func Complete(t *testing.T, r *assess.Result) {
	t.Helper()
	e := r.Report.Coverage.Events
	if e.Lost != 0 || !e.Complete || e.Produced == 0 {
		t.Errorf("events: %+v", e)
	}
	for _, m := range r.Report.Coverage.Monitors {
		if !m.Alive {
			t.Errorf("monitor %s did not see the end: %s", m.Name, m.Note)
		}
	}
}

// HasFinding reports whether there is a finding of that rule.
func HasFinding(r *assess.Result, id string) bool {
	for _, f := range r.Report.Findings {
		if f.ID == id {
			return true
		}
	}
	return false
}

// Judgement is the part of a report that must not differ between runs.
type Judgement struct {
	Verdict  mcpsf.Verdict
	Findings []mcpsf.Finding
}

// Stable returns what must not differ between runs.
func Stable(r *assess.Result) Judgement {
	v := Judgement{Verdict: r.Report.Verdict}
	for _, f := range r.Report.Findings {
		f.Evidence = nil // event numbers, which vary with noise
		v.Findings = append(v.Findings, f)
	}
	return v
}

// LimitsHit returns the limit.hit events by the name of the limit.
func LimitsHit(r *assess.Result) map[string]mcpsf.LimitDetail {
	found := map[string]mcpsf.LimitDetail{}
	for _, e := range EventsOf(r, func(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindLimitHit }) {
		found[e.Limit.Name] = *e.Limit
	}
	return found
}

// Explain says how a session ended, for failures.
func Explain(r *assess.Result) string {
	s := r.Report.Session
	text := s.Closed + ": " + s.Ending
	for _, m := range r.Report.Coverage.Monitors {
		text += "; " + m.Name + " " + m.Note
	}
	for _, e := range EventsOf(r, func(e *mcpsf.Event) bool { return e.Limit != nil || e.Sandbox != nil }) {
		if e.Limit != nil {
			text += "; limit " + e.Limit.Name
		} else {
			text += "; " + e.Sandbox.Text
		}
	}
	return text
}
