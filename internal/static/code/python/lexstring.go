package python

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// str reads a string constant; at is its opening quote.
func (l *lexer) str(prefix string) {
	quote := l.src[l.at : l.at+1]
	if strings.HasPrefix(l.src[l.at:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	line := l.line
	l.at += len(quote)
	start := l.at
	end := l.stringEnd(quote, strings.Contains(prefix, "f") || strings.Contains(prefix, "t"))
	body := l.src[start:end]
	l.words.text(body)
	l.tokens = append(l.tokens, token{kind: text, text: body, prefix: prefix, line: line})
}

// stringEnd moves past the string and returns where its body ends.
func (l *lexer) stringEnd(quote string, format bool) int {
	braces := 0
	for l.at < len(l.src) {
		c := l.src[l.at]
		switch {
		case c == '\\':
			if l.peek(1) == '\n' {
				l.line++
			}
			l.at = min(len(l.src), l.at+2)
			continue
		case c == '\n':
			if len(quote) == 1 {
				l.bad++
				return l.at
			}
			l.line++
		case format && c == '{' && l.peek(1) == '{' && braces == 0, format && c == '}' && l.peek(1) == '}' && braces == 0:
			l.at++
		case format && c == '{':
			braces++
		case format && c == '}':
			braces = max(0, braces-1)
		case braces > 0 && (c == '"' || c == '\'') && l.inner(quote):
			continue
		case strings.HasPrefix(l.src[l.at:], quote):
			l.at += len(quote)
			return l.at - len(quote)
		}
		l.at++
	}
	l.bad++
	return l.at
}

// inner skips a string inside the braces of a format string that ends on the
// same line before the braces do.
func (l *lexer) inner(quote string) bool {
	q := l.src[l.at]
	if len(quote) == 3 && strings.HasPrefix(l.src[l.at:], quote) {
		return false
	}
	rest := l.src[l.at+1 : min(len(l.src), l.at+1+500)]
	end := strings.IndexByte(rest, q)
	if end < 0 || strings.ContainsRune(rest[:end], '\n') {
		return false
	}
	if q == quote[0] && len(quote) == 1 && !strings.ContainsAny(rest[end+1:min(len(rest), end+200)], "}") {
		return false
	}
	l.at += end + 2
	return true
}

// cook resolves the escapes of a string's body.
func cook(body, prefix string) string {
	if strings.Contains(prefix, "r") || !strings.Contains(body, `\`) {
		return body
	}
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' || i+1 >= len(body) {
			b.WriteByte(body[i])
			continue
		}
		i++
		i += escape(&b, body[i:]) - 1
	}
	return b.String()
}

// escape writes the character of an escape and returns the escape's length.
func escape(b *strings.Builder, s string) int {
	simple := map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'a': 7, 'b': 8, 'f': 12, 'v': 11, '\\': '\\', '\'': '\'', '"': '"'}
	if c, ok := simple[s[0]]; ok {
		b.WriteByte(c)
		return 1
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}
	switch {
	case s[0] == '\n':
		return 1
	case digits[s[0]] > 0:
		n := digits[s[0]]
		if v, ok := digitsOf(s[1:], 16, n); ok {
			writeRune(b, v)
			return 1 + n
		}
	case s[0] >= '0' && s[0] <= '7':
		n := 1
		for n < 3 && n < len(s) && s[n] >= '0' && s[n] <= '7' {
			n++
		}
		v, _ := digitsOf(s, 8, n)
		writeRune(b, v)
		return n
	}
	b.WriteByte('\\')
	b.WriteByte(s[0])
	return 1
}

func writeRune(b *strings.Builder, v int) {
	if v > utf8.MaxRune {
		v = utf8.RuneError
	}
	b.WriteRune(rune(v))
}

func digitsOf(s string, base, n int) (int, bool) {
	if len(s) < n {
		return 0, false
	}
	v, err := strconv.ParseUint(s[:n], base, 32)
	return int(v), err == nil
}
