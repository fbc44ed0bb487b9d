package python

import (
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

func (p *statements) decorated() []*syntax.Node {
	decorators := p.node(syntax.Other, "decorators")
	for p.takeOp("@") {
		decorators.Kids = append(decorators.Kids, p.exprs.expr())
		p.skipLine()
		for p.tok().kind == newline {
			p.next()
		}
	}
	if p.isWord("async") {
		p.next()
	}
	if !p.isWord("def") && !p.isWord("class") {
		p.fail()
		return decorators.Kids
	}
	return []*syntax.Node{p.definition(decorators)}
}

// definition reads a function or a class.
func (p *statements) definition(decorators *syntax.Node) *syntax.Node {
	line := p.tok().line
	word := p.next().text
	called := ""
	if p.tok().kind == name {
		called = p.next().text
	}
	if p.isOp("[") { // type parameters
		p.balanced()
	}
	if word == "class" {
		n := &syntax.Node{Kind: syntax.Class, Text: called, Line: line, Kids: []*syntax.Node{nil}}
		if p.takeOp("(") {
			n.Kids = append(n.Kids, p.exprs.arguments()...)
		}
		n.Kids[0] = p.block()
		if decorators != nil {
			n.Kids = append(n.Kids, decorators)
		}
		return n
	}
	params := p.node(syntax.Params, "")
	if p.takeOp("(") {
		params.Kids = p.exprs.params(")")
		p.takeOp(")")
	} else {
		p.fail()
	}
	returns := ""
	if p.takeOp("->") {
		if of := p.exprs.expr(); of.Is(syntax.Name) && of.Text == "str" {
			returns = of.Text
		}
	}
	return &syntax.Node{Kind: syntax.Func, Text: called, Op: returns, Line: line, Kids: []*syntax.Node{params, p.block(), decorators}}
}

// branch reads if and while with all their branches.
func (p *statements) branch(word string) *syntax.Node {
	line := p.tok().line
	p.next()
	cond := p.exprs.named()
	k := syntax.If
	if word == "while" {
		k = syntax.Loop
	}
	first := &syntax.Node{Kind: k, Line: line, Kids: []*syntax.Node{cond, p.block()}}
	last := first
	all := &syntax.Node{Kind: syntax.Block, Line: line, Kids: []*syntax.Node{first}}
	for i := 1; p.isWord("elif"); i++ {
		line := p.next().line
		next := &syntax.Node{Kind: syntax.If, Line: line, Kids: []*syntax.Node{p.exprs.named(), nil}}
		next.Kids[1] = p.block()
		if i%maxChain == 0 { // bounds the depth
			all.Kids = append(all.Kids, next)
		} else {
			last.Kids = append(last.Kids, next)
		}
		last = next
	}
	if p.takeWord("else") {
		last.Kids = append(last.Kids, p.block())
	}
	if len(all.Kids) > 1 {
		return all
	}
	return first
}

func (p *statements) loop() *syntax.Node {
	line := p.next().line
	each := p.exprs.each()
	n := &syntax.Node{Kind: syntax.Loop, Line: line, Kids: []*syntax.Node{each, p.block()}}
	if p.takeWord("else") {
		n.Kids = append(n.Kids, p.block())
	}
	return n
}

func (p *statements) try() *syntax.Node {
	n := p.node(syntax.Block, "try")
	for {
		switch {
		case p.isWord("try"), p.isWord("finally"), p.isWord("else"):
			if p.isWord("try") && len(n.Kids) > 0 {
				return n
			}
			p.next()
			n.Kids = append(n.Kids, p.block())
		case p.isWord("except"):
			p.next()
			p.takeOp("*")
			if !p.isOp(":") {
				n.Kids = append(n.Kids, p.exprs.list())
			}
			if p.takeWord("as") {
				p.next()
			}
			n.Kids = append(n.Kids, p.block())
		default:
			return n
		}
	}
}

func (p *statements) with() *syntax.Node {
	n := p.node(syntax.Block, "with")
	p.next()
	open := p.isOp("(") && p.withParen()
	if open {
		p.next()
	}
	for {
		line := p.tok().line
		value := p.exprs.expr()
		if p.takeWord("as") {
			n.Kids = append(n.Kids, &syntax.Node{Kind: syntax.Assign, Line: line, Kids: []*syntax.Node{p.exprs.target(), value}})
		} else {
			n.Kids = append(n.Kids, value)
		}
		if !p.takeOp(",") || open && p.isOp(")") {
			break
		}
	}
	if open {
		p.takeOp(")")
	}
	body := p.block()
	n.Kids = append(n.Kids, body.Kids...)
	return n
}

// withParen reports whether the bracket encloses all items of a with statement.
func (p *statements) withParen() bool {
	depth := 0
	for i := p.at; i < len(p.tokens); i++ {
		t := &p.tokens[i]
		if t.kind == newline || t.kind == eof {
			return false
		}
		if t.kind != op {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				next := p.tokens[min(i+1, len(p.tokens)-1)]
				return next.kind == op && next.text == ":"
			}
		}
	}
	return false
}

// match reads a match statement; nil if the word is an ordinary name here.
func (p *statements) match() *syntax.Node {
	i := p.at
	for p.tokens[i].kind != newline && p.tokens[i].kind != eof {
		i++
	}
	if i+3 >= len(p.tokens) || i == p.at || p.tokens[i-1].text != ":" || p.tokens[i+1].kind != indent && p.tokens[i+2].kind != indent {
		return nil
	}
	line := p.next().line
	subject := p.exprs.list()
	n := &syntax.Node{Kind: syntax.Block, Text: "match", Line: line}
	p.takeOp(":")
	for p.tok().kind == newline || p.tok().kind == indent {
		p.next()
	}
	for p.isWord("case") {
		line := p.next().line
		n.Kids = append(n.Kids, p.arm(subject, line))
		for p.tok().kind == newline {
			p.next()
		}
	}
	if p.tok().kind == dedent {
		p.next()
	}
	return n
}

// arm is one case: a comparison with its pattern.
func (p *statements) arm(subject *syntax.Node, line int) *syntax.Node {
	p.exprs.pattern = true
	pattern := p.exprs.list()
	p.exprs.pattern = false
	cond := &syntax.Node{Kind: syntax.Binary, Text: "==", Line: line, Kids: []*syntax.Node{subject, pattern}}
	if p.takeWord("if") {
		cond = &syntax.Node{Kind: syntax.Binary, Text: "and", Line: line, Kids: []*syntax.Node{cond, p.exprs.named()}}
	}
	return &syntax.Node{Kind: syntax.If, Line: line, Kids: []*syntax.Node{cond, p.block()}}
}
