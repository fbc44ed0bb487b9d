package python

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// maxDepth bounds the nesting of statements and expressions.
// gap: source-not-read
const maxDepth = 150

// statements reads statements; expressions reads their parts.
type statements struct {
	*cursor

	exprs *expressions
}

func newStatements(tokens []token) *statements {
	c := &cursor{tokens: tokens}
	return &statements{cursor: c, exprs: &expressions{cursor: c}}
}

// Read reads a file. It never fails: parts that are not understood are left out
// and noted in the tree.
func Read(src []byte) *syntax.Tree {
	l := lex(strings.TrimPrefix(string(src), "\ufeff"))
	p := newStatements(l.tokens)
	root := &syntax.Node{Kind: syntax.Block, Line: 1}
	for p.tok().kind != eof {
		before := p.at
		root.Kids = append(root.Kids, p.statement()...)
		if p.at == before { // a stray indentation
			p.at++
		}
	}
	l.words.words.Tokens = len(l.tokens)
	t := &syntax.Tree{Root: root, Comments: l.comments, Words: l.words.words, Whole: p.bad+l.bad == 0}
	if !t.Whole {
		t.Note = fmt.Sprintf("%d places are not Python, the first on line %d", p.bad+l.bad, max(1, p.firstBad))
	}
	return t
}

// statement reads one line or one compound statement.
func (p *statements) statement() []*syntax.Node {
	if p.depth >= maxDepth {
		p.fail()
		p.skipLine()
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	t := p.tok()
	switch t.kind {
	case newline, dedent:
		p.next()
		return nil
	case indent: // unexpected indentation: continue
		p.next()
		return nil
	case op:
		if t.text == "@" {
			return p.decorated()
		}
	case name:
		if n := p.compound(t.text); n != nil {
			return []*syntax.Node{n}
		}
	}
	return p.simpleLine()
}

// compound reads a statement with its own block; nil if this is none.
func (p *statements) compound(word string) *syntax.Node {
	switch word {
	case "def", "class":
		return p.definition(nil)
	case "async":
		return p.async()
	case "if", "while":
		return p.branch(word)
	case "for":
		return p.loop()
	case "try", "else", "finally", "except":
		return p.try()
	case "with":
		return p.with()
	case "match":
		return p.match()
	}
	return nil
}

func (p *statements) async() *syntax.Node {
	if n := p.tokens[min(p.at+1, len(p.tokens)-1)]; n.kind != name {
		return nil
	}
	p.next()
	return p.compound(p.tok().text)
}

// block reads ":" and what follows, on the same line or indented.
func (p *statements) block() *syntax.Node {
	b := p.node(syntax.Block, "")
	if !p.takeOp(":") {
		p.fail()
		p.skipLine()
		return b
	}
	if p.tok().kind != newline {
		b.Kids = p.simpleLine()
		return b
	}
	for p.tok().kind == newline {
		p.next()
	}
	if p.tok().kind != indent {
		p.fail()
		return b
	}
	p.next()
	for p.tok().kind != dedent && p.tok().kind != eof {
		before := p.at
		b.Kids = append(b.Kids, p.statement()...)
		if p.at == before {
			p.next()
		}
	}
	if p.tok().kind == dedent {
		p.next()
	}
	return b
}
