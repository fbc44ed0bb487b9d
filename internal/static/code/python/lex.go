// Package python reads Python source into package syntax.
//
// It takes the bytes of a file and returns a tree with lines. The reader is
// written for hostile input: its depth is limited, its time is proportional to
// the input, and a line it does not understand costs only that line.
package python

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

type kind uint8

const (
	eof kind = iota
	name
	number
	text
	op
	newline
	indent
	dedent
)

type token struct {
	kind kind
	// text of names, numbers and operators; the raw body of a string.
	text string
	// prefix of a string in lower case.
	prefix string
	line   int
}

// Limits of a file.
// gap: source-not-read
const (
	maxTokens = 4 << 20
	maxIndent = 200
)

type lexer struct {
	src      string
	at, line int
	// depth of brackets: inside them line ends do not matter.
	depth    int
	indents  []int
	tokens   []token
	comments []syntax.Comment
	words    counter
	bad      int
}

// lex splits a file into tokens. It always ends.
func lex(src string) *lexer {
	l := &lexer{src: src, line: 1, indents: []int{0}, words: newCounter()}
	l.startLine()
	for l.at < len(l.src) && len(l.tokens) < maxTokens {
		l.next()
	}
	if len(l.tokens) >= maxTokens {
		l.bad++
	}
	l.add(newline, "")
	for range l.indents[1:] {
		l.add(dedent, "")
	}
	l.add(eof, "")
	return l
}

func (l *lexer) add(k kind, s string) {
	l.tokens = append(l.tokens, token{kind: k, text: s, line: l.line})
}

func (l *lexer) next() {
	c := l.src[l.at]
	switch {
	case c == '\n':
		l.endLine()
	case c == ' ' || c == '\t' || c == '\r' || c == '\f':
		l.at++
	case c == '\\':
		l.continued()
	case c == '#':
		l.comment()
	case c == '"' || c == '\'':
		l.str("")
	case c >= '0' && c <= '9' || c == '.' && l.peek(1) >= '0' && l.peek(1) <= '9':
		l.number()
	case c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf:
		l.word()
	default:
		l.operator()
	}
}

func (l *lexer) peek(n int) byte {
	if l.at+n < len(l.src) {
		return l.src[l.at+n]
	}
	return 0
}

func (l *lexer) endLine() {
	l.at++
	if l.depth == 0 {
		l.add(newline, "")
	}
	l.line++
	if l.depth == 0 {
		l.startLine()
	}
}

// continued handles a backslash at the end of a line.
func (l *lexer) continued() {
	l.at++
	if l.peek(0) == '\r' {
		l.at++
	}
	if l.peek(0) == '\n' {
		l.at++
		l.line++
		return
	}
	l.bad++
}

// startLine measures the indentation of a line that is not blank.
func (l *lexer) startLine() {
	column, at := 0, l.at
	for at < len(l.src) {
		switch l.src[at] {
		case ' ':
			column++
		case '\t':
			column += 8 - column%8
		case '\f':
			column = 0
		case '\n', '#', '\r':
			return
		default:
			l.at = at
			l.level(column)
			return
		}
		at++
	}
}

func (l *lexer) level(column int) {
	top := l.indents[len(l.indents)-1]
	if column > top {
		if len(l.indents) > maxIndent {
			l.bad++
			return
		}
		l.indents = append(l.indents, column)
		l.add(indent, "")
		return
	}
	for column < l.indents[len(l.indents)-1] {
		l.indents = l.indents[:len(l.indents)-1]
		l.add(dedent, "")
	}
}

func (l *lexer) comment() {
	end := strings.IndexByte(l.src[l.at:], '\n')
	if end < 0 {
		end = len(l.src) - l.at
	}
	l.comments = append(l.comments, syntax.Comment{Text: strings.TrimRight(l.src[l.at:l.at+end], "\r"), Line: l.line})
	l.at += end
}

func (l *lexer) number() {
	start := l.at
	for l.at < len(l.src) {
		c := l.src[l.at]
		sign := (c == '+' || c == '-') && (l.src[l.at-1] == 'e' || l.src[l.at-1] == 'E') && !strings.HasPrefix(l.src[start:], "0x")
		if c != '.' && c != '_' && !sign && (c < '0' || c > '9') && (c|32 < 'a' || c|32 > 'z') {
			break
		}
		l.at++
	}
	l.add(number, l.src[start:l.at])
}

func (l *lexer) word() {
	start := l.at
	for l.at < len(l.src) {
		r, size := rune(l.src[l.at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(l.src[l.at:])
		}
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !(r >= 0x200b && r <= 0x200d) {
			break
		}
		l.at += size
	}
	if l.at == start { // not a letter
		_, size := utf8.DecodeRuneInString(l.src[l.at:])
		l.at += size
		l.bad++
		return
	}
	w := l.src[start:l.at]
	if q := l.peek(0); (q == '"' || q == '\'') && len(w) <= 2 && strings.Trim(w, "rRbBuUfFtT") == "" {
		l.str(strings.ToLower(w))
		return
	}
	l.words.ident(w, l.line)
	l.add(name, w)
}

func (l *lexer) operator() {
	n := 1
	for _, o := range [...]string{"**=", "//=", ">>=", "<<=", "...", "!=", "==", "<=", ">=", "->", ":=", "**", "//", "<<", ">>", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@="} {
		if strings.HasPrefix(l.src[l.at:], o) {
			n = len(o)
			break
		}
	}
	s := l.src[l.at : l.at+n]
	switch s {
	case "(", "[", "{":
		l.depth++
	case ")", "]", "}":
		l.depth = max(0, l.depth-1)
	}
	l.at += n
	l.words.words.Punct++
	l.add(op, s)
}
