package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func TestSteps(t *testing.T) {
	progress := "fakes of the same shape stand in for X\n" +
		"✓  resolve   some-server 1.2, 52 files… 35 ms\n" +
		"✓  install   107 packages                    2 min 05 s\n" +
		"✗  start     exited with code 1               1.9 s\n" +
		"✓  drive     13 tools, ended terminated       1 min\n" +
		"✓  judge     3 findings                       3 ms\n"
	want := map[string]float64{"resolve": 0.035, "install": 125, "start": 1.9, "drive": 60}
	if diff := cmp.Diff(want, steps(progress)); diff != "" {
		t.Error(diff)
	}
}

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"a\n\tb":                 "a b",
		"\x1b[31mred\x00":        "[31mred",
		"bad \xff utf8":          "bad ? utf8",
		strings.Repeat("x", 500): strings.Repeat("x", maxWords-1) + "…",
	} {
		if got := oneLine(in); got != want {
			t.Errorf("oneLine(%q) = %q, want %q", in, got, want)
		}
	}
	if got, want := cell("a|b `c` <script>"), `a\|b 'c' &lt;script>`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFill(t *testing.T) {
	listed := &mcpsf.Report{
		Installation: &mcpsf.Installation{Packages: []string{"a", "b"}},
		Artifact: mcpsf.Artifact{Candidates: []mcpsf.EntryCandidate{
			{Command: []string{"x"}, Outcome: "exited"}, {Command: []string{"y"}, Chosen: true}, {Command: []string{"never tried"}},
		}},
		Findings: []mcpsf.Finding{{ID: "i", Severity: mcpsf.SeverityInfo}, {ID: "l", Severity: mcpsf.SeverityLow}, {ID: "m", Severity: mcpsf.SeverityMedium}},
		Session: mcpsf.Session{
			Initialized: true, Tools: []mcpsf.Tool{{Name: "t"}},
			Calls: []mcpsf.Call{{Method: "tools/list", Status: mcpsf.CallOK}},
		},
	}
	r := &result{}
	r.fill(listed)
	if !r.Installed || !r.Initialized || !r.Listed || r.Tools != 1 || r.Packages != 2 || len(r.Candidates) != 2 {
		t.Errorf("got %+v", r)
	}
	if len(r.Findings) != 1 || r.Findings[0].ID != "m" {
		t.Errorf("findings %v, want the medium one", r.Findings)
	}

	failed := &mcpsf.Report{Installation: &mcpsf.Installation{Failed: "no wheel"}}
	r = &result{}
	r.fill(failed)
	if r.Installed || r.Listed || r.outcome() != "not installed: no wheel" {
		t.Errorf("got %+v, %q", r, r.outcome())
	}

	silent := &mcpsf.Report{Session: mcpsf.Session{
		Initialized: true, Calls: []mcpsf.Call{{Method: "tools/list", Status: mcpsf.CallTimeout}},
	}}
	r = &result{}
	r.fill(silent)
	if r.Listed {
		t.Error("a tools/list that timed out counts as listed")
	}
}

// fake is an mcpsf that answers for two servers and reports others as missing.
// It counts its runs.
const fake = `#!/bin/sh
echo "$2" >> "$RUNS"
while [ $# -gt 0 ]; do
  case "$1" in npm:*) source="$1";; -o) out="$2";; esac
  shift
done
case "$source" in
*good*) tools='"session":{"initialized":true,"tools":[{"name":"t"}],"calls":[{"method":"tools/list","status":"ok"}]}';;
*mute*) tools='"session":{"initialized":false,"ending":"it said \u001b[31m<nothing>"}';;
*slow*) touch "$RUNS.slow"; exec sleep 60;;
*) echo "mcpsf: there is no such package" >&2; exit 2;;
esac
echo "✓  start  answered  1.5 s" >&2
mkdir -p "$out"
echo '{"tool":{"version":"v0"},"verdict":{"band":"PASS"},'"$tools"'}' > "$out/report.json"
echo '{"kind":"mcp.stderr","mcp":{"body":"usage: give a key"}}' > "$out/events.jsonl"
`

type world struct{ dir, runs string }

func newWorld(t *testing.T, list string) *world {
	w := &world{dir: t.TempDir()}
	w.runs = filepath.Join(w.dir, "runs")
	for name, text := range map[string]string{"list": list, "mcpsf": fake} {
		if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *world) run(ctx context.Context, args ...string) (string, error) {
	var out bytes.Buffer
	at := func(name string) string { return filepath.Join(w.dir, name) }
	args = append([]string{
		"-list", at("list"), "-results", at("results"), "-page", at("page"), "-mcpsf", at("mcpsf"), "-date", "2026-01-02",
	}, args...)
	err := run(ctx, args, &out, &out, append(os.Environ(), "RUNS="+w.runs))
	return out.String(), err
}

func (w *world) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestRun(t *testing.T) {
	w := newWorld(t, "npm:good@1 account=none\nnpm:mute@1 account=none\nnpm:gone@1 account=real a note\n")
	if out, err := w.run(t.Context(), "-only", "good"); err != nil {
		t.Fatal(err, out)
	}
	if got := strings.Count(w.read(t, "runs"), "\n"); got != 1 {
		t.Errorf("-only ran %d servers, want 1", got)
	}
	if out, err := w.run(t.Context()); err != nil {
		t.Fatal(err, out)
	}
	if got := strings.Count(w.read(t, "runs"), "\n"); got != 3 {
		t.Errorf("%d runs, want 3: what was done is not done again", got)
	}
	if out, err := w.run(t.Context(), "-again", "-fresh"); err != nil {
		t.Fatal(err, out)
	}
	if got := strings.Count(w.read(t, "runs"), "\n"); got != 5 {
		t.Errorf("%d runs, want 5: -again repeats the two that failed", got)
	}
	page := w.read(t, "page")
	for _, want := range []string{
		"2026-01-02", "**1 of 2 (50%)**", "| that need a real account or a running service | 0 of 1 (0%) |",
		"| mute 1 | none | **installed** | it said [31m&lt;nothing> |",
		"| gone 1 | real | **nothing** | mcpsf: there is no such package (a note) |",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if strings.ContainsRune(page, '\x1b') {
		t.Error("an escape sequence came through to the page")
	}
	if !strings.Contains(w.read(t, "results"), "usage: give a key") {
		t.Error("the stderr of the server that did not start is not kept")
	}
}

func TestInterrupt(t *testing.T) {
	w := newWorld(t, "npm:good@1 account=none\nnpm:slow@1 account=none\n")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(w.runs + ".slow"); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	_, err := w.run(ctx)
	if err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("got %v, want it to say that it was interrupted", err)
	}
	if results := w.read(t, "results"); strings.Count(results, "\n") != 1 || !strings.Contains(results, "good") {
		t.Errorf("results %q, want the one that was finished", results)
	}
}

func TestBrokenBinary(t *testing.T) {
	w := newWorld(t, "npm:good@1 account=none\n")
	if err := os.Remove(filepath.Join(w.dir, "mcpsf")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.run(t.Context()); err == nil {
		t.Error("a binary that is not there counts as a result")
	}
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"x"}, {"-date", "yesterday"}, {"-list", "/nonexistent/list"}} {
		if err := run(t.Context(), args, &bytes.Buffer{}, &bytes.Buffer{}, nil); err == nil {
			t.Errorf("%v is accepted", fmt.Sprint(args))
		}
	}
}
