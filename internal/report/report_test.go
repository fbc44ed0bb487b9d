package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/encode"
)

func TestAllAreWritable(t *testing.T) {
	if diff := cmp.Diff([]Format{FormatSummary, FormatTimeline, FormatJSON, FormatHTML, FormatJSONL, FormatSARIF, FormatMarkdown, FormatJUnit, FormatOCSF, FormatCycloneDX, FormatSPDX}, All()); diff != "" {
		t.Errorf("All (-want +got):\n%s", diff)
	}
	for _, f := range All() {
		var buf bytes.Buffer
		if err := Write(&buf, f, &mcpsf.Report{Inspection: &mcpsf.Inspection{}}, nil, Style{}); err != nil || buf.Len() == 0 {
			t.Errorf("%s of an empty report: %d bytes, %v", f, buf.Len(), err)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	err := Write(&bytes.Buffer{}, "pdf", &mcpsf.Report{}, nil, Style{})
	if mcpsf.ErrorCode(err) != mcpsf.CodeUsage || !strings.Contains(err.Error(), "timeline, json") {
		t.Errorf("unknown format: %v", err)
	}
	if err := Write(&bytes.Buffer{}, FormatJSON, nil, nil, Style{}); err == nil {
		t.Error("no report, no error")
	}
	if err := Write(&bytes.Buffer{}, FormatSPDX, &mcpsf.Report{}, nil, Style{}); mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
		t.Errorf("what a server consists of that nobody read: %v", err)
	}
	full := errors.New("disk full")
	if err := Write(failing{full}, FormatJSON, &mcpsf.Report{}, nil, Style{}); !errors.Is(err, full) {
		t.Errorf("a failing writer gave %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Lists that the schema requires are never null, and writing a report does not
// change it.
func TestJSONHasNoNull(t *testing.T) {
	r := &mcpsf.Report{
		Findings: []mcpsf.Finding{{ID: "x"}},
		Artifact: mcpsf.Artifact{Candidates: []mcpsf.EntryCandidate{{Why: "x"}}},
	}
	var buf bytes.Buffer
	if err := Write(&buf, FormatJSON, r, nil, Style{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(buf.String(), "null") {
		t.Errorf("null in %s", buf.String())
	}
	if r.Findings[0].Evidence != nil || r.Artifact.Candidates[0].Command != nil || r.Session.Tools != nil {
		t.Error("the report was changed")
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := high()
	if err := Save(dir, want); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got mcpsf.Report
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(encode.Complete(want), &got); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o644 {
		t.Errorf("mode %v", info.Mode())
	}
}

func TestSaveFails(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "not\nthere")
	err := Save(missing, high())
	if err == nil || mcpsf.ErrorCode(err) != mcpsf.CodeInternal {
		t.Fatalf("got %v", err)
	}
	// If a report cannot be encoded, the old file stays.
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := high()
	broken.Session.Capabilities = json.RawMessage("{")
	if err := Save(dir, broken); err == nil {
		t.Error("half a JSON document was saved")
	}
	if data, _ := os.ReadFile(path); string(data) != "old" {
		t.Errorf("the old report became %q", data)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}
