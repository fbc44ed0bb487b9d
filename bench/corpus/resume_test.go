package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// fakeBinary leaves the reports of a finished run where it is told to, and notes
// how often it was started.
const fakeBinary = `#!/bin/sh
echo started >>"%[1]s/starts"
while [ $# -gt 0 ]; do [ "$1" = --output ] && out=$2; shift; done
mkdir -p "$out"
cp "%[1]s/report.json" "%[1]s/events.jsonl" "$out"
`

// bench is a corpus of two honest servers, a binary and a floors file.
func bench(t *testing.T) (dir string, args []string) {
	t.Helper()
	dir = t.TempDir()
	r, events := theft(nil)
	r.Findings, r.Verdict.Band = nil, mcpsf.BandPass
	report, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	event, err := json.Marshal(mcpsf.Event{Seq: 1, Kind: mcpsf.KindSandboxStart, Phase: events[0].Phase})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"report.json": string(report), "events.jsonl": string(event) + "\n", "floors.yaml": "recall: 1\n",
		"mcpsf": fmt.Sprintf(fakeBinary, dir),
	}
	for _, name := range []string{"ok-a", "ok-b"} {
		files["corpus/"+name+"/"+caseFile] = "title: T\nclass: everyday\npackage: p\nexpect: {severity: low}\n"
		files["corpus/"+name+"/server.py"] = ""
	}
	for name, content := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir, []string{
		"-corpus", filepath.Join(dir, "corpus"), "-mcpsf", filepath.Join(dir, "mcpsf"), "-reports", filepath.Join(dir, "reports"),
		"-floors", filepath.Join(dir, "floors.yaml"), "-page", filepath.Join(dir, "page.md"), "-store", filepath.Join(dir, "traces"),
	}
}

func starts(t *testing.T, dir string) int {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "starts"))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Count(raw, []byte("\n"))
}

// One run checks the floors, writes the page and keeps the runs. It goes on
// where the last one was interrupted, and otherwise begins anew.
func TestOneRunForAllAndResumed(t *testing.T) {
	dir, args := bench(t)
	try := func(more ...string) {
		t.Helper()
		var out bytes.Buffer
		if err := run(t.Context(), append(args, more...), &out, &out); err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
	}
	try()
	if got := starts(t, dir); got != 2 {
		t.Fatalf("%d starts for two servers", got)
	}
	for _, name := range []string{"page.md", "traces/ok-a.jsonl.zst", "traces/ok-b.jsonl.zst"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	// An interrupted run leaves a report, but no mark.
	for _, name := range []string{"reports/ok-b/" + finishedFile, "traces/ok-a.jsonl.zst"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	try("-resume")
	if got := starts(t, dir); got != 3 {
		t.Errorf("%d starts, want one more than 2", got)
	}
	page, err := os.ReadFile(filepath.Join(dir, "page.md"))
	if err != nil || !strings.Contains(string(page), "| labelled servers | 2:") {
		t.Errorf("the page counts only a part: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "traces/ok-a.jsonl.zst")); err != nil {
		t.Errorf("what was taken over is not kept: %v", err)
	}
	try()
	if got := starts(t, dir); got != 5 {
		t.Errorf("%d starts, want two more than 3", got)
	}
}
