package python

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// simpleLine reads statements up to the end of the line.
func (p *statements) simpleLine() []*syntax.Node {
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
func (p *statements) simple() *syntax.Node {
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
		return p.node(syntax.Other, t.text, p.exprs.list())
	}
	return p.assignment()
}

func (p *statements) returns(word string) *syntax.Node {
	n := p.node(syntax.Return, "")
	if word == "raise" {
		n.Text = "throw"
	}
	p.next()
	if p.tok().kind != newline && !p.isOp(";") {
		n.Kids = append(n.Kids, p.exprs.list())
	}
	if p.takeWord("from") {
		n.Kids = append(n.Kids, p.exprs.expr())
	}
	return n
}

// assignment reads an expression and the value assigned to it.
func (p *statements) assignment() *syntax.Node {
	line := p.tok().line
	left := p.exprs.list()
	if p.isOp(":") { // with an annotation
		p.next()
		note := p.exprs.expr()
		n := &syntax.Node{Kind: syntax.Assign, Line: line, Kids: []*syntax.Node{left, nil, note}}
		if p.takeOp("=") {
			n.Kids[1] = p.exprs.list()
		}
		return n
	}
	if t := p.tok(); t.kind == op && len(t.text) >= 2 && strings.HasSuffix(t.text, "=") && levelOf(t.text) < 0 && t.text != ":=" {
		p.next()
		return &syntax.Node{Kind: syntax.Assign, Text: t.text, Line: line, Kids: []*syntax.Node{left, p.exprs.list()}}
	}
	if !p.isOp("=") {
		return left
	}
	targets := []*syntax.Node{left}
	for p.takeOp("=") {
		targets = append(targets, p.exprs.list())
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
