package judge_test

import (
	"encoding/json"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
)

const rule = `
id: opened
title: The file was opened
category: behaviour
severity: high
grade: proved
weight: 30
kinds: [file.open]
when: Path == "/srv/x" && !namedByUser()
message: '{{.Path}} was opened; {{.Reason}}.'
rationale: It matters.
remediation: Do not.
tests:
  - {name: a, events: [{kind: file.open, file: {path: /srv/x}}], expect: hit}
  - {name: b, events: [{kind: file.open, file: {path: /srv/y}}], expect: miss}
`

func set(t *testing.T, text string) *rules.Set {
	t.Helper()
	s, err := rules.Load(fstest.MapFS{"opened.yaml": &fstest.MapFile{Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func run() (*mcpsf.Report, []mcpsf.Event) {
	r := &mcpsf.Report{SchemaVersion: mcpsf.SchemaVersion}
	r.Session = mcpsf.Session{Initialized: true, Closed: "orderly", Tools: []mcpsf.Tool{{Name: "a"}}}
	r.Coverage.Events.Complete = true
	return r, []mcpsf.Event{
		{Seq: 1, Phase: mcpsf.PhaseStart, Kind: mcpsf.KindSandboxStart},
		{Seq: 2, Phase: mcpsf.PhaseStart, Kind: mcpsf.KindFileOpen, File: &mcpsf.FileDetail{Path: "/srv/x", Flags: "w"}},
	}
}

// A report that was stored as JSON is judged like the fresh one.
func TestStoredIsJudgedAlike(t *testing.T) {
	r, events := run()
	if err := judge.Apply(r, events, set(t, rule)); err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Verdict.Band != mcpsf.BandHigh || len(r.Accesses) != 1 {
		t.Fatalf("findings %v, band %s, accesses %v", r.Findings, r.Verdict.Band, r.Accesses)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var again mcpsf.Report
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if err := judge.Apply(&again, events, set(t, rule)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.Findings, again.Findings); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(r.Verdict, again.Verdict); diff != "" {
		t.Error(diff)
	}
}

func TestConfigurationExplains(t *testing.T) {
	r, events := run()
	r.Declared.Command = []string{"server", "/srv/x"}
	if err := judge.Apply(r, events, set(t, rule)); err != nil {
		t.Fatal(err)
	}
	want := mcpsf.Explanation{By: mcpsf.ByConfiguration, Reason: "the command line names it"}
	if len(r.Findings) != 0 || len(r.Accesses) != 1 || r.Accesses[0].Explanation != want {
		t.Errorf("findings %v, accesses %v", r.Findings, r.Accesses)
	}
}

// The user's waivers survive a new judgement, and apply to no other finding.
func TestWaivedAgain(t *testing.T) {
	r, events := run()
	if err := judge.Apply(r, events, set(t, rule)); err != nil {
		t.Fatal(err)
	}
	other := r.Findings[0]
	other.Fingerprint = "another"
	r.Waived = []mcpsf.Waived{{Finding: r.Findings[0], Reason: "known"}, {Finding: other, Reason: "gone"}}
	if err := judge.Apply(r, events, set(t, rule)); err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 0 || len(r.Waived) != 1 || r.Waived[0].Reason != "known" || r.Verdict.Score != 0 {
		t.Errorf("findings %v, waived %v, score %d", r.Findings, r.Waived, r.Verdict.Score)
	}
}

// A model's opinion stays with its finding after a new judgement, and applies to
// no other.
func TestOpinionsStay(t *testing.T) {
	r, events := run()
	if err := judge.Apply(r, events, set(t, rule)); err != nil {
		t.Fatal(err)
	}
	said := &mcpsf.Opinion{Model: "m", Text: "It is so."}
	r.Findings[0].Opinion = said
	r.SecondOpinion = &mcpsf.SecondOpinion{Model: "m", Suspicions: []mcpsf.Suspicion{}}
	if err := judge.Apply(r, events, set(t, rule)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(said, r.Findings[0].Opinion); diff != "" || r.SecondOpinion == nil {
		t.Errorf("second opinion %v, opinion (-want +got):\n%s", r.SecondOpinion, diff)
	}
	r.Waived = []mcpsf.Waived{{Finding: r.Findings[0], Reason: "known"}}
	r.Findings = nil
	if err := judge.Apply(r, events, set(t, rule)); err != nil {
		t.Fatal(err)
	}
	if len(r.Waived) != 1 || r.Waived[0].Finding.Opinion == nil {
		t.Errorf("of a waived finding: %+v", r.Waived)
	}
	r.Waived[0].Finding.Fingerprint = "another"
	if err := judge.Apply(r, events, set(t, rule)); err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Findings[0].Opinion != nil {
		t.Errorf("of another finding: %+v", r.Findings)
	}
}
