package lex

import "strings"

// Meaningless tells a label that holds data from one that somebody chose to
// be read: a long run of letters and digits that take turns, or hardly a vowel.
// A number counts nothing, and neither does the form in which names of other
// alphabets are written.
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
			continue // hyphens separate words and groups alike
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
	case digits >= 2 && turns >= 3: // hexadecimal and base32 of anything
		return true
	}
	return letters >= 12 && vowels*5 < letters
}
