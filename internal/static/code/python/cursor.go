package python

import (
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// cursor is a position in the tokens of a file. Statements and expressions
// share one, with its count of syntax errors.
type cursor struct {
	tokens []token
	at     int
	depth  int
	bad    int
	// firstBad is the line of the first syntax error.
	firstBad int
}

func (c *cursor) tok() *token { return &c.tokens[c.at] }

func (c *cursor) next() *token {
	t := &c.tokens[c.at]
	if c.at < len(c.tokens)-1 {
		c.at++
	}
	return t
}

func (c *cursor) isOp(s string) bool { return c.tok().kind == op && c.tok().text == s }

func (c *cursor) isWord(s string) bool { return c.tok().kind == name && c.tok().text == s }

func (c *cursor) takeOp(s string) bool {
	if c.isOp(s) {
		c.next()
		return true
	}
	return false
}

func (c *cursor) takeWord(s string) bool {
	if c.isWord(s) {
		c.next()
		return true
	}
	return false
}

func (c *cursor) fail() {
	if c.bad == 0 {
		c.firstBad = c.tok().line
	}
	c.bad++
}

func (c *cursor) node(k syntax.Kind, s string, kids ...*syntax.Node) *syntax.Node {
	return &syntax.Node{Kind: k, Text: s, Line: c.tok().line, Kids: kids}
}

// skipLine skips the rest of a line.
func (c *cursor) skipLine() {
	for c.tok().kind != newline && c.tok().kind != eof && c.tok().kind != indent && c.tok().kind != dedent {
		c.next()
	}
	if c.tok().kind == newline {
		c.next()
	}
}

// balanced skips a bracket and its content.
func (c *cursor) balanced() {
	depth := 0
	for c.tok().kind != newline && c.tok().kind != eof {
		t := c.next()
		if t.kind != op {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth <= 0 {
				return
			}
		}
	}
}
