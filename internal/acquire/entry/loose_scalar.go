package entry

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

func (p *loose) skipTo(end string, more int) {
	i := strings.Index(p.text[p.at+1:], end)
	if i < 0 {
		p.at = len(p.text)
		return
	}
	skipped := p.text[p.at : p.at+1+i+more]
	p.line += strings.Count(skipped, "\n")
	p.at += len(skipped)
}

// quoted reads a string. An unterminated one ends with its line.
func (p *loose) quoted(quote byte) {
	start, escaped := p.at+1, false
	i := start
	for ; i < len(p.text) && p.text[i] != quote && p.text[i] != '\n'; i++ {
		if p.text[i] == '\\' && i+1 < len(p.text) && p.text[i+1] != '\n' {
			escaped = true
			i++
		}
	}
	i = min(i, len(p.text))
	text := p.text[start:i]
	p.at = i
	if i < len(p.text) && p.text[i] == quote {
		p.at++
	}
	if escaped {
		text = unescape(text)
	}
	if len(text) <= maxValue {
		p.add(&node{kind: kindText, text: text, line: p.line})
	}
}

// word reads a value without quotes: true, 3000, config.apiKey.
func (p *loose) word() {
	rest := p.text[p.at:]
	n := strings.IndexAny(rest, " \t\r\n{}[]:=,\"'`()")
	switch {
	case n < 0:
		n = len(rest)
	case n == 0:
		p.at++
		return
	}
	p.at += n
	word := strings.TrimSuffix(rest[:n], ";")
	if word == "..." && strings.HasPrefix(rest[n:], "(") {
		p.spread()
	}
	if n <= maxValue && !isEllipsis(word) {
		p.add(&node{kind: kindWord, text: word, line: p.line})
	}
}

// spread skips a conditional spread of JavaScript: ...(a ? b : c).
func (p *loose) spread() {
	const longest = 2000
	rest, depth := p.text[p.at:min(len(p.text), p.at+longest)], 0
	for i := range len(rest) {
		switch rest[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			p.line += strings.Count(rest[:i], "\n")
			p.at += i + 1
			return
		}
	}
}

func isEllipsis(s string) bool {
	return s == "…" || len(s) >= 3 && strings.Trim(s, ".") == ""
}

// unescape resolves the escapes of JSON and JavaScript. Unknown ones lose their
// backslash, as in JavaScript.
func unescape(s string) string {
	var b strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 == len(s) {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		c, n := escape(s[i+1:])
		b.WriteRune(c)
		s = s[i+1+n:]
	}
	return b.String()
}

// escape decodes what follows a backslash, and returns its length.
func escape(s string) (rune, int) {
	switch s[0] {
	case 'n':
		return '\n', 1
	case 't':
		return '\t', 1
	case 'r':
		return '\r', 1
	case 'u':
		if len(s) >= 5 {
			if v, err := strconv.ParseUint(s[1:5], 16, 32); err == nil {
				return rune(v), 5
			}
		}
	}
	return utf8.DecodeRuneInString(s)
}
