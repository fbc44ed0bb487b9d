package python

import (
	"strings"
)

// Kind is the kind of a token of [Tokens].
type Kind uint8

// The kinds.
const (
	Punct Kind = iota
	Word
	Text
	Number
	Comment
)

// Tokens splits a file into tokens without parsing it, and passes them to f
// until that returns false.
func Tokens(src []byte, f func(k Kind, s string, line int) bool) {
	l := lex(strings.TrimPrefix(string(src), "\ufeff"))
	for _, c := range l.comments {
		if !f(Comment, c.Text, c.Line) {
			return
		}
	}
	for i := range l.tokens {
		t := &l.tokens[i]
		var ok bool
		switch t.kind {
		case name:
			ok = f(Word, t.text, t.line)
		case text:
			ok = f(Text, cook(t.text, t.prefix), t.line)
		case number:
			ok = f(Number, t.text, t.line)
		case op:
			ok = f(Punct, t.text, t.line)
		default:
			ok = f(Punct, "\n", t.line)
		}
		if !ok {
			return
		}
	}
}
