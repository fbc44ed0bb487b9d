package canary

import (
	"strings"
	"unicode/utf8"
)

// What is known of the beginning of an escape.
const (
	unfinished = iota
	noEscape
	finished
)

// unescape decodes one escape, if b is a whole one.
func unescape(kind int, b []byte, out *[utf8.UTFMax]byte) (size, state int) {
	if len(b) < 2 {
		return 0, unfinished
	}
	if len(b) > longestEscape {
		return 0, noEscape
	}
	switch kind {
	case percent:
		if b[1] == 'u' {
			return fixedHex(b, 2, 4, true, out)
		}
		return fixedHex(b, 1, 2, false, out)
	case backslash:
		return unescapeBackslash(b, out)
	default:
		return unescapeEntity(b, out)
	}
}

func unescapeBackslash(b []byte, out *[utf8.UTFMax]byte) (size, state int) {
	switch c := b[1]; {
	case c == 'x' || c == 'X':
		return fixedHex(b, 2, 2, false, out)
	case c == 'u' && len(b) > 2 && b[2] == '{':
		if last := b[len(b)-1]; last != '}' {
			return digitsSoFar(b[3:], 16)
		}
		return number(b[3:len(b)-1], 16, out)
	case c == 'u' || c == 'U':
		return fixedHex(b, 2, 4, true, out)
	case c >= '0' && c <= '3':
		return octal(b, out)
	default:
		out[0] = c
		if i := strings.IndexByte("nrtbfv", c); i >= 0 {
			out[0] = "\n\r\t\b\f\v"[i]
		}
		return 1, finished
	}
}

// octal reads three digits; fewer are too ambiguous.
func octal(b []byte, out *[utf8.UTFMax]byte) (size, state int) {
	for _, c := range b[1:] {
		if c < '0' || c > '7' {
			return 0, noEscape
		}
	}
	if len(b) < 4 {
		return 0, unfinished
	}
	out[0] = b[1]<<6 | (b[2]-'0')<<3 | b[3] - '0'
	return 1, finished
}

func unescapeEntity(b []byte, out *[utf8.UTFMax]byte) (size, state int) {
	last := b[len(b)-1]
	switch {
	case b[1] == '#' && last == ';' && len(b) > 4 && (b[2] == 'x' || b[2] == 'X'):
		return number(b[3:len(b)-1], 16, out)
	case b[1] == '#' && last == ';' && len(b) > 3:
		return number(b[2:len(b)-1], 10, out)
	case b[1] == '#' && len(b) > 2 && (b[2] == 'x' || b[2] == 'X'):
		return digitsSoFar(b[3:], 16)
	case b[1] == '#':
		return digitsSoFar(b[2:], 10)
	case last == ';':
		names := [...]string{"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"}
		for i, name := range names {
			if string(b) == name {
				out[0] = `&<>"'`[i]
				return 1, finished
			}
		}
		return 0, noEscape
	case last < 'a' || last > 'z':
		return 0, noEscape
	default:
		return 0, unfinished
	}
}

// fixedHex decodes a number of hexadecimal digits: a character or a byte.
func fixedHex(b []byte, from, digits int, char bool, out *[utf8.UTFMax]byte) (size, state int) {
	if len(b) > from && hexValue(b[len(b)-1]) < 0 {
		return 0, noEscape
	}
	if len(b) < from+digits {
		return 0, unfinished
	}
	if char {
		return number(b[from:], 16, out)
	}
	out[0] = byte(hexValue(b[from])<<4 | hexValue(b[from+1]))
	return 1, finished
}

func digitsSoFar(b []byte, base int) (size, state int) {
	for _, c := range b {
		if v := hexValue(c); v < 0 || v >= base {
			return 0, noEscape
		}
	}
	return 0, unfinished
}

func number(b []byte, base int, out *[utf8.UTFMax]byte) (size, state int) {
	r := 0
	for _, c := range b {
		v := hexValue(c)
		if v < 0 || v >= base || r > utf8.MaxRune {
			return 0, noEscape
		}
		r = r*base + v
	}
	if r > utf8.MaxRune {
		return 0, noEscape
	}
	if r <= 0xff {
		out[0] = byte(r) // strings contain binary data more often than secrets contain these letters
		return 1, finished
	}
	return utf8.EncodeRune(out[:], rune(r)), finished
}

func hexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	default:
		return -1
	}
}
