package report

import (
	"bytes"
	"encoding/json"
	"reflect"
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
	if got := clean("café", true); got != `caf\u{e9}` {
		t.Errorf("in ASCII: %q", got)
	}
	if got := Clean(strings.Repeat("é", 1<<20)); len(got) > maxText+3 || !strings.HasSuffix(got, "é...") {
		t.Errorf("a long string became %d bytes ending in %q", len(got), got[len(got)-6:])
	}
}

func FuzzClean(f *testing.F) {
	f.Add("plain")
	f.Add(pwn)
	f.Add("é\u0301\u0301\u0301")
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		if found := raw(got); found != "" || strings.Contains(got, "\n") {
			t.Errorf("Clean(%q) = %q: raw %s", s, got, found)
		}
		if again := Clean(got); len(got) < maxText && again != got {
			t.Errorf("cleaning twice: %q, then %q", got, again)
		}
		for _, r := range clean(s, true) {
			if r > 0x7e {
				t.Errorf("%q in ASCII", r)
			}
		}
	})
}

// FuzzLayout: whatever the JSON, laying it out keeps its meaning.
func FuzzLayout(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":[]},"x\"]"],"c":{}}`))
	f.Add([]byte("{\"\u202e\":\"\U000e0041\x7f\"}"))
	f.Add([]byte(`["\ud800","\ud83d\ude00\udc00","\\ud800"]`))
	f.Add([]byte(`[[[[[[[[[[1,2],{"a":{"b":[{}]}}]]]]]]]]]`))
	f.Fuzz(func(t *testing.T, src []byte) {
		var want any
		if json.Unmarshal(src, &want) != nil {
			return
		}
		var compact, out bytes.Buffer
		if err := json.Compact(&compact, src); err != nil {
			t.Fatal(err)
		}
		layout(&out, compact.Bytes())
		if found := raw(out.String()); found != "" {
			t.Errorf("raw %s", found)
		}
		var got any
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatalf("%v in %q", err, out.String())
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q means something else than %q", out.String(), src)
		}
	})
}
