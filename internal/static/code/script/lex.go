// Package script reads JavaScript and TypeScript into package syntax.
//
// It takes the bytes of a file and returns a tree with lines. esbuild first
// removes types and JSX. Hostile input can crash both parsers, so [Read] must
// run in a child process; [Tokens] is safe anywhere.
package script

import (
	"bytes"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// gap: source-not-read
const (
	maxTokens  = 8 << 20
	maxForeign = 200
	// maxComments is how many comments are kept, and maxComment how much of
	// each.
	maxComments = 5000
	maxComment  = 2000
)

// Token is a token of the file.
type Token struct {
	Type js.TokenType
	Text []byte
	Line int
	// At is its offset.
	At int
}

// Tokens splits a file into tokens without parsing it, and passes them to f
// until that returns false. It omits white space. Its time is proportional to
// the input, and it always ends.
func Tokens(src []byte, f func(Token) bool) {
	in := parse.NewInputBytes(bytes.Clone(src))
	if in.Peek(0) == '#' && in.Peek(1) == '!' {
		for in.Peek(0) != '\n' && in.Err() == nil {
			in.Move(1)
		}
		in.Skip()
	}
	l := js.NewLexer(in)
	line := 1
	var last Token
	for range maxTokens {
		at := in.Offset()
		tt, data := l.Next()
		if (tt == js.DivToken || tt == js.DivEqToken) && regexpMayFollow(last) {
			if rt, rd := l.RegExp(); rt == js.RegExpToken {
				tt, data = rt, rd
			}
		}
		if tt == js.ErrorToken {
			if in.Offset() >= len(src) || in.Err() != nil {
				return
			}
			if in.Offset() == at { // an invalid character
				in.Move(1)
				in.Skip()
			}
			continue
		}
		t := Token{tt, data, line, in.Offset() - len(data)}
		line += bytes.Count(data, []byte{'\n'})
		switch tt {
		case js.WhitespaceToken, js.LineTerminatorToken:
			continue
		case js.CommentToken, js.CommentLineTerminatorToken:
		default:
			last = t
		}
		if !f(t) {
			return
		}
	}
}

// regexpMayFollow reports whether a slash after t begins a regular expression.
func regexpMayFollow(t Token) bool {
	switch t.Type {
	case js.ErrorToken:
		return true
	case js.CloseParenToken, js.CloseBracketToken, js.CloseBraceToken, js.StringToken, js.RegExpToken, js.TemplateToken, js.TemplateEndToken, js.IncrToken, js.DecrToken:
		return false
	case js.ReturnToken, js.TypeofToken, js.CaseToken, js.InToken, js.OfToken, js.DeleteToken, js.VoidToken, js.ThrowToken, js.NewToken, js.ElseToken, js.DoToken, js.AwaitToken, js.YieldToken, js.InstanceofToken:
		return true
	}
	return !js.IsIdentifierName(t.Type) && !js.IsNumeric(t.Type)
}

// index holds what the tree lacks, collected from the tokens.
type index struct {
	comments []syntax.Comment
	words    syntax.Words
	// places are the offsets of each identifier, in order.
	places map[string][]int32
	lines  []int32 // where each line begins
}

func newIndex(src []byte) *index {
	x := &index{places: map[string][]int32{}, lines: []int32{0}}
	for i, c := range src {
		if c == '\n' {
			x.lines = append(x.lines, int32(i+1))
		}
	}
	Tokens(src, func(t Token) bool {
		x.token(t, t.At)
		return true
	})
	return x
}

func (x *index) token(t Token, at int) {
	switch {
	case t.Type == js.CommentToken || t.Type == js.CommentLineTerminatorToken:
		if len(x.comments) < maxComments {
			x.comments = append(x.comments, syntax.Comment{Text: string(t.Text[:min(len(t.Text), maxComment)]), Line: t.Line})
		}
		return
	case js.IsIdentifierName(t.Type):
		w := string(t.Text)
		x.places[w] = append(x.places[w], int32(at))
		if js.IsIdentifier(t.Type) {
			x.ident(w, t.Line)
		}
	case t.Type == js.StringToken || t.Type == js.TemplateToken || t.Type == js.TemplateStartToken:
		x.words.StringBytes += len(t.Text)
		x.words.Escaped += syntax.Needless(string(t.Text))
	case js.IsPunctuator(t.Type) || js.IsOperator(t.Type):
		x.words.Punct++
	}
	x.words.Tokens++
}

func (x *index) ident(w string, line int) {
	x.words.Idents++
	hex := strings.HasPrefix(w, "_0x")
	if hex {
		x.words.Hex++
	}
	if len(w) <= 2 {
		x.words.Short++
	}
	if len(x.places[w]) > 1 {
		return
	}
	x.words.Distinct++
	if hex {
		x.words.HexDistinct++
	}
	if strings.ContainsFunc(w, func(r rune) bool { return r >= utf8.RuneSelf }) && len(x.words.Foreign) < maxForeign {
		x.words.Foreign = append(x.words.Foreign, syntax.Comment{Text: w, Line: line})
	}
}

// line returns the line of an offset.
func (x *index) line(at int) int {
	return sort.Search(len(x.lines), func(i int) bool { return int(x.lines[i]) > at })
}
