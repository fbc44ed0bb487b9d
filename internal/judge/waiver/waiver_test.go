package waiver

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

const mark = "6659b8a63851ef45"

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func ignore(change func(*Ignore)) Ignore {
	i := Ignore{Rule: "decoy-read", Fingerprint: mark, Reason: "it is a backup tool", Expires: day("2026-06-30"), File: "mcpsf.yaml", Line: 3}
	if change != nil {
		change(&i)
	}
	return i
}

func run() *mcpsf.Report {
	return &mcpsf.Report{
		Run:      mcpsf.Run{ID: "new"},
		Target:   mcpsf.Target{Source: "npm:backup@1.0.0"},
		Artifact: mcpsf.Artifact{Name: "backup"},
		Verdict:  mcpsf.Verdict{Band: mcpsf.BandHigh},
		Findings: []mcpsf.Finding{
			{ID: "decoy-read", Fingerprint: mark, Tool: "save", Severity: mcpsf.SeverityHigh, Grade: mcpsf.GradeProved},
			{ID: "secret-exfiltration", Fingerprint: mark, Tool: "save", Severity: mcpsf.SeverityCritical, Grade: mcpsf.GradeProved},
		},
	}
}

func TestApply(t *testing.T) {
	for _, tt := range []struct {
		name   string
		ignore Ignore
		now    string
		waived bool
		note   string // part of the note, "" for none
	}{
		{"fits", ignore(nil), "2026-06-01T00:00:00Z", true, ""},
		{"last day", ignore(nil), "2026-06-30T23:59:59Z", true, ""},
		{"the day after", ignore(nil), "2026-07-01T00:00:00Z", false, "mcpsf.yaml:3: the ignore of decoy-read 6659b8a63851ef45 expired on 2026-06-30, counts again"},
		{"other rule", ignore(func(i *Ignore) { i.Rule = "decoy-write" }), "2026-06-01T00:00:00Z", false, "is about nothing in this run"},
		{"other evidence", ignore(func(i *Ignore) { i.Fingerprint = "0000000000000000" }), "2026-06-01T00:00:00Z", false, "is about nothing in this run"},
		{"source as typed", ignore(func(i *Ignore) { i.Source = "npm:backup@*" }), "2026-06-01T00:00:00Z", true, ""},
		{"source by name", ignore(func(i *Ignore) { i.Source = "back*" }), "2026-06-01T00:00:00Z", true, ""},
		{"of another source, and silent", ignore(func(i *Ignore) { i.Source = "other" }), "2026-06-01T00:00:00Z", false, ""},
		{"tool", ignore(func(i *Ignore) { i.Tool = "sa?e" }), "2026-06-01T00:00:00Z", true, ""},
		{"other tool", ignore(func(i *Ignore) { i.Tool = "load" }), "2026-06-01T00:00:00Z", false, "is about nothing in this run"},
	} {
		now, err := time.Parse(time.RFC3339, tt.now)
		if err != nil {
			t.Fatal(err)
		}
		r := run()
		notes := Apply(r, []Ignore{tt.ignore}, now)
		if got := len(r.Waived) == 1 && len(r.Findings) == 1 && r.Findings[0].ID == "secret-exfiltration"; got != tt.waived {
			t.Errorf("%s: waived is %t: %+v", tt.name, got, r.Waived)
		}
		if got := strings.Join(notes, "; "); tt.note == "" && got != "" || !strings.Contains(got, tt.note) {
			t.Errorf("%s: notes %q, want %q", tt.name, got, tt.note)
		}
	}
}

func TestApplyTellsAll(t *testing.T) {
	r := run()
	Apply(r, []Ignore{ignore(nil)}, day("2026-06-01"))
	want := []mcpsf.Waived{{Finding: run().Findings[0], Reason: "it is a backup tool", Until: day("2026-07-01"), File: "mcpsf.yaml"}}
	if diff := cmp.Diff(want, r.Waived); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A run that saw too little does not prove an ignore useless.
func TestInconclusiveRunTellsOfNothingUnused(t *testing.T) {
	r := run()
	r.Verdict.Band = mcpsf.BandInconclusive
	if notes := Apply(r, []Ignore{ignore(func(i *Ignore) { i.Rule = "x" })}, day("2026-06-01")); len(notes) > 0 {
		t.Errorf("notes: %q", notes)
	}
}

func TestCheck(t *testing.T) {
	now := day("2026-01-01")
	for _, tt := range []struct {
		name   string
		change func(*Ignore)
		want   string
	}{
		{"good", nil, ""},
		{"no rule", func(i *Ignore) { i.Rule = "" }, "needs the rule"},
		{"all rules", func(i *Ignore) { i.Rule = "*" }, "needs the rule"},
		{"no fingerprint", func(i *Ignore) { i.Fingerprint = "" }, "needs the fingerprint"},
		{"all evidence", func(i *Ignore) { i.Fingerprint = "*" }, "needs the fingerprint"},
		{"no reason", func(i *Ignore) { i.Reason = " \n" }, "needs a reason"},
		{"no end", func(i *Ignore) { i.Expires = time.Time{} }, "needs expires"},
		{"a year", func(i *Ignore) { i.Expires = day("2027-01-01") }, ""},
		{"longer", func(i *Ignore) { i.Expires = day("2027-01-02") }, "the latest day is 2027-01-01"},
		{"no pattern", func(i *Ignore) { i.Tool = "[" }, "is no pattern"},
	} {
		i := ignore(tt.change)
		err := i.Check(now)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestBaseline(t *testing.T) {
	known := run().Findings[0]
	for _, tt := range []struct {
		name   string
		old    func(*mcpsf.Report)
		waived bool
	}{
		{"the same", func(r *mcpsf.Report) { r.Findings = []mcpsf.Finding{known} }, true},
		{"it was lighter", func(r *mcpsf.Report) {
			f := known
			f.Severity = mcpsf.SeverityMedium
			r.Findings = []mcpsf.Finding{f}
		}, false},
		{"it was less sure", func(r *mcpsf.Report) {
			f := known
			f.Grade = mcpsf.GradeSuspected
			r.Findings = []mcpsf.Finding{f}
		}, false},
		{"it was graver", func(r *mcpsf.Report) {
			f := known
			f.Severity = mcpsf.SeverityCritical
			r.Findings = []mcpsf.Finding{f}
		}, true},
		{"a severity that is none", func(r *mcpsf.Report) {
			f := known
			f.Severity = "beyond"
			r.Findings = []mcpsf.Finding{f}
		}, false},
		{"other evidence", func(r *mcpsf.Report) {
			f := known
			f.Fingerprint = "0"
			r.Findings = []mcpsf.Finding{f}
		}, false},
		{"of a baseline itself", func(r *mcpsf.Report) { r.Waived = []mcpsf.Waived{{Finding: known}} }, true},
		{"of an ignore", func(r *mcpsf.Report) { r.Waived = []mcpsf.Waived{{Finding: known, Until: day("2026-06-30")}} }, false},
	} {
		old := &mcpsf.Report{Run: mcpsf.Run{ID: "old"}, Artifact: mcpsf.Artifact{Name: "backup"}}
		tt.old(old)
		r := run()
		if err := (&Baseline{File: "old.json", Report: old}).Apply(r); err != nil {
			t.Fatal(err)
		}
		if got := len(r.Waived) == 1 && len(r.Findings) == 1; got != tt.waived {
			t.Errorf("%s: waived is %t: %+v", tt.name, got, r.Waived)
		}
		if tt.waived && r.Waived[0].Reason != "in the baseline old.json of old" {
			t.Errorf("%s: reason %q", tt.name, r.Waived[0].Reason)
		}
	}
}

func TestBaselineOfAnother(t *testing.T) {
	b := Baseline{File: "old.json", Report: &mcpsf.Report{Artifact: mcpsf.Artifact{Name: "other"}}}
	if err := b.Apply(run()); mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
		t.Errorf("got %v, want an error of the user's", err)
	}
	b.Any = true
	if err := b.Apply(run()); err != nil {
		t.Error(err)
	}
}
