package safetext

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

func TestInert(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "a: b\n## Title\n", "a: b\n## Title\n"},
		{"command", "::error::x\n", `\u{3a}:error::x` + "\n"},
		{"after spaces", "a\n \t ::x\n", "a\n \t " + `\u{3a}:x` + "\n"},
		{"within a line", "std::string\n", "std::string\n"},
		{"azure", "x ##vso[a]\n", `x #\u{23}vso[a]` + "\n"},
		{"three hashes", "###[a]", `##\u{23}[a]`},
		{"a link", "## [a](b)", "## [a](b)"},
	} {
		if got := string(Inert([]byte(tt.in))); got != tt.want {
			t.Errorf("%s: Inert(%q) = %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
}

func TestCleanCommands(t *testing.T) {
	for in, want := range map[string]string{
		"::error::x":       `\u{3a}:error::x`,
		" ::error::x":      ` \u{3a}:error::x`,
		"::1":              "::1",
		"a::b":             "a::b",
		"##[debug]":        `#\u{23}[debug]`,
		"x ##teamcity[y z": `x #\u{23}teamcity[y z`,
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestEscapeJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":"\ud800"}`:             `{"a":"\ufffd"}`,
		`"\ud83d\ude00"`:             `"\ud83d\ude00"`,
		`"\udc00\ud800"`:             `"\ufffd\ufffd"`,
		`"\\ud800"`:                  `"\\ud800"`,
		"[\"\u202e\U0001f600\xff\"]": `["\u202e\ud83d\ude00\ufffd"]`,
		`"##vso[x] ## y"`:            `"#\u0023vso[x] ## y"`,
	} {
		var buf bytes.Buffer
		if EscapeJSON(&buf, []byte(in)); buf.String() != want {
			t.Errorf("%s became %s, want %s", in, &buf, want)
		}
	}
}

// Attributes of a log line may quote what a target wrote.
func TestAttr(t *testing.T) {
	var buf bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&buf, &slog.HandlerOptions{ReplaceAttr: Attr}))
	log.Info("a\u202e", "name", "\u3164x", "error", textError("\u009b31m"), "list", []string{"\u2800"}, "n", 3)
	if out := buf.String(); strings.ContainsFunc(out, func(r rune) bool { return r != '\n' && Hidden(r) }) || !strings.Contains(out, `"n":3`) {
		t.Errorf("%q", out)
	}
}

type textError string

func (e textError) Error() string { return string(e) }
