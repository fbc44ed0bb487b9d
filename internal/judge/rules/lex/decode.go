package lex

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Decoded is a text that another one decodes to.
type Decoded struct {
	Text string
	// Ways are the encodings that were undone, the outermost first.
	Ways []string
}

const (
	// maxDecodings is how often a text is decoded again; maxDecoded is how many
	// texts come of it.
	// no gap: what is not decoded explains nothing, and opening the file is an event
	maxDecodings, maxDecoded = 3, 64
	// leastEncoded is the length from which a text is taken for base64, base32
	// or hexadecimal. Shorter ones decode by chance.
	leastEncoded = 8
)

// Decode returns what a short text decodes to in the encodings that programs
// undo with one call, also several of them. It does not return the text itself.
func Decode(text string) []Decoded {
	if len(text) > MaxPath {
		return nil
	}
	all := []Decoded{{Text: text}}
	seen := map[string]bool{text: true}
	for at := 0; at < len(all) && len(all) < maxDecoded; at++ {
		if len(all[at].Ways) >= maxDecodings {
			continue
		}
		for _, way := range ways() {
			plain, ok := way.decode(all[at].Text)
			if !ok || seen[plain] || !readable(plain) {
				continue
			}
			seen[plain] = true
			all = append(all, Decoded{Text: plain, Ways: append(slices.Clip(all[at].Ways), way.name)})
		}
	}
	return all[1:]
}

type way struct {
	name   string
	decode func(string) (string, bool)
}

func ways() []way {
	return []way{
		{"percent-encoding", func(s string) (string, bool) { d, err := url.PathUnescape(s); return d, err == nil }},
		{"HTML entities", func(s string) (string, bool) { return html.UnescapeString(s), strings.Contains(s, "&") }},
		{"escapes", unescaped},
		{"base64", base64Text},
		{"base32", func(s string) (string, bool) {
			return bytesOf(s, base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString, strings.ToUpper)
		}},
		{"hexadecimal", func(s string) (string, bool) { return bytesOf(s, hex.DecodeString, strings.ToLower) }},
		{"reversal", func(s string) (string, bool) { r := []rune(s); slices.Reverse(r); return string(r), true }},
		{"rot13", func(s string) (string, bool) { return strings.Map(rot13, s), true }},
	}
}

// Scrambles tells whether one of the ways turns every text into another of the
// same form: backwards, each name of a host looks like one.
func Scrambles(ways []string) bool {
	return slices.Contains(ways, "reversal") || slices.Contains(ways, "rot13")
}

func base64Text(s string) (string, bool) {
	return bytesOf(strings.NewReplacer("-", "+", "_", "/").Replace(s), base64.RawStdEncoding.DecodeString, nil)
}

// bytesOf decodes a text without its padding.
func bytesOf(s string, decode func(string) ([]byte, error), form func(string) string) (string, bool) {
	s = strings.TrimRight(strings.TrimSpace(s), "=")
	if len(s) < leastEncoded {
		return "", false
	}
	if form != nil {
		s = form(s)
	}
	plain, err := decode(s)
	return string(plain), err == nil
}

// unescaped undoes the escapes of string literals.
func unescaped(s string) (string, bool) {
	if !strings.Contains(s, `\`) {
		return "", false
	}
	plain, err := strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`)
	return plain, err == nil
}

func rot13(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return 'a' + (r-'a'+13)%26
	case r >= 'A' && r <= 'Z':
		return 'A' + (r-'A'+13)%26
	}
	return r
}

// readable tells whether a decoded text consists of printable ASCII. Paths and
// hosts do; bytes that happened to decode mostly do not.
func readable(s string) bool {
	if s == "" || !utf8.ValidString(s) {
		return false
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
