package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/bench/twobuilds"
)

func filled(t *testing.T, text string) *result {
	t.Helper()
	rep := &mcpsf.Report{}
	if err := json.Unmarshal([]byte(text), rep); err != nil {
		t.Fatal(err)
	}
	r := &result{}
	r.Fill(rep)
	return r
}

// Both builds are counted by their sessions: a tool counts once, and only by its own
// calls.
func TestFill(t *testing.T) {
	before, after := filled(t, oldNotes), filled(t, newNotes)
	want := &result{Band: "INCONCLUSIVE", Installing: 30, Tools: []tool{{Name: "read", Failed: "refused"}, {Name: "find", Failed: "refused"}, {Name: "draw"}}}
	if diff := cmp.Diff(want, before); diff != "" {
		t.Error(diff)
	}
	if after.worked() != 1 || after.Installing != 0 || after.Tools[0].Reason != "" || after.Tools[2].Help != "install dot on this machine" {
		t.Errorf("%+v", after)
	}
	if strings.ContainsRune(after.Tools[1].Reason, '\x1b') {
		t.Errorf("%q", after.Tools[1].Reason)
	}
	if got, want := after.Outcome(), "1 of 3 tools, PASS"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNoTools(t *testing.T) {
	for text, want := range map[string]string{
		`{"installation": {"failed": "no wheel"}, "session": {"ending": "x"}}`:                  "no wheel",
		`{"session": {"ending": "it crashed"}, "verdict": {"reasons": ["r"]}}`:                  "it crashed",
		`{"verdict": {"reasons": ["it did not start"]}, "session": {"tools": [{"name": "t"}]}}`: "",
		`{"verdict": {"reasons": ["it did not start."]}}`:                                       "it did not start.",
	} {
		if got := filled(t, text).Why; got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestNeedsAccount(t *testing.T) {
	for _, tt := range []struct {
		name, listed, report string
		want                 bool
	}{
		{"nothing", "none", `{}`, false},
		{"the list", "real", `{}`, true},
		{"broken", "broken", `{}`, false},
		{"a variable", "none", `{"declared": {"env": ["MAIL_API_KEY=x"]}}`, true},
		{"a public half", "none", `{"declared": {"env": ["AWS_ACCESS_KEY_ID=x"]}}`, true},
		{"a flag", "none", `{"declared": {"command": ["--figma-api-key=x", "--stdio"]}}`, true},
		{"a flag before its value", "none", `{"declared": {"command": ["--auth-token", "x"]}}`, true},
		{"no flag", "none", `{"declared": {"command": ["token", "/home/token"]}}`, false},
		{"other variables", "none", `{"declared": {"env": ["AWS_REGION=x", "TOKEN_LIMIT=3", "API_URL=https://a.example/?key"]}}`, false},
		{"the environment of all", "none", `{"artifact": {"env": ["GITHUB_TOKEN=x"]}}`, false},
		{"a tool wants an account", "none", toolWithHelp("an account: --env with a credential"), true},
		{"a tool wants a variable", "none", toolWithHelp("--env MAIL_API_KEY=..."), true},
		{"a tool wants a program", "none", toolWithHelp("install dot on this machine"), false},
	} {
		if got := needsAccount(tt.listed, &result{}, filled(t, tt.report)); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func toolWithHelp(help string) string {
	return `{"session": {"tools": [{"name": "t"}]}, "coverage": {"tools": [{"name": "t", "reason": "r", "help": "` + help + `"}]}}`
}

func TestKindOf(t *testing.T) {
	for _, tt := range []struct {
		status       mcpsf.CallStatus
		reason, help string
		want         kind
	}{
		{"", "it was not called", "", notCalled},
		{mcpsf.CallCrashed, "exit code 1", "", crash},
		{mcpsf.CallTimeout, "was called off", "", timeout},
		{mcpsf.CallRefused, "spawn dot ENOENT", "install dot on this machine", missingProgram},
		{mcpsf.CallRefused, "launch", "install Chromium on this machine", browser},
		{mcpsf.CallRefused, "no", "--env MAIL_API_KEY=...", credential},
		{mcpsf.CallRefused, "no", "an account: --env with a credential of a test account", credential},
		{mcpsf.CallRefused, "no", "a service that it connects to: --network allow for its host", service},
		{mcpsf.CallRefused, "sh: 1: kubectl: not found", "", missingProgram},
		{mcpsf.CallRefused, "Could not find Chrome (ver. 131)", "", browser},
		{mcpsf.CallRefused, "Failed to connect to database: getaddrinfo ENOTFOUND base", "", service},
		{mcpsf.CallRefused, "dial tcp: lookup k8s.example: no such host", "", service},
		{mcpsf.CallRefused, "HTTP error 403", "", credential},
		{mcpsf.CallRefused, "Request timed out", "", timeout},
		{mcpsf.CallRefused, "error -32603: Cannot read properties of undefined (reading 'map')", "", poorAnswer},
		{mcpsf.CallRefused, `[ { "expected": "array", "code": "invalid_type", "path": [], "message": "Invalid input" } ]`, "", poorAnswer},
		{mcpsf.CallRefused, "MCP error -32602: Output validation error: Invalid structured content", "", poorAnswer},
		{mcpsf.CallRefused, "Unexpected token < in JSON at position 0", "", poorAnswer},
		{mcpsf.CallRefused, "No web results found", "", poorAnswer},
		{mcpsf.CallRefused, "MCP error -32602: Input validation error: expected string, received undefined", "", badInput},
		{mcpsf.CallRefused, "1 validation error for searchArguments", "", badInput},
		{mcpsf.CallRefused, "jobId is required", "", badInput},
		{mcpsf.CallRefused, "Path 'a.md' must point to an Excel file", "", badInput},
		{mcpsf.CallRefused, "Error: Rate limit exceeded", "", other},
		{mcpsf.CallGarbled, "the result is not JSON", "", other},
		{mcpsf.CallRefused, "", "", other},
	} {
		if got := kindOf(&tool{Failed: tt.status, Reason: tt.reason, Help: tt.help}); got != tt.want {
			t.Errorf("%s %q, %q: %s, want %s", tt.status, tt.reason, tt.help, got, tt.want)
		}
	}
}

func TestTime(t *testing.T) {
	run := func(seconds, installing float64, band mcpsf.Band) *result {
		return &result{Run: twobuilds.Run{Seconds: seconds}, Installing: installing, Band: band}
	}
	p := newPage([]twobuilds.Pair[*result]{
		{Source: "a", Before: run(50, 30, "PASS"), After: run(30, 0, "PASS")},
		{Source: "b", Before: run(900, 0, "PASS"), After: run(1, 0, "")}, // one wrote no report
	}, nil)
	figures := p.Figures()
	want := figure{"time, as a multiple of that before", "1.00", "1.50", "1.00", "1.50"}
	if diff := cmp.Diff(want, figures[len(figures)-1]); diff != "" {
		t.Error(diff)
	}
}

// An example with a reason is better than the first.
func TestGroups(t *testing.T) {
	failed := func(names ...string) *result {
		r := &result{Band: "PASS"}
		for _, name := range names {
			name, reason, _ := strings.Cut(name, ":")
			r.Tools = append(r.Tools, tool{Name: name, Failed: mcpsf.CallRefused, Reason: reason})
		}
		return r
	}
	p := newPage([]twobuilds.Pair[*result]{
		{Source: "a", Before: failed("x"), After: failed("one", "two")},
		{Source: "b", Before: failed("x"), After: failed("three:odd", "four:jobId is required")},
	}, nil)
	got := p.Groups()
	if len(got) != 2 {
		t.Fatalf("%+v", got)
	}
	for i, want := range []group{{Kind: badInput, Tools: 1, Servers: 1, Source: "b"}, {Kind: other, Tools: 3, Servers: 2, Source: "b"}} {
		want.Example = got[i].Example
		if diff := cmp.Diff(want, got[i]); diff != "" {
			t.Error(diff)
		}
	}
	if got[0].Example.Name != "four" || got[1].Example.Name != "three" {
		t.Errorf("%+v, %+v", got[0].Example, got[1].Example)
	}
}
