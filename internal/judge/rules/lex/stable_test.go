package lex

import (
	"testing"

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

// The quick check never rules out a name that the pattern would change.
func FuzzStable(f *testing.F) {
	for _, s := range []string{"a-1234", "deadbeef", "/proc/7/x", "2026-01-02T03"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := Stable(text); varying.MatchString(quote.Cut(text, MaxPath)) && !varies(quote.Cut(text, MaxPath)) {
			t.Errorf("%q has something to take out: %q", text, got)
		}
	})
}
