package lex

import "strings"

// Meaningless tells whether a label looks like encoded data and not like a
// readable name: very long, letters and digits alternating, or hardly a vowel.
// Short numbers and punycode (xn--) do not count.
func Meaningless(label string) bool {
	if len(label) < 6 || strings.HasPrefix(label, "xn--") {
		return false
	}
	digits, vowels, letters, turns := 0, 0, 0, 0
	var last byte
	for i := range len(label) {
		c := label[i] | 0x20
		kind := byte('l')
		switch {
		case label[i] >= '0' && label[i] <= '9':
			kind = 'd'
			digits++
		case c >= 'a' && c <= 'z':
			letters++
			if strings.IndexByte("aeiouy", c) >= 0 {
				vowels++
			}
		default:
			continue // ignore separators: words and groups both have them
		}
		if last != 0 && kind != last {
			turns++
		}
		last = kind
	}
	switch {
	case len(label) >= 40:
		return true
	case letters == 0:
		return len(label) >= 16
	case digits >= 2 && turns >= 3: // as in hexadecimal or base32
		return true
	}
	return letters >= 12 && vowels*5 < letters
}
