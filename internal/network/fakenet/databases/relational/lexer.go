package relational

import (
	"fmt"
	"strings"
)

// maxStatement is how long a text of statements may be, maxTokens how many words
// and signs it may have.
// no gap: the whole text is evidence; only its answer is an error
const (
	maxStatement = 64 << 10
	maxTokens    = 32 << 10
)

type tokenKind uint8

const (
	end  tokenKind = iota
	word           // a name or keyword
	quotedName
	text
	number
	sign
	parameter // $1 or ?
	variable  // @@a.b or @a
)

// token is a word or sign; s is its content without quotes.
type token struct {
	kind    tokenKind
	s       string
	at, end int
}

// lexer divides a text into tokens.
type lexer struct {
	engine Engine
	in     string
	at     int
	asked  int // question marks so far
	// inside is set within /*! */, whose content MySQL executes.
	inside bool
}

// tokens divides a text.
func (e Engine) tokens(in string) ([]token, error) {
	if len(in) >= maxStatement {
		return nil, e.problem("54000", 1153, "statement is too long", "Got a packet bigger than 'max_allowed_packet' bytes")
	}
	l := &lexer{engine: e, in: in}
	var list []token
	for {
		t, err := l.next()
		if err != nil {
			return nil, err
		}
		list = append(list, t)
		if t.kind == end {
			return list, nil
		}
		if len(list) > maxTokens {
			return nil, e.problem("54001", 1436, "stack depth limit exceeded", "Thread stack overrun")
		}
	}
}

func (l *lexer) peek(n int) byte {
	if l.at+n < len(l.in) {
		return l.in[l.at+n]
	}
	return 0
}

// space skips blanks and comments.
func (l *lexer) space() error {
	for l.at < len(l.in) {
		rest := l.in[l.at:]
		switch {
		case strings.IndexByte(" \t\r\n\f\v\x00", rest[0]) >= 0:
			l.at++
		case strings.HasPrefix(rest, "--") && (l.engine == Postgres || len(rest) == 2 || rest[2] <= ' '), l.engine == MySQL && rest[0] == '#':
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			l.at += n
		case l.engine == MySQL && strings.HasPrefix(rest, "/*!"):
			l.at += 3
			for n := 0; n < 6 && l.at < len(l.in) && l.in[l.at] >= '0' && l.in[l.at] <= '9'; n++ {
				l.at++
			}
			l.inside = true
		case l.inside && strings.HasPrefix(rest, "*/"):
			l.at += 2
			l.inside = false
		case strings.HasPrefix(rest, "/*"):
			if err := l.comment(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

// comment skips a comment; those of PostgreSQL nest.
func (l *lexer) comment() error {
	began, depth := l.at, 0
	for l.at < len(l.in) {
		switch rest := l.in[l.at:]; {
		case strings.HasPrefix(rest, "/*") && (depth == 0 || l.engine == Postgres):
			depth++
			l.at += 2
		case strings.HasPrefix(rest, "*/"):
			depth--
			l.at += 2
			if depth == 0 {
				return nil
			}
		default:
			l.at++
		}
	}
	if l.engine == MySQL {
		return nil // MySQL takes the end of the text for the end of a comment
	}
	return &Error{State: "42601", Message: fmt.Sprintf("unterminated /* comment at or near %q", clip(l.in[began:])), At: began + 1}
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func (l *lexer) next() (token, error) {
	if err := l.space(); err != nil {
		return token{}, err
	}
	began := l.at
	t := token{at: began}
	if began >= len(l.in) {
		t.end = began
		return t, nil
	}
	var err error
	switch c := l.in[began]; {
	case c == '\'' || c == '"' && l.engine == MySQL:
		t.kind = text
		t.s, err = l.quoted(c, l.engine == MySQL)
	case c == '"' || c == '`' && l.engine == MySQL:
		t.kind = quotedName
		t.s, err = l.quoted(c, false)
	case l.prefixed(c):
		t.kind = text
		l.at++
		t.s, err = l.quoted('\'', c == 'e' || c == 'E')
	case letter(c):
		t.kind, t.s = word, l.run(func(c byte) bool { return letter(c) || digit(c) || c == '$' })
	case digit(c) || c == '.' && digit(l.peek(1)):
		t.kind, t.s = number, l.number()
	case c == '$' && l.engine == Postgres:
		return l.dollar()
	case c == '?' && l.engine == MySQL:
		l.at++
		l.asked++
		t.kind, t.s = parameter, fmt.Sprint(l.asked)
	case c == '@' && l.engine == MySQL:
		t.kind = variable
		l.at++
		t.s = "@" + l.run(func(c byte) bool { return letter(c) || digit(c) || c == '@' || c == '.' || c == '$' })
	default:
		t.kind, t.s = sign, l.sign()
	}
	t.end = l.at
	return t, err
}

// prefixed recognises E'...', N'...', B'...' and X'...'.
func (l *lexer) prefixed(c byte) bool {
	return l.peek(1) == '\'' && (l.engine == Postgres && (c == 'e' || c == 'E') || c == 'n' || c == 'N' || c == 'b' || c == 'B' || c == 'x' || c == 'X')
}

func (l *lexer) run(in func(byte) bool) string {
	began := l.at
	for l.at < len(l.in) && in(l.in[l.at]) {
		l.at++
	}
	return l.in[began:l.at]
}

func (l *lexer) number() string {
	began := l.at
	if l.peek(0) == '0' && (l.peek(1) == 'x' || l.peek(1) == 'X') {
		l.at += 2
		l.run(func(c byte) bool { return digit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' })
		return l.in[began:l.at]
	}
	l.run(digit)
	if l.peek(0) == '.' {
		l.at++
		l.run(digit)
	}
	if c := l.peek(0); c == 'e' || c == 'E' {
		if d := l.peek(1); digit(d) || (d == '-' || d == '+') && digit(l.peek(2)) {
			l.at += 2
			l.run(digit)
		}
	}
	return l.in[began:l.at]
}
