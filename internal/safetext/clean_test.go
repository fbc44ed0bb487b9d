package safetext

import (
	"strings"
	"testing"
)

func TestClean(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "/home/dev/x", "/home/dev/x"},
		{"accents and wide", "café 日本", "café 日本"},
		{"escape", "\x1b[31mred", `\u{1b}[31mred`},
		{"line breaks", "a\r\n\tb", `a\r\n\tb`},
		{"c1", "\u009b31m", `\u{9b}31m`},
		{"bidi", "a\u202eb\u2066c", `a\u{202e}b\u{2066}c`},
		{"zero width", "a\u200bb\u200d\ufeff", `a\u{200b}b\u{200d}\u{feff}`},
		{"variation selector", "a\ufe01", `a\u{fe01}`},
		{"tag", "\U000e0061", `\u{e0061}`},
		{"hangul filler", "a\u3164b", `a\u{3164}b`},
		{"odd space", "a\u00a0b", `a\u{a0}b`},
		{"invalid", "a\xff\xc3", `a\xff\xc3`},
		{"del", "\x7f", `\u{7f}`},
		{"tower", "e\u0301\u0302\u0303\u0304", "e\u0301\u0302" + `\u{303}\u{304}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Clean(tt.in); got != tt.want {
				t.Errorf("Clean(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
	if got := ASCII("café"); got != `caf\u{e9}` {
		t.Errorf("in ASCII: %q", got)
	}
	if got := Clean(strings.Repeat("é", 1<<20)); len(got) > MaxText+3 || !strings.HasSuffix(got, "é...") {
		t.Errorf("a long string became %d bytes ending in %q", len(got), got[len(got)-6:])
	}
}
