package python

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// maxDepth is how deep statements and expressions may be nested.
const maxDepth = 150

type parser struct {
	tokens []token
	at     int
	depth  int
	bad    int
	// pattern is set while what follows "case" is read.
	pattern bool
	// firstBad is the line of the first thing that was not understood.
	firstBad int
}

// Read reads a file. It never fails: what is not understood is left out and
// said in the tree's note.
func Read(src []byte) *syntax.Tree {
	l := lex(strings.TrimPrefix(string(src), "\ufeff"))
	p := &parser{tokens: l.tokens}
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

func (p *parser) tok() *token { return &p.tokens[p.at] }

func (p *parser) next() *token {
	t := &p.tokens[p.at]
	if p.at < len(p.tokens)-1 {
		p.at++
	}
	return t
}

func (p *parser) isOp(s string) bool   { return p.tok().kind == op && p.tok().text == s }
func (p *parser) isWord(s string) bool { return p.tok().kind == name && p.tok().text == s }

func (p *parser) takeOp(s string) bool {
	if p.isOp(s) {
		p.next()
		return true
	}
	return false
}

func (p *parser) takeWord(s string) bool {
	if p.isWord(s) {
		p.next()
		return true
	}
	return false
}

func (p *parser) fail() {
	if p.bad == 0 {
		p.firstBad = p.tok().line
	}
	p.bad++
}

func (p *parser) node(k syntax.Kind, s string, kids ...*syntax.Node) *syntax.Node {
	return &syntax.Node{Kind: k, Text: s, Line: p.tok().line, Kids: kids}
}

// statement reads one line or one compound statement.
func (p *parser) statement() []*syntax.Node {
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
	case indent: // deeper than expected: read on as if it were not
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

// compound reads a statement that has a block of its own; nil if this is none.
func (p *parser) compound(word string) *syntax.Node {
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

func (p *parser) async() *syntax.Node {
	if n := p.tokens[min(p.at+1, len(p.tokens)-1)]; n.kind != name {
		return nil
	}
	p.next()
	return p.compound(p.tok().text)
}

// block reads ":" and what follows, on the same line or indented.
func (p *parser) block() *syntax.Node {
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

// skipLine leaves out the rest of a line.
func (p *parser) skipLine() {
	for p.tok().kind != newline && p.tok().kind != eof && p.tok().kind != indent && p.tok().kind != dedent {
		p.next()
	}
	if p.tok().kind == newline {
		p.next()
	}
}

// simpleLine reads statements up to the end of the line.
func (p *parser) simpleLine() []*syntax.Node {
	var out []*syntax.Node
	for {
		if n := p.simple(); n != nil {
			out = append(out, n)
		}
		if p.takeOp(";") {
			if p.tok().kind != newline {
				continue
			}
		}
		break
	}
	if k := p.tok().kind; k != newline && k != eof {
		p.fail()
	}
	p.skipLine()
	return out
}

// simple reads a statement without a block.
func (p *parser) simple() *syntax.Node {
	t := p.tok()
	if t.kind != name {
		return p.assignment()
	}
	switch t.text {
	case "import":
		return p.importModule()
	case "from":
		return p.importFrom()
	case "return", "raise":
		return p.returns(t.text)
	case "pass", "break", "continue":
		p.next()
		return &syntax.Node{Kind: syntax.Other, Text: t.text, Line: t.line}
	case "global", "nonlocal":
		for p.tok().kind == name || p.isOp(",") {
			p.next()
		}
		return nil
	case "assert", "del":
		p.next()
		return p.node(syntax.Other, t.text, p.list())
	}
	return p.assignment()
}

func (p *parser) returns(word string) *syntax.Node {
	n := p.node(syntax.Return, "")
	if word == "raise" {
		n.Text = "throw"
	}
	p.next()
	if p.tok().kind != newline && !p.isOp(";") {
		n.Kids = append(n.Kids, p.list())
	}
	if p.takeWord("from") {
		n.Kids = append(n.Kids, p.expr())
	}
	return n
}

// assignment reads an expression and what is assigned to it.
func (p *parser) assignment() *syntax.Node {
	line := p.tok().line
	left := p.list()
	if p.isOp(":") { // annotated
		p.next()
		note := p.expr()
		n := &syntax.Node{Kind: syntax.Assign, Line: line, Kids: []*syntax.Node{left, nil, note}}
		if p.takeOp("=") {
			n.Kids[1] = p.list()
		}
		return n
	}
	if t := p.tok(); t.kind == op && len(t.text) >= 2 && strings.HasSuffix(t.text, "=") && levelOf(t.text) < 0 && t.text != ":=" {
		p.next()
		return &syntax.Node{Kind: syntax.Assign, Text: t.text, Line: line, Kids: []*syntax.Node{left, p.list()}}
	}
	if !p.isOp("=") {
		return left
	}
	targets := []*syntax.Node{left}
	for p.takeOp("=") {
		targets = append(targets, p.list())
	}
	value := targets[len(targets)-1]
	block := &syntax.Node{Kind: syntax.Block, Line: line}
	for _, target := range targets[:len(targets)-1] {
		block.Kids = append(block.Kids, &syntax.Node{Kind: syntax.Assign, Line: line, Kids: []*syntax.Node{target, value}})
	}
	if len(block.Kids) == 1 {
		return block.Kids[0]
	}
	return block
}
