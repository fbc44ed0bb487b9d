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

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/bench/twobuilds"
)

func TestReadList(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"- source: npm:@a/b@1.2.3\n- source: pypi:c==2.0\n  why: asks for a folder\n", ""},
		{"- source: npm:@a/b\n", "not of the form"},
		{"- source: pypi:c\n", "not of the form"},
		{"- source: npm:b@latest\n", "not of the form"},
		{"- source: oci:c@1\n", "not of the form"},
		{"- source: npm:b@1\n- source: npm:b@1\n", "twice"},
		{"- name: npm:b@1\n", "name"},
	} {
		file := filepath.Join(t.TempDir(), "list.yaml")
		if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := readList(file)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%q: %v, want %q", tt.text, err, tt.want)
		}
	}
}

// The list in the repository has servers of both registries.
func TestTheListIsLargeEnough(t *testing.T) {
	list, err := readList("servers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	python := 0
	for _, s := range list {
		if strings.HasPrefix(s, "pypi:") {
			python++
		}
	}
	if len(list) < 60 || python < 20 {
		t.Errorf("%d servers, %d of them from PyPI", len(list), python)
	}
}

func TestChanges(t *testing.T) {
	of := func(change func(*result)) *result {
		r := &result{Band: mcpsf.BandPass, Score: 5, Confidence: mcpsf.ConfidenceHigh, Findings: []alarm{{ID: "ssrf", Severity: mcpsf.SeverityMedium, Tool: "get"}}}
		if change != nil {
			change(r)
		}
		return r
	}
	for _, tt := range []struct {
		name   string
		change func(*result)
		want   []string
	}{
		{"nothing", nil, nil},
		{"other words", func(r *result) { r.Findings[0].Message = "x" }, nil},
		{"a band", func(r *result) { r.Band, r.Score, r.Exit = mcpsf.BandHigh, 60, 1 }, []string{"PASS → HIGH", "score 5 → 60", "exit 0 → 1"}},
		{"less was seen", func(r *result) {
			r.Confidence, r.Reasons = mcpsf.ConfidenceMedium, []string{"code never ran", "and more"}
		}, []string{"confidence high → medium", "because code never ran"}},
		{"another finding", func(r *result) { r.Findings[0].Tool = "put" }, []string{"new ssrf (medium, put)", "gone ssrf (medium, get)"}},
		{"no report", func(r *result) { *r = result{Run: twobuilds.Run{Error: "not found", Exit: 4}} }, []string{
			"error none → not found", "PASS →", "score 5 → 0", "confidence high →", "exit 0 → 4", "gone ssrf (medium, get)",
		}},
	} {
		if diff := cmp.Diff(tt.want, changes(of(nil), of(tt.change))); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

// What a server says cannot break the table.
func TestCell(t *testing.T) {
	if got := cell("a|b\n`c` <img> \x1b[31m"); strings.ContainsAny(got, "|\n`<>\x1b") {
		t.Errorf("%q", got)
	}
}

// fakeBinary notes its start and leaves a report with its own score.
const fakeBinary = `#!/bin/sh
echo "%[2]d $2" >>"%[1]s/starts"
while [ $# -gt 0 ]; do [ "$1" = --output ] && out=$2; shift; done
mkdir -p "$out"
printf '{"verdict": {"band": "PASS", "score": %[2]d, "confidence": {"level": "high"}}}' >"$out/report.json"
exit 3
`

// Both binaries assess each server once; what has a result is not run again.
func TestRunIsResumed(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return file
	}
	args := []string{
		"-before", write("old", fmt.Sprintf(fakeBinary, dir, 1)), "-after", write("new", fmt.Sprintf(fakeBinary, dir, 2)),
		"-list", write("list.yaml", "- source: npm:a@1\n- source: pypi:b==2\n"), "-work", filepath.Join(dir, "work"), "-page", filepath.Join(dir, "page.md"),
	}
	try := func(want []string, more ...string) {
		t.Helper()
		var out bytes.Buffer
		if err := run(t.Context(), append(slices.Clone(args), more...), &out, &out, os.Environ()); err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
		raw, err := os.ReadFile(filepath.Join(dir, "starts"))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(string(raw)), "\n")); diff != "" {
			t.Error(diff)
		}
	}
	first := []string{"1 npm:a@1", "2 npm:a@1"}
	try(first, "-only", "npm:,nothing")
	all := append(first, "1 pypi:b==2", "2 pypi:b==2")
	results := filepath.Join(dir, "work", twobuilds.ResultsFile)
	raw, err := os.ReadFile(results)
	if err != nil {
		t.Fatal(err)
	}
	write("work/"+twobuilds.ResultsFile, string(raw)+`{"source": "pypi:b==2", "bin`)
	try(all)
	try(all)
	page, err := os.ReadFile(filepath.Join(dir, "page.md"))
	if err != nil || !strings.Contains(string(page), "| npm:a@1 | PASS 1, high, exit 3 | PASS 2, high, exit 3 |  |  | score 1 → 2 |\n") {
		t.Errorf("%v\n%s", err, page)
	}
	again := append(slices.Clone(all), "1 npm:a@1", "1 pypi:b==2")
	try(again, "-after", filepath.Join(dir, "old"))
}
