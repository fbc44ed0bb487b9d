package capture

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "event 12, call 3", "event 12, call 3"},
		{"other scripts", "é 世界", "é 世界"},
		{"terminal", "\x1b[31mred\x1b]0;title\a", "[31mred]0;title"},
		{"lines", "a\r\nb\tc\u2028d\u0085e", "a  b c d e"},
		{"c1", "a\u009b31mb", "a31mb"},
		{"direction", "a\u202egpj.exe\u2066b", "agpj.exeb"},
		{"unseen", "a\u200bb\ufeffc", "abc"},
		{"no utf-8", "a\xff\xfeb", "a\ufffd\ufffdb"},
		{"only controls", "\x00\x01\x7f", ""},
		{"just fits", strings.Repeat("a", maxComment), strings.Repeat("a", maxComment)},
		{"too long", strings.Repeat("a", maxComment+1), strings.Repeat("a", maxComment-3) + "..."},
		{"cut inside a rune", strings.Repeat("世", maxComment), strings.Repeat("世", (maxComment-3)/3) + "..."},
		{"long and empty", strings.Repeat("\x00", 5*maxComment), "..."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := clean(tt.in); got != tt.want {
				t.Errorf("clean = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestCleanAllIsBounded(t *testing.T) {
	many := make([]string, 100000)
	for i := range many {
		many[i] = "x"
	}
	if got := cleanAll(many); len(got) != maxComments {
		t.Errorf("%d comments, want %d", len(got), maxComments)
	}
}

func FuzzClean(f *testing.F) {
	f.Add("plain")
	f.Add("\x1b]8;;http://a.example\x07\u202e\xff" + strings.Repeat("é", maxComment))
	f.Fuzz(func(t *testing.T, in string) {
		got := clean(in)
		if len(got) > maxComment || !utf8.ValidString(got) {
			t.Fatalf("%d bytes, valid %v", len(got), utf8.ValidString(got))
		}
		for _, r := range got {
			if r < ' ' || r >= 0x7f && r < 0xa0 {
				t.Fatalf("%U is left", r)
			}
		}
		if again := clean(got); again != got {
			t.Fatalf("not stable: %q, then %q", got, again)
		}
	})
}
