package script

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// cook resolves the escapes of a string without its quotes.
func cook(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 >= len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		i += 1 + escape(&b, s[i+1:])
	}
	return b.String()
}

// escape writes the character of an escape and returns the escape's length.
func escape(b *strings.Builder, s string) int {
	switch s[0] {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	case 'b':
		b.WriteByte('\b')
	case 'f':
		b.WriteByte('\f')
	case 'v':
		b.WriteByte('\v')
	case '\n':
	case 'x':
		if v, err := strconv.ParseUint(s[1:min(3, len(s))], 16, 16); err == nil {
			b.WriteRune(rune(v))
			return 3
		}
	case 'u':
		return unicodeEscape(b, s)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		n := 1
		for n < 3 && n < len(s) && s[n] >= '0' && s[n] <= '7' {
			n++
		}
		v, _ := strconv.ParseUint(s[:n], 8, 16)
		b.WriteRune(rune(v))
		return n
	default:
		_, size := utf8.DecodeRuneInString(s)
		b.WriteString(s[:size])
		return size
	}
	return 1
}

// unicodeEscape reads u0041 and u{1F600}; a surrogate pair makes one character.
func unicodeEscape(b *strings.Builder, s string) int {
	v, n := hexAfterU(s)
	if n == 0 {
		b.WriteByte('u')
		return 1
	}
	if utf16.IsSurrogate(v) && strings.HasPrefix(s[n:], `\u`) {
		if low, m := hexAfterU(s[n+1:]); m > 0 {
			if r := utf16.DecodeRune(v, low); r != utf8.RuneError {
				b.WriteRune(r)
				return n + 1 + m
			}
		}
	}
	b.WriteRune(v)
	return n
}

func hexAfterU(s string) (rune, int) {
	digits, n := "", 0
	if strings.HasPrefix(s, "u{") {
		end := strings.IndexByte(s[:min(len(s), 12)], '}')
		if end < 0 {
			return 0, 0
		}
		digits, n = s[2:end], end+1
	} else if len(s) >= 5 {
		digits, n = s[1:5], 5
	}
	v, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || v > utf8.MaxRune {
		return 0, 0
	}
	return rune(v), n
}

// Unquote removes the quotes of a string literal.
func Unquote(s string) string {
	if len(s) >= 2 {
		s = s[1 : len(s)-1]
	}
	return cook(s)
}

// TemplatePart removes the delimiters of a part of a template.
func TemplatePart(s string) string {
	s = strings.TrimSuffix(strings.TrimSuffix(s, "${"), "`")
	if s != "" && (s[0] == '`' || s[0] == '}') {
		s = s[1:]
	}
	return cook(s)
}
