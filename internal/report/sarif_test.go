package report

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/sarif"
)

func readSARIF(t *testing.T, data []byte) sarif.Run {
	t.Helper()
	var log sarif.Log
	if err := json.Unmarshal(data, &log); err != nil {
		t.Fatal(err)
	}
	return log.Runs[0]
}

// The output is valid by the official schema and GitHub's further requirements.
func TestSARIFIsValid(t *testing.T) {
	s := schemaOf(t, "sarif-schema-2.1.0.json")
	for name, r := range everything() {
		t.Run(name, func(t *testing.T) {
			data := render(t, FormatSARIF, r, Style{})
			validate(t, s, data)
			acceptable(t, readSARIF(t, data))
		})
	}
}

// acceptable checks what GitHub documents: see docs/reports.md.
func acceptable(t *testing.T, run sarif.Run) {
	t.Helper()
	rules := run.Tool.Driver.Rules
	if len(run.Results) > 5000 || len(rules) > 25_000 {
		t.Errorf("%d results, %d rules", len(run.Results), len(rules))
	}
	seen := map[string]bool{}
	for _, r := range rules {
		if seen[r.ID] || r.ID == "" || len([]rune(r.Name)) > 255 || len([]rune(r.ShortDescription.Text)) > 1024 || len([]rune(r.FullDescription.Text)) > 1024 {
			t.Errorf("rule %.300q twice, without id or too long", r.ID)
		}
		seen[r.ID] = true
		if r.ShortDescription.Text == "" || r.FullDescription.Text == "" || r.Help.Text == "" {
			t.Errorf("rule %q lacks a text", r.ID)
		}
		if n := len(r.Properties.Tags); n == 0 || n > 20 || r.Properties.Tags[0] != "security" {
			t.Errorf("tags %q", r.Properties.Tags)
		}
		if s := r.Properties.SecuritySeverity; s != "" {
			if v, err := strconv.ParseFloat(s, 64); err != nil || v <= 0 || v > 10 {
				t.Errorf("security-severity %q", s)
			}
		}
		if !strings.Contains(" note warning error ", " "+r.DefaultConfiguration.Level+" ") {
			t.Errorf("level %q", r.DefaultConfiguration.Level)
		}
	}
	for _, r := range run.Results {
		if r.RuleIndex >= len(rules) || rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("result %q points to rule %d", r.RuleID, r.RuleIndex)
		}
		at := r.Locations[0].Physical
		if r.Message.Text == "" || at.ArtifactLocation.URI == "" || at.Region != nil && at.Region.StartLine < 1 || strings.Contains(r.Message.Text, "](") {
			t.Errorf("result %+v", r)
		}
		if uri := at.ArtifactLocation.URI; strings.HasPrefix(uri, "/") || strings.Contains(uri, "..") && !strings.HasSuffix(uri, "...") {
			t.Errorf("location %.300q", uri)
		}
		if *at.ArtifactLocation.Index >= len(run.Artifacts) {
			t.Errorf("artifact %d of %d", *at.ArtifactLocation.Index, len(run.Artifacts))
		}
	}
}

// Results that do not fit are left out, the least severe first, and a notification says so.
func TestSARIFSaysWhatIsLeftOut(t *testing.T) {
	for name, text := range map[string]string{"too many": "x", "too large": strings.Repeat("words ", 1000)} {
		t.Run(name, func(t *testing.T) {
			r := huge(6000, text)
			r.report.Findings[5999].Severity = mcpsf.SeverityCritical
			run := readSARIF(t, render(t, FormatSARIF, r, Style{}))
			if run.Results[0].Level != "error" || len(run.Results) == 6000 {
				t.Errorf("%d results, first %s", len(run.Results), run.Results[0].Level)
			}
			notes := run.Invocations[0].Notifications
			want := fmt.Sprintf("%d results were left out", 6000-len(run.Results))
			if last := notes[len(notes)-1].Message.Text; !strings.HasPrefix(last, want) {
				t.Errorf("the last notification is %q, want %q", last, want)
			}
		})
	}
	r := waived()
	for i := range 30 {
		r.report.Findings[0].Maps.ATTACK = append(r.report.Findings[0].Maps.ATTACK, fmt.Sprint("T", i))
	}
	out := string(render(t, FormatSARIF, r, Style{}))
	if !strings.Contains(out, "more than 20 tags") {
		t.Error("tags were cut in silence")
	}
}

// Very many reasons do not displace the notification about truncation.
func TestSARIFNotesAreBounded(t *testing.T) {
	r := huge(6000, "x")
	r.report.Coverage.Gaps = make([]mcpsf.Gap, 500)
	out := render(t, FormatSARIF, r, Style{})
	if notes := readSARIF(t, out).Invocations[0].Notifications; len(notes) > 2*sarif.MaxNotes || !strings.Contains(string(out), "were left out") {
		t.Errorf("%d notifications", len(notes))
	}
}

func TestSARIFSuppressions(t *testing.T) {
	run := readSARIF(t, render(t, FormatSARIF, waived(), Style{}))
	for i, r := range run.Results {
		want := 0
		if i == len(run.Results)-1 {
			want = 1
		}
		if r.Suppressions == nil || len(r.Suppressions) != want {
			t.Errorf("result %d has %+v", i, r.Suppressions)
		}
	}
	for _, r := range readSARIF(t, render(t, FormatSARIF, samples()["high"], Style{})).Results {
		if r.Suppressions != nil {
			t.Error("suppressions where nothing was waived")
		}
	}
}
