package main

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	judgement "github.com/mcpsf/mcpsf/internal/judge"
)

// judgedRun returns the findings of today's rules on a kept run.
func judgedRun(t *testing.T, s *shelf, name string) []mcpsf.Finding {
	t.Helper()
	r, events, err := s.get(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := judgement.Apply(r, events, s.set); err != nil {
		t.Fatal(err)
	}
	return r.Findings
}

// No rule reports a finding that a covering rule also reports for the same tool.
func TestOneRootCauseIsOneFinding(t *testing.T) {
	s, err := newShelf(filepath.Join("../../corpus", tracesDir))
	if err != nil {
		t.Fatal(err)
	}
	list, err := load("../../corpus")
	if err != nil {
		t.Fatal(err)
	}
	judged := 0
	for _, e := range list {
		if !s.has(e.Name) {
			continue
		}
		judged++
		findings := judgedRun(t, s, e.Name)
		for _, a := range findings {
			for _, b := range findings {
				if slices.Contains(s.set.Covered(a.ID), b.ID) && a.Tool == b.Tool {
					t.Errorf("%s: %s and %s both report %s", e.Name, a.ID, b.ID, a.Tool)
				}
			}
		}
	}
	if judged == 0 {
		t.Error("no run is kept")
	}
}

// The evidence decides which rule reports a root cause.
func TestRootCauses(t *testing.T) {
	s, err := newShelf(filepath.Join("../../corpus", tracesDir))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		// Which line of the source did it is not known, so what is read there stays.
		"enc-reverse":                 {"secret-exfiltration", "decoy-read", "source-secret-exfiltration", "raw-ip-contact", "source-credential-access"},
		"vuln-command-injection-1-py": {"os-command-injection"},
		// The path also leads out of the folder without a shell: that is another finding.
		"vuln-command-injection-3-js":  {"os-command-injection", "path-traversal", "home-folder-created"},
		"vuln-command-injection-4-js":  {"os-command-injection"},
		"vuln-argument-injection-1-py": {"argument-injection"},
		"vuln-sql-injection-1-py":      {"sql-injection"},
		"vuln-sql-injection-2-py":      {"sql-injection"},
		"vuln-xpath-injection-1-py":    {"xpath-injection"},
		"vuln-code-evaluation-1-js":    {"code-injection"},
		"vuln-code-evaluation-1-py":    {"code-injection"},
		"vuln-code-evaluation-2-py":    {"code-injection"},
		"vuln-template-injection-1-js": {"template-injection"},
		"vuln-template-injection-1-py": {"template-injection"},
		"vuln-deserialisation-1-js":    {"insecure-deserialization"},
		"vuln-ssrf-1-py":               {"ssrf-file-url"},
		"vuln-path-traversal-1-py":     {"path-traversal"},
		"stage-file":                   {"download-and-execute", "source-download-and-execute", "lolbin-execution"},
		"stage-curl-sh":                {"download-and-execute", "source-download-and-execute", "lolbin-execution"},
		"shell-socket":                 {"reverse-shell-confirmed", "raw-ip-contact", "source-suspicious-host"},
		"ask-model":                    {"tool-poisoning-private-file", "tool-shadowing", "sampling-all-context"},
	} {
		var got []string
		for _, f := range judgedRun(t, s, name) {
			if f.Severity != mcpsf.SeverityInfo {
				got = append(got, f.ID)
			}
		}
		if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
