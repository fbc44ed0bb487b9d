package safetext

import (
	"encoding/json"
	"testing"
)

func FuzzJSON(f *testing.F) {
	for _, s := range []string{"plain", "\x1b[31m\x7f\u009b", "\u202e\u200b é 日本 \U0001f600", "\xff", "<&>\u2028"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := JSON(map[string]string{"k": s})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range got {
			if c != '\n' && (c < ' ' || c > '~') {
				t.Fatalf("%q has %#x", got, c)
			}
		}
		var back, plain map[string]string
		text, _ := json.Marshal(map[string]string{"k": s})
		if json.Unmarshal(got, &back) != nil || json.Unmarshal(text, &plain) != nil || back["k"] != plain["k"] {
			t.Errorf("%q became %q", s, back["k"])
		}
	})
}
