package lex

import (
	"slices"
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	const key = "~/.ssh/id_rsa"
	for name, text := range map[string]string{
		"percent-encoding":         "%7E%2F%2Essh%2Fid_rsa",
		"percent-encoding twice":   "%257E%252F%252Essh%252Fid_rsa",
		"base64":                   "fi8uc3NoL2lkX3JzYQ==",
		"base64 of base64":         "Zmk4dWMzTm9MMmxrWDNKellRPT0=",
		"hexadecimal":              "7e2f2e7373682f69645f727361",
		"escapes":                  `\x7e/\u002essh/id_rsa`,
		"HTML entities":            "&#126;/&period;ssh/id_rsa",
		"reversed":                 "asr_di/hss./~",
		"rot13 in hexadecimal":     "7e2f2e6666752f76715f65666e",
		"base32":                   "PYXS443TNAXWSZC7OJZWC===",
		"base64 for addresses":     "fi8uc3NoL2lkX3JzYQ",
		"percent-encoded reversal": "asr_di%2Fhss%2E%2F~",
	} {
		found := Decode(text)
		i := slices.IndexFunc(found, func(d Decoded) bool { return d.Text == key })
		if i < 0 || len(found[i].Ways) == 0 {
			t.Errorf("%s: %q decodes to %+v", name, text, found)
		}
	}
	if found := Decode(key); slices.ContainsFunc(found, func(d Decoded) bool { return d.Text == key }) {
		t.Errorf("the text itself is returned: %+v", found)
	}
	if got := Decode(strings.Repeat("%25", 2000)); got != nil {
		t.Errorf("a long text was decoded: %d", len(got))
	}
}

// Whatever comes in, the number of texts and decodings stays bounded.
func FuzzDecode(f *testing.F) {
	f.Add("%7E%2F%2Essh")
	f.Add(strings.Repeat("%25", 100))
	f.Fuzz(func(t *testing.T, text string) {
		for i, d := range Decode(text) {
			if i > maxDecoded+len(ways()) || len(d.Ways) > maxDecodings {
				t.Fatalf("%d texts, %v", i, d.Ways)
			}
		}
	})
}
