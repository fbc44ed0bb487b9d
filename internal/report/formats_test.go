package report

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
)

// render writes r in a format.
func render(t *testing.T, f Format, r run, style Style) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := Write(&buf, f, r.report, r.events, style); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// schemaOf compiles a file in testdata/schema.
func schemaOf(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "schema", name))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("mem:///schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:///schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, data []byte) {
	t.Helper()
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%v in %.200s", err, data)
	}
	if err := s.Validate(instance); err != nil {
		t.Error(err)
	}
}

// waived is a run with a waived finding, and a finding with all fields set.
func waived() run {
	r := high()
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Fingerprint = fmt.Sprintf("%016x", 0xabc+i)
		f.Maps = mcpsf.Maps{
			OWASPMCP: []string{"MCP01"}, CWE: []string{"CWE-78", "CWE-522"}, ATTACK: []string{"T1048", "T1552.001"},
			ATLAS: []string{"AML.T0051", "AML.T0051.000"}, SAFEMCP: []string{"SAFE-T1502"},
		}
	}
	r.Findings[1].Explanation = &mcpsf.Explanation{By: mcpsf.ByNobody, Reason: "no argument and no configuration names it"}
	low := r.Findings[0]
	low.ID, low.Severity, low.Grade, low.Title = "odd-name", mcpsf.SeverityMedium, mcpsf.GradeSuspected, "A tool has an odd name"
	r.Waived = []mcpsf.Waived{{
		Finding: r.Findings[0], Reason: "uname is all it runs", File: "mcpsf.yaml", Until: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC),
	}}
	r.Findings = []mcpsf.Finding{low, r.Findings[1]}
	r.Summary = summary.Of(r)
	return run{r, events()}
}

// everything returns each sample and some hostile runs.
func everything() map[string]run {
	all := samples()
	all["waived"] = waived()
	all["empty"] = run{report: &mcpsf.Report{}}
	hostile := run{hostileReport(), hostileEvents()}
	for _, e := range hostile.events {
		hostile.report.Findings[0].Evidence = append(hostile.report.Findings[0].Evidence, e.Seq)
	}
	all["hostile"] = hostile
	all["huge"] = huge(3, strings.Repeat("x<&`|]]>@a \u202e\x00\xff", 150_000))
	all["many"] = huge(10_000, "</script>]]>")
	return all
}

// huge has n findings, each of another rule, with the same text wherever there
// is any.
func huge(n int, text string) run {
	r := sample()
	r.Verdict = mcpsf.Verdict{Band: mcpsf.BandHigh, Score: 60, Action: text, Reasons: []string{text}}
	r.Target.Source, r.Artifact.Name, r.Session.Name = text, text, text
	for i := range n {
		r.Findings = append(r.Findings, mcpsf.Finding{
			ID: fmt.Sprintf("r%d", i), Title: text, Message: text, Severity: mcpsf.SeverityLow, Grade: mcpsf.GradeProved, Tool: text, Call: text,
			Evidence: []int64{1}, Reproduce: text, Remediation: text, Fingerprint: fmt.Sprint(i), Maps: mcpsf.Maps{CWE: []string{text}, ATTACK: []string{text}},
		})
	}
	return run{r, []mcpsf.Event{{Seq: 1, Kind: mcpsf.KindFileOpen, PID: 1, Proc: text, File: &mcpsf.FileDetail{Path: text}}}}
}

func TestFormatsGolden(t *testing.T) {
	for f, ending := range map[Format]string{
		FormatSARIF: ".sarif", FormatMarkdown: ".md", FormatJUnit: ".junit.xml", FormatOCSF: ".ocsf.jsonl", FormatJSONL: ".jsonl",
	} {
		for _, name := range []string{"waived", "inconclusive", "inspected"} {
			t.Run(name+ending, func(t *testing.T) {
				golden(t, name+ending, render(t, f, everything()[name], Style{}))
			})
		}
	}
}

// Whatever a server says, nothing of it reaches who reads the page as anything
// but text, and how much it says does not decide how much is written.
func TestFormatsAreCleanAndBounded(t *testing.T) {
	limits := map[Format]int{FormatSARIF: 10_000_000, FormatMarkdown: 65_536, FormatJUnit: 30 << 20, FormatOCSF: 64 << 20}
	for name, r := range everything() {
		for f, limit := range limits {
			t.Run(name+"/"+string(f), func(t *testing.T) {
				out := render(t, f, r, Style{})
				if found := raw(string(out)); found != "" {
					t.Errorf("raw %s", found)
				}
				if len(out) > limit {
					t.Errorf("%d bytes", len(out))
				}
			})
		}
	}
}
