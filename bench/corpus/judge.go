package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/bench/attackrules"
)

// outcome is the result of an example.
type outcome string

const (
	proved outcome = "proved" // malicious or vulnerable, detected as such, and with the expected severity
	quiet  outcome = "quiet"  // honest, and without an alarm
	// unjudged was detected, but not with the expected finding.
	unjudged   outcome = "UNJUDGED"
	missed     outcome = "MISSED"
	falseAlarm outcome = "FALSE ALARM"
	// mistaken reports a leak of a secret that was never read.
	mistaken outcome = "MISTAKEN"
	// broken did not do what it is an example of.
	broken outcome = "BROKEN"

	// Of servers that try to buy their verdict: see [integrity].
	caught  outcome = "caught"
	limited outcome = "limited"
	bought  outcome = "BOUGHT"
)

func (o outcome) good() bool { return o == proved || o == quiet || o == caught || o == limited }

// result is the outcome with its reasons.
type result struct {
	*example

	outcome    outcome
	band       mcpsf.Band
	confidence mcpsf.ConfidenceLevel
	// worst is the most severe finding.
	worst   *mcpsf.Finding
	reasons []string
	seconds float64
}

// maxReasons bounds the reasons for one example.
const maxReasons = 8

// judge compares a report and its events with what is expected.
func judge(e *example, r *mcpsf.Report, events []mcpsf.Event) *result {
	out := &result{example: e, outcome: quiet, band: r.Verdict.Band, confidence: r.Verdict.Confidence.Level, worst: mostSevere(r.Findings), seconds: r.Run.Duration}
	if e.buys() {
		return out.weigh(r)
	}
	out.reasons = trouble(e, r, events)
	if len(out.reasons) > 0 {
		out.outcome = broken
		return out
	}
	switch {
	case e.Malicious:
		out.prove(r, events)
	case e.Vulnerable:
		out.exploit(r, events)
	default:
		out.clear(r, events)
	}
	if untouched := strays(events); len(untouched) > 0 && out.outcome != missed {
		out.outcome = mistaken
		out.reasons = append(untouched, out.reasons...)
	}
	out.reasons = out.reasons[:min(len(out.reasons), maxReasons)]
	return out
}

// trouble says why a run shows nothing about the example. An attacked server may
// refuse calls, and a vulnerable one may crash.
func trouble(e *example, r *mcpsf.Report, events []mcpsf.Event) []string {
	var why []string
	if !r.Session.Initialized || r.Session.Closed == "crashed" && !e.Vulnerable {
		why = append(why, "the server did not run: "+r.Session.Closed+" "+r.Session.Ending)
	}
	if r.Coverage.Events.Lost > 0 || !r.Coverage.Events.Complete {
		why = append(why, "events were lost")
	}
	if e.Malicious || e.Vulnerable {
		return why
	}
	return append(why, failures(r.Session.Calls, attackedIn(events))...)
}

// calledOff is the note of a call that was cancelled on purpose. By the protocol
// it needs no answer.
const calledOff = "was called off"

// failures returns the ordinary calls that failed. A tool may refuse some of
// them, but not all.
func failures(calls []mcpsf.Call, attacked map[string]*mcpsf.MCPDetail) []string {
	worked := map[string]bool{}
	for _, c := range calls {
		worked[c.Tool] = worked[c.Tool] || c.Status == mcpsf.CallOK
	}
	var list []string
	for _, c := range calls {
		if c.Method != "tools/call" || c.Status == mcpsf.CallOK || attacked[c.ID] != nil {
			continue
		}
		if c.Status == mcpsf.CallTimeout && c.Note == calledOff {
			continue
		}
		if c.Status != mcpsf.CallRefused || !worked[c.Tool] {
			list = append(list, fmt.Sprintf("%s: %s: %s", c.Tool, c.Status, c.Note))
		}
	}
	return list
}

func (out *result) prove(r *mcpsf.Report, events []mcpsf.Event) {
	tools := toolsOf(r)
	for _, want := range out.Expect.Leaks {
		if !slices.ContainsFunc(events, func(e mcpsf.Event) bool { return want.is(&e, tools) }) {
			out.reasons = append(out.reasons, fmt.Sprintf("no leak %+v", want))
		}
	}
	for _, want := range out.Expect.Events {
		if !slices.ContainsFunc(events, func(e mcpsf.Event) bool { return want.is(&e, tools) }) {
			out.reasons = append(out.reasons, fmt.Sprintf("no event %+v", want))
		}
	}
	switch {
	case len(out.reasons) > 0:
		out.outcome = missed
		out.reasons = append(out.reasons, leaksIn(events, tools)...)
	case !slices.ContainsFunc(r.Findings, out.Expect.judges):
		out.outcome = unjudged
		out.reasons = findingsIn(r.Findings, mcpsf.SeverityLow)
	default:
		out.outcome = proved
	}
}

// exploit looks for the attacks that must succeed on the example.
func (out *result) exploit(r *mcpsf.Report, events []mcpsf.Event) {
	out.outcome = proved
	for _, want := range out.Expect.Attacks {
		shown := want.showing(r.Findings, events)
		switch {
		case len(shown) == 0:
			out.outcome = missed
			out.reasons = append(out.reasons, fmt.Sprintf("no finding shows %+v", want))
		case !slices.ContainsFunc(shown, func(f mcpsf.Finding) bool { return out.Expect.convicts(&f, &want) }):
			out.reasons = append(out.reasons, findingsIn(shown, mcpsf.SeverityInfo)...)
			if out.outcome == proved {
				out.outcome = unjudged
			}
		}
	}
}

// clear checks that an honest example raises no alarm. A fixed one must have no
// finding at all about its former weakness.
func (out *result) clear(r *mcpsf.Report, events []mcpsf.Event) {
	wrong := findingsIn(r.Findings, above(out.Expect.Severity))
	for _, a := range out.refutes {
		shown := slices.DeleteFunc(a.showing(r.Findings, events), func(f mcpsf.Finding) bool { return !attackrules.ByAttack(f.ID) })
		wrong = append(wrong, findingsIn(shown, mcpsf.SeverityLow)...)
	}
	if len(wrong) == 0 {
		return
	}
	out.outcome = falseAlarm
	slices.Sort(wrong)
	out.reasons = append(slices.Compact(wrong), leaksIn(events, toolsOf(r))...)
}

// judges tells whether a finding detects what the example does.
func (x *expected) judges(f mcpsf.Finding) bool {
	return rank(f.Severity) >= rank(x.Severity) &&
		slices.ContainsFunc(x.Rules, func(word string) bool { return strings.Contains(f.ID, word) })
}

// convicts tells whether a finding about an attack is certain and severe enough.
func (x *expected) convicts(f *mcpsf.Finding, a *attack) bool {
	return rank(f.Severity) >= rank(x.Severity) && sureness(f.Grade) >= sureness(a.Grade)
}

// is tells whether an event is the leak.
func (l *leak) is(e *mcpsf.Event, tools map[string]string) bool {
	d := e.Leak
	return e.Kind == mcpsf.KindCanaryLeak && d != nil && !d.Given && d.Kind == l.Kind &&
		(l.Channel == "" || d.Channel == l.Channel) && strings.HasPrefix(d.Destination, l.To) &&
		(l.Part == "" || strings.EqualFold(d.Part, l.Part)) && chained(d.Chain, l.Chain) &&
		(l.Tool == "" || tools[e.Call] == l.Tool) && (l.Phase == "" || e.Phase == l.Phase)
}

// chained tells whether got contains all of want, in that order.
func chained(got, want []string) bool {
	for _, name := range got {
		name, _, _ = strings.Cut(name, "(")
		if len(want) > 0 && name == want[0] {
			want = want[1:]
		}
	}
	return len(want) == 0
}

// is tells whether an event is the sign.
func (s *sign) is(e *mcpsf.Event, tools map[string]string) bool {
	if e.Kind != s.Kind || s.Tool != "" && tools[e.Call] != s.Tool || s.Phase != "" && e.Phase != s.Phase {
		return false
	}
	line, err := json.Marshal(e)
	return err == nil && !slices.ContainsFunc(s.Has, func(text string) bool { return !strings.Contains(string(line), text) })
}

// toolsOf maps the calls to their tools.
func toolsOf(r *mcpsf.Report) map[string]string {
	tools := map[string]string{}
	for _, c := range r.Session.Calls {
		tools[c.ID] = c.Tool
	}
	return tools
}

func mostSevere(findings []mcpsf.Finding) *mcpsf.Finding {
	var worst *mcpsf.Finding
	for i := range findings {
		if worst == nil || rank(findings[i].Severity) > rank(worst.Severity) {
			worst = &findings[i]
		}
	}
	return worst
}

// findingsIn returns the findings at or above a severity.
func findingsIn(findings []mcpsf.Finding, least mcpsf.Severity) []string {
	var list []string
	for _, f := range findings {
		if rank(f.Severity) >= rank(least) {
			list = append(list, fmt.Sprintf("%s %s: %s", f.Severity, f.ID, f.Message))
		}
	}
	return list
}

// strays are leaks of decoys that were never opened: the recognised data came
// from somewhere else. Reads of documents are not recorded, so they are exempt.
func strays(events []mcpsf.Event) []string {
	taken := map[string]bool{}
	for i := range events {
		if c := events[i].Canary; c != nil {
			taken[c.ID] = true
		}
	}
	var list []string
	for i := range events {
		d := events[i].Leak
		if d == nil || d.Given || d.Kind == mcpsf.DecoyDocument || taken[d.ID] || !strings.HasPrefix(d.Source, mcpsf.Home+"/") {
			continue
		}
		line := fmt.Sprintf("told as leaked, but never opened: %s (%.0f%% of it: %s)", d.Source, 100*d.Share, d.Excerpt)
		if !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	return list
}

// leaksIn returns the leaks, each channel once.
func leaksIn(events []mcpsf.Event, tools map[string]string) []string {
	var list []string
	for i := range events {
		d := events[i].Leak
		if d == nil {
			continue
		}
		line := fmt.Sprintf("seen: %s by %s to %s %s %v in %s %s", d.Kind, d.Channel, d.Destination, d.Part, d.Chain, events[i].Phase, tools[events[i].Call])
		if !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	return list
}
