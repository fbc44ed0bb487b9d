package report

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/encode"
)

// The lines are complete: together they give the run again.
func TestJSONLIsTheWholeRun(t *testing.T) {
	for name, want := range everything() {
		if name == "hostile" || name == "huge" { // invalid UTF-8 does not survive JSON
			continue
		}
		lines := bytes.SplitAfter(render(t, FormatJSONL, want, Style{}), []byte("\n"))
		var head reportLine
		if err := json.Unmarshal(lines[0], &head); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(encode.Complete(want.report), head.Report); diff != "" || head.Type != "report" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for i := range want.events {
			var line eventLine
			if err := json.Unmarshal(lines[i+1], &line); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&want.events[i], line.Event); diff != "" || line.Type != "event" || line.RunID != want.report.Run.ID {
				t.Errorf("%s, event %d (-want +got):\n%s", name, i+1, diff)
			}
		}
	}
}

// Half a surrogate pair in a server's text would make many readers reject the
// line, and in report.json the whole file.
func TestHalfSurrogates(t *testing.T) {
	for in, want := range map[string]string{
		`"\ud800"`: `"\ufffd"`, `"a\udc00b"`: `"a\ufffdb"`, `"\ud83d\ude00"`: `"\ud83d\ude00"`, `"\ud800\ud83d\ude00"`: `"\ufffd\ud83d\ude00"`,
		`"\ud800\n"`: `"\ufffd\n"`, `"\\ud800"`: `"\\ud800"`, `"\u00e9\""`: `"\u00e9\""`,
	} {
		var buf bytes.Buffer
		if err := encode.Line(&buf, json.RawMessage(in)); err != nil || buf.String() != want+"\n" {
			t.Errorf("%s became %s, %v", in, buf.String(), err)
		}
	}
}

func TestMoment(t *testing.T) {
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for seconds, want := range map[float64]string{
		1.5: "2026-01-02T03:04:06.500Z", -1: "2026-01-02T03:04:05.000Z", 1e300: "2026-01-02T03:04:05.000Z", math.Inf(1): "2026-01-02T03:04:05.000Z",
	} {
		if got := encode.Stamp(encode.Moment(mcpsf.Run{Started: began}, seconds)); got != want {
			t.Errorf("after %g: %s", seconds, got)
		}
	}
	if got := encode.Stamp(encode.Moment(mcpsf.Run{Started: began}, math.NaN())); got != "2026-01-02T03:04:05.000Z" {
		t.Errorf("after nothing known: %s", got)
	}
	if got := encode.Stamp(encode.Moment(mcpsf.Run{}, 5)); got != "" {
		t.Errorf("a run that never began: %s", got)
	}
	if got := encode.Stamp(time.Date(99999, 1, 1, 0, 0, 0, 0, time.UTC)); got != "" {
		t.Errorf("a year that no reader knows: %s", got)
	}
}

func TestSaveAs(t *testing.T) {
	dir := t.TempDir()
	r := high()
	r.Inspection = &mcpsf.Inspection{Packages: []mcpsf.Package{{Ecosystem: mcpsf.EcosystemNPM, Name: "a", Version: "1.0.0", PURL: "pkg:npm/a@1.0.0"}}}
	names, err := SaveAs(dir, All(), r, events(), Style{Color: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range All() {
		data, err := os.ReadFile(names[i])
		if err != nil {
			t.Fatal(err)
		}
		if want := render(t, f, run{r, events()}, Style{Unicode: true}); !bytes.Equal(want, data) {
			t.Errorf("%s is not what is printed", names[i])
		}
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != len(All()) {
		t.Errorf("files: %v", entries)
	}
	for f, want := range map[Format]string{FormatSARIF: "report.sarif", FormatMarkdown: "report.md", "html": "report.html", FormatJSON: FileName, FormatJSONL: "report.jsonl", FormatJUnit: "junit.xml", FormatOCSF: "ocsf.jsonl", FormatTimeline: "report.txt", FormatCycloneDX: "sbom.cdx.json", FormatSPDX: "sbom.spdx.json"} {
		if got := FileOf(f); got != want {
			t.Errorf("%s goes to %s", f, got)
		}
	}
}

// If one format cannot be written, none is.
func TestSaveAsFails(t *testing.T) {
	dir := t.TempDir()
	if _, err := SaveAs(dir, []Format{FormatSARIF, "pdf"}, high(), nil, Style{}); mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
		t.Errorf("got %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left behind: %v", entries)
	}
	if _, err := SaveAs(filepath.Join(dir, "missing"), []Format{FormatSARIF}, high(), nil, Style{}); mcpsf.ErrorCode(err) != mcpsf.CodeInternal {
		t.Errorf("got %v", err)
	}
}
