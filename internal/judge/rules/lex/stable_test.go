package lex

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

func TestStable(t *testing.T) {
	tests := []struct{ in, want string }{
		{"/proc/1234/mem", "/proc/#/mem"},
		{"/proc/7/mem", "/proc/#/mem"},
		{"/home/dev/passwords-2025-08-17.csv", "/home/dev/passwords-#.csv"},
		{"/home/dev/IMG_20250817_101500.png", "/home/dev/IMG_#_#.png"},
		{"/tmp/x-3f2a9c81d0", "/tmp/x-#"},
		{"/home/dev/.ssh/id_rsa", "/home/dev/.ssh/id_rsa"},
		{"192.0.2.7 port 443", "192.0.2.7 port 443"},
		{"deadbeef", "deadbeef"},
	}
	for _, tt := range tests {
		if got := Stable(tt.in); got != tt.want {
			t.Errorf("stable(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// Stable does what the pattern says.
func FuzzStable(f *testing.F) {
	varying := regexp.MustCompile(`[0-9a-fA-F]*[0-9][0-9a-fA-F]{7,}|[0-9]{4,}(?:[-_.T][0-9]{2,})*`)
	for _, s := range []string{"a-1234", "deadbeef", "/proc/7/x", "2026-01-02T03", "abcdef1234567g", "fff12345678-22", "1234-5-66", "12345678901"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.HasPrefix(text, "/proc/") {
			return // has a rule of its own
		}
		if got, want := Stable(text), varying.ReplaceAllString(quote.Cut(text, MaxPath), "#"); got != want && utf8.ValidString(text) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	})
}
