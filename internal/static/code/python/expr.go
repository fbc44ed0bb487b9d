package python

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// levels is the number of binding strengths of binary operators.
const levels = 9

// levelOf returns the binding strength of an operator, -1 if it is none.
func levelOf(o string) int {
	switch o {
	case "or":
		return 0
	case "and":
		return 1
	case "<", ">", "==", "!=", "<=", ">=", "in", "is", "not":
		return 2
	case "|":
		return 3
	case "^":
		return 4
	case "&":
		return 5
	case "<<", ">>":
		return 6
	case "+", "-":
		return 7
	case "*", "/", "//", "%", "@":
		return 8
	}
	return -1
}

// expressions reads expressions, and the patterns of match statements.
type expressions struct {
	*cursor

	// pattern is set while a case pattern is read.
	pattern bool
}

// list reads comma-separated expressions; more than one is a List.
func (p *expressions) list() *syntax.Node {
	first := p.starred()
	if !p.isOp(",") {
		return first
	}
	n := &syntax.Node{Kind: syntax.List, Op: "tuple", Line: first.Line, Kids: []*syntax.Node{first}}
	for p.takeOp(",") {
		if t := p.tok(); t.kind == newline || t.kind == eof || t.kind == op && slices.Contains([]string{")", "]", "}", "=", ":", ";"}, t.text) {
			break
		}
		n.Kids = append(n.Kids, p.starred())
	}
	return n
}

func (p *expressions) starred() *syntax.Node {
	if p.isOp("*") || p.isOp("**") {
		line := p.next().line
		return &syntax.Node{Kind: syntax.Spread, Line: line, Kids: []*syntax.Node{p.expr()}}
	}
	return p.named()
}

// named reads an expression that may contain ":=".
func (p *expressions) named() *syntax.Node {
	n := p.expr()
	if p.pattern && p.takeWord("as") {
		p.next()
		return n
	}
	if p.isOp(":=") {
		line := p.next().line
		return &syntax.Node{Kind: syntax.Assign, Line: line, Kids: []*syntax.Node{n, p.expr()}}
	}
	return n
}

// expr reads an expression.
func (p *expressions) expr() *syntax.Node {
	if p.depth >= maxDepth {
		n := p.node(syntax.Other, "")
		p.fail()
		p.balanced()
		return n
	}
	p.depth++
	defer func() { p.depth-- }()
	switch {
	case p.isWord("lambda"):
		return p.lambda()
	case p.isWord("yield"):
		return p.yields()
	}
	n := p.binary(0)
	if !p.isWord("if") {
		return n
	}
	line := p.next().line
	cond := p.binary(0)
	out := &syntax.Node{Kind: syntax.If, Line: line, Kids: []*syntax.Node{cond, n}}
	if p.takeWord("else") {
		out.Kids = append(out.Kids, p.expr())
	}
	return out
}

func (p *expressions) lambda() *syntax.Node {
	line := p.next().line
	params := p.node(syntax.Params, "")
	params.Kids = p.params(":")
	p.takeOp(":")
	return &syntax.Node{Kind: syntax.Func, Op: "arrow", Line: line, Kids: []*syntax.Node{params, p.expr()}}
}

func (p *expressions) yields() *syntax.Node {
	n := &syntax.Node{Kind: syntax.Unary, Text: "yield", Line: p.next().line}
	p.takeWord("from")
	if t := p.tok(); t.kind != newline && !(t.kind == op && slices.Contains([]string{")", "]", "}", "=", ";"}, t.text)) {
		n.Kids = append(n.Kids, p.list())
	}
	return n
}

// binary reads operators of a level and of all tighter ones.
func (p *expressions) binary(level int) *syntax.Node {
	if level == levels {
		return p.unary()
	}
	if level == 2 && p.isWord("not") {
		line := p.next().line
		return &syntax.Node{Kind: syntax.Unary, Text: "not", Line: line, Kids: []*syntax.Node{p.deeper(level)}}
	}
	left := p.binary(level + 1)
	for i := 0; ; i++ {
		o := p.operator(level)
		if o == "" {
			return left
		}
		if i > maxChain && o != "+" {
			p.fail()
			p.skipOperand()
			return left
		}
		line := p.tok().line
		right := p.binary(level + 1)
		if o == "+" {
			left = syntax.Plus(left, right, line)
			continue
		}
		left = &syntax.Node{Kind: syntax.Binary, Text: o, Line: line, Kids: []*syntax.Node{left, right}}
	}
}

// deeper is binary with the depth counted, for operators that may repeat
// without end.
func (p *expressions) deeper(level int) *syntax.Node {
	if p.depth >= maxDepth {
		p.fail()
		n := p.node(syntax.Other, "")
		p.skipOperand()
		return n
	}
	p.depth++
	defer func() { p.depth-- }()
	return p.binary(level)
}

// skipOperand skips what is nested too deep, up to the end of the line.
func (p *expressions) skipOperand() {
	for t := p.tok(); t.kind != newline && t.kind != eof; t = p.tok() {
		p.next()
	}
}

// operator reads an operator of the level, "" if there is none.
func (p *expressions) operator(level int) string {
	t := p.tok()
	if t.kind != op && t.kind != name || levelOf(t.text) != level {
		return ""
	}
	switch t.text {
	case "not":
		if n := p.tokens[min(p.at+1, len(p.tokens)-1)]; n.kind != name || n.text != "in" {
			return ""
		}
		p.next()
		p.next()
		return "not in"
	case "is":
		p.next()
		if p.takeWord("not") {
			return "!="
		}
		return "=="
	}
	p.next()
	return t.text
}

func (p *expressions) unary() *syntax.Node {
	t := p.tok()
	if t.kind == op && (t.text == "-" || t.text == "+" || t.text == "~") || t.kind == name && (t.text == "await" || t.text == "not") {
		p.next()
		return &syntax.Node{Kind: syntax.Unary, Text: t.text, Line: t.line, Kids: []*syntax.Node{p.deeper(levels)}}
	}
	left := p.postfix()
	if p.isOp("**") {
		line := p.next().line
		return &syntax.Node{Kind: syntax.Binary, Text: "**", Line: line, Kids: []*syntax.Node{left, p.deeper(levels)}}
	}
	return left
}
