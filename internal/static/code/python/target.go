package python

import (
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// params reads parameters up to the end token, which it does not consume.
func (p *expressions) params(end string) []*syntax.Node {
	var out []*syntax.Node
	for !p.isOp(end) && p.tok().kind != newline && p.tok().kind != eof {
		if p.takeOp(",") || p.takeOp("/") {
			continue
		}
		n := p.node(syntax.Param, "", nil, nil)
		if p.isOp("*") || p.isOp("**") {
			n.Op = "*"
			p.next()
		}
		if p.tok().kind != name {
			if n.Op == "*" {
				continue
			}
			p.fail()
			p.next()
			continue
		}
		n.Text = p.next().text
		if end != ":" && p.takeOp(":") {
			n.Kids[1] = p.starred()
		}
		if p.takeOp("=") {
			n.Kids[0] = p.expr()
		}
		out = append(out, n)
	}
	return out
}

// each reads "target in values".
func (p *expressions) each() *syntax.Node {
	line := p.tok().line
	target := p.targets()
	if !p.takeWord("in") {
		p.fail()
		return target
	}
	values := &syntax.Node{Kind: syntax.Unary, Text: "each", Line: line, Kids: []*syntax.Node{p.list()}}
	return &syntax.Node{Kind: syntax.Assign, Line: line, Kids: []*syntax.Node{target, values}}
}

// targets reads names up to "in".
func (p *expressions) targets() *syntax.Node {
	first := p.target()
	if !p.isOp(",") {
		return first
	}
	n := p.node(syntax.List, "", first)
	for p.takeOp(",") {
		if p.isWord("in") {
			break
		}
		n.Kids = append(n.Kids, p.target())
	}
	return n
}

func (p *expressions) target() *syntax.Node {
	p.takeOp("*")
	return p.binary(levels - 3) // a level above comparisons, so that "in" is not consumed
}
