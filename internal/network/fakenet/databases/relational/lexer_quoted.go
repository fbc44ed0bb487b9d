package relational

import (
	"fmt"
	"strings"
)

// quoted reads a text up to its closing quote, which stands for itself when doubled.
func (l *lexer) quoted(quote byte, escapes bool) (string, error) {
	began := l.at
	var b strings.Builder
	for l.at++; l.at < len(l.in); l.at++ {
		c := l.in[l.at]
		switch {
		case c == quote && l.peek(1) == quote:
			l.at++
		case c == quote:
			l.at++
			return b.String(), nil
		case c == '\\' && escapes && l.at+1 < len(l.in):
			l.at++
			c = unescaped(l.in[l.at])
			if l.engine == MySQL && (c == '%' || c == '_') {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(c)
	}
	if l.engine == MySQL {
		return "", l.engine.syntax(l.in, began)
	}
	what := "string"
	if quote == '"' {
		what = "identifier"
	}
	return "", &Error{State: "42601", Message: fmt.Sprintf("unterminated quoted %s at or near \"%s\"", what, clip(l.in[began:])), At: began + 1}
}

func unescaped(c byte) byte {
	if i := strings.IndexByte("nrtb0Z", c); i >= 0 {
		return "\n\r\t\b\x00\x1a"[i]
	}
	return c
}

// dollar reads $1 or a text in dollar quotes.
func (l *lexer) dollar() (token, error) {
	t := token{at: l.at}
	l.at++
	if digit(l.peek(0)) {
		t.kind, t.s = parameter, l.run(digit)
		t.end = l.at
		return t, nil
	}
	l.run(func(c byte) bool { return letter(c) || digit(c) })
	if l.peek(0) != '$' {
		return t, l.engine.syntax(l.in, t.at)
	}
	l.at++
	tag := l.in[t.at:l.at]
	body, _, found := strings.Cut(l.in[l.at:], tag)
	if !found {
		return t, &Error{State: "42601", Message: fmt.Sprintf("unterminated dollar-quoted string at or near \"%s\"", clip(l.in[t.at:])), At: t.at + 1}
	}
	l.at += len(body) + len(tag)
	t.kind, t.s, t.end = text, body, l.at
	return t, nil
}

func (l *lexer) sign() string {
	for _, s := range []string{"<=>", "->>", "#>>", "!~*", "::", "<>", "!=", "<=", ">=", "||", "&&", "->", "#>", "@>", "<@", "?|", "?&", "!~", "~*", ":=", "<<", ">>"} {
		if strings.HasPrefix(l.in[l.at:], s) {
			l.at += len(s)
			return s
		}
	}
	l.at++
	return l.in[l.at-1 : l.at]
}

// clip shortens what an error repeats.
func clip(s string) string { return strings.ToValidUTF8(s[:min(len(s), 80)], "") }

// syntax is the error of a statement that cannot be parsed at an offset.
func (e Engine) syntax(in string, at int) *Error {
	at = min(at, len(in))
	if e == MySQL {
		near := strings.TrimRight(in[at:], " ;\t\r\n")
		return &Error{State: "42000", Number: 1064, Message: fmt.Sprintf("You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near '%s' at line %d",
			clip(near), 1+strings.Count(in[:at], "\n"))}
	}
	rest := strings.TrimSpace(in[at:])
	if rest == "" {
		return &Error{State: "42601", Message: "syntax error at end of input", At: at + 1}
	}
	n := 0
	for n < len(rest) && (letter(rest[n]) || digit(rest[n])) {
		n++
	}
	rest = rest[:max(n, 1)]
	return &Error{State: "42601", Message: fmt.Sprintf("syntax error at or near \"%s\"", clip(rest)), At: at + 1}
}
