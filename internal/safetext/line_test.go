package safetext

import (
	"strings"
	"testing"
)

func TestLine(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want string
	}{
		{"plain words", 20, "plain words"},
		{"  two\r\n\tlines \x1b[31m ", 40, "two lines [31m"},
		{"a\u202eb\u200bc\u009bd\U000e0041e", 40, "a b c d e"},
		{"\xff\xfeé", 10, "é"},
		{"ééééé", 5, "éé"},
		{"e\u0301\u0302\u0303\u0304x", 20, "e\u0301\u0302 x"},
		{strings.Repeat("x", 1<<20), 3, "xxx"},
	} {
		if got := Line(tt.in, tt.n); got != tt.want {
			t.Errorf("Line(%.20q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add("a\u202eb\x1b", 4)
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = min(max(n, 0), 1000)
		got := Line(s, n)
		if len(got) > n || strings.ContainsFunc(got, Hidden) {
			t.Errorf("Line(%q, %d) = %q", s, n, got)
		}
	})
}
