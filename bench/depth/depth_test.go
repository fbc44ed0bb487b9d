package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The reports of two servers, by the older build, which does not say why tools did
// not work, and by the newer one.
const (
	oldNotes = `{
  "tool": {"version": "v1"}, "verdict": {"band": "INCONCLUSIVE"},
  "installation": {"seconds": 30},
  "session": {
    "tools": [{"name": "read"}, {"name": "find"}, {"name": "draw"}, {"name": "read"}],
    "calls": [
      {"method": "tools/list", "status": "ok"},
      {"method": "tools/call", "tool": "read", "status": "refused", "note": "no"},
      {"method": "prompts/get", "tool": "read", "status": "ok"},
      {"method": "tools/call", "tool": "unlisted", "status": "ok"},
      {"method": "tools/call", "tool": "find", "status": "refused", "note": "no"}
    ]
  }
}`
	newNotes = `{
  "tool": {"version": "v2"}, "verdict": {"band": "PASS"},
  "installation": {"seconds": 30, "cached": true},
  "session": {
    "tools": [{"name": "read"}, {"name": "find"}, {"name": "draw"}],
    "calls": [
      {"method": "tools/call", "tool": "read", "status": "ok"},
      {"method": "tools/call", "tool": "read", "status": "timeout"},
      {"method": "tools/call", "tool": "find", "status": "refused"},
      {"method": "tools/call", "tool": "draw", "status": "refused"}
    ]
  },
  "coverage": {"tools": [
    {"name": "read", "called": 2, "worked": 1},
    {"name": "find", "called": 1, "worked": 0, "reason": "Cannot read | <b>properties</b> of undefined \u001b[31m"},
    {"name": "draw", "called": 1, "worked": 0, "reason": "see [this](http://a.example) and --unsafe", "help": "install dot on this machine"}
  ]}
}`
	mail = `{
  "verdict": {"band": "LOW"},
  "declared": {"command": ["--verbose"], "env": ["MAIL_API_KEY=made-up-value"]},
  "session": {"tools": [{"name": "send"}], "calls": [{"method": "tools/call", "tool": "send", "status": "ok"}]}
}`
)

// fakeBinary notes its start and leaves a report.
const fakeBinary = `#!/bin/sh
echo "%[1]s $2" >>"%[2]s/starts"
source=$2
while [ $# -gt 0 ]; do [ "$1" = --output ] && out=$2; shift; done
mkdir -p "$out"
case "$source" in
npm:notes*) cat >"$out/report.json" <<'EOF'
%[3]s
EOF
;;
npm:mail*) cat >"$out/report.json" <<'EOF'
%[4]s
EOF
;;
*) echo "mcpsf: there is no such package" >&2; exit 2;;
esac
`

// world is a folder with two binaries and a list.
type world struct {
	dir  string
	args []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{dir: t.TempDir()}
	for name, text := range map[string]string{
		"old":  fmt.Sprintf(fakeBinary, "old", w.dir, oldNotes, mail),
		"new":  fmt.Sprintf(fakeBinary, "new", w.dir, newNotes, mail),
		"list": "npm:notes@1 account=none\nnpm:mail@1 account=none\npypi:gone==1 account=real wants a login\n",
	} {
		if err := os.WriteFile(w.at(name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.args = []string{"-before", w.at("old"), "-after", w.at("new"), "-list", w.at("list"), "-work", w.at("work"), "-page", w.at("page.md")}
	return w
}

func (w *world) at(name string) string { return filepath.Join(w.dir, name) }

// run runs the command and returns the page, and how often binaries were started.
func (w *world) run(t *testing.T, more ...string) (page string, starts int) {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), append(slices.Clone(w.args), more...), &out, &out, os.Environ()); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	raw, err := os.ReadFile(w.at("page.md"))
	if err != nil {
		t.Fatal(err)
	}
	started, _ := os.ReadFile(w.at("starts")) // absent before the first
	return string(raw), strings.Count(string(started), "\n")
}

func TestPage(t *testing.T) {
	w := newWorld(t)
	page, _ := w.run(t)
	for _, want := range []string{
		"Written by go run ./bench/depth;",
		"Before: mcpsf `v1`, digest `", "After: mcpsf `v2`, digest `", "Profile safe.",
		"| servers | 3 | 3 | 1 | 1 |\n",
		"| tools | 4 | 4 | 3 | 3 |\n",
		"| tools that worked at least once | 1 (25 %) | 2 (50 %) | 0 (0 %) | 1 (33 %) |\n",
		"| servers with no tool that worked | 2 (67 %) | 1 (33 %) | 1 (100 %) | 0 (0 %) |\n",
		"| of these, servers that listed no tool | 1 | 1 | 0 | 0 |\n",
		"| servers without a report | 1 | 1 | 0 | 0 |\n",
		"| INCONCLUSIVE | 1 (33 %) | 0 (0 %) | 1 (100 %) | 0 (0 %) |\n",
		"| missing program | 1 | 1 | `draw` of `npm:notes@1`: see `[this] (http://a.example`) and ` --unsafe` |\n",
		"| answer lacks something | 1 | 1 | `find` of `npm:notes@1`: Cannot read `\\u{7c} <b>properties</b>` of undefined `[31m` |\n",
		"| `npm:notes@1` |  | 0 of 3 | 1 of 3 | INCONCLUSIVE | PASS | ",
		" | missing program 1, answer lacks something 1 |\n",
		"| `npm:mail@1` | needed | 1 of 1 | 1 of 1 | LOW | LOW | ",
		"| `pypi:gone==1` | needed | no report | no report |  |  | ",
		" | mcpsf: there is no such package |\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if t.Failed() {
		t.Log(page)
	}
	if strings.ContainsAny(page, "\x1b") || strings.Contains(page, "made-up-value") || strings.Contains(page, "](http") {
		t.Errorf("a text came through:\n%s", page)
	}
	results, err := os.ReadFile(filepath.Join(w.at("work"), "results.jsonl"))
	if err != nil || strings.Contains(string(results), "made-up-value") {
		t.Errorf("%v: a credential is kept: %s", err, results)
	}
}

// What has a result is not run again, and a page of it needs no run.
func TestRunIsResumed(t *testing.T) {
	w := newWorld(t)
	page, starts := w.run(t, "-render")
	if starts != 0 || !strings.Contains(page, "No server was assessed by both builds yet.") || strings.Contains(page, "| --- |") {
		t.Errorf("%d starts, page:\n%s", starts, page)
	}
	page, starts = w.run(t, "-only", "mail,nothing")
	if starts != 2 || strings.Contains(page, "notes") {
		t.Errorf("%d starts, want 2, page:\n%s", starts, page)
	}
	first, starts := w.run(t)
	if starts != 6 {
		t.Errorf("%d starts, want 6: what was done is not done again", starts)
	}
	for _, flag := range []string{"-render", "-timeout=1m"} {
		again, starts := w.run(t, flag)
		if diff := cmp.Diff(first, again); diff != "" || starts != 6 {
			t.Errorf("%d starts, want 6; %s", starts, diff)
		}
	}
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{}, {"-before", "a", "-after", "b", "c"}, {"-before", "a", "-after", "b", "-list", "/nonexistent/list"}} {
		if err := run(t.Context(), args, &bytes.Buffer{}, &bytes.Buffer{}, nil); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
