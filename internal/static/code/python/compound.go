package python

import "github.com/mcpsf/mcpsf/internal/static/code/syntax"

func (p *parser) decorated() []*syntax.Node {
	decorators := p.node(syntax.Other, "decorators")
	for p.takeOp("@") {
		decorators.Kids = append(decorators.Kids, p.expr())
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
func (p *parser) definition(decorators *syntax.Node) *syntax.Node {
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
			n.Kids = append(n.Kids, p.arguments()...)
		}
		n.Kids[0] = p.block()
		if decorators != nil {
			n.Kids = append(n.Kids, decorators)
		}
		return n
	}
	params := p.node(syntax.Params, "")
	if p.takeOp("(") {
		params.Kids = p.params(")")
		p.takeOp(")")
	} else {
		p.fail()
	}
	if p.takeOp("->") {
		p.expr()
	}
	return &syntax.Node{Kind: syntax.Func, Text: called, Line: line, Kids: []*syntax.Node{params, p.block(), decorators}}
}

// params reads parameters up to the end mark, which is left standing.
func (p *parser) params(end string) []*syntax.Node {
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

// balanced skips a bracket and what is in it.
func (p *parser) balanced() {
	depth := 0
	for p.tok().kind != newline && p.tok().kind != eof {
		t := p.next()
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

// branch reads if and while with all that belongs to them.
func (p *parser) branch(word string) *syntax.Node {
	line := p.tok().line
	p.next()
	cond := p.named()
	k := syntax.If
	if word == "while" {
		k = syntax.Loop
	}
	first := &syntax.Node{Kind: k, Line: line, Kids: []*syntax.Node{cond, p.block()}}
	last := first
	all := &syntax.Node{Kind: syntax.Block, Line: line, Kids: []*syntax.Node{first}}
	for i := 1; p.isWord("elif"); i++ {
		line := p.next().line
		next := &syntax.Node{Kind: syntax.If, Line: line, Kids: []*syntax.Node{p.named(), nil}}
		next.Kids[1] = p.block()
		if i%maxChain == 0 { // not deeper than anybody follows
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

func (p *parser) loop() *syntax.Node {
	line := p.next().line
	each := p.each()
	n := &syntax.Node{Kind: syntax.Loop, Line: line, Kids: []*syntax.Node{each, p.block()}}
	if p.takeWord("else") {
		n.Kids = append(n.Kids, p.block())
	}
	return n
}

// each reads "target in values".
func (p *parser) each() *syntax.Node {
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
func (p *parser) targets() *syntax.Node {
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

func (p *parser) target() *syntax.Node {
	p.takeOp("*")
	return p.binary(levels - 3) // above comparison, so that "in" is left
}

func (p *parser) try() *syntax.Node {
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
				n.Kids = append(n.Kids, p.list())
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

func (p *parser) with() *syntax.Node {
	n := p.node(syntax.Block, "with")
	p.next()
	open := p.isOp("(") && p.withParen()
	if open {
		p.next()
	}
	for {
		line := p.tok().line
		value := p.expr()
		if p.takeWord("as") {
			n.Kids = append(n.Kids, &syntax.Node{Kind: syntax.Assign, Line: line, Kids: []*syntax.Node{p.target(), value}})
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

// withParen tells whether the bracket encloses all items of a with statement.
func (p *parser) withParen() bool {
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
func (p *parser) match() *syntax.Node {
	i := p.at
	for p.tokens[i].kind != newline && p.tokens[i].kind != eof {
		i++
	}
	if i+3 >= len(p.tokens) || i == p.at || p.tokens[i-1].text != ":" || p.tokens[i+1].kind != indent && p.tokens[i+2].kind != indent {
		return nil
	}
	line := p.next().line
	subject := p.list()
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
func (p *parser) arm(subject *syntax.Node, line int) *syntax.Node {
	p.pattern = true
	pattern := p.list()
	p.pattern = false
	cond := &syntax.Node{Kind: syntax.Binary, Text: "==", Line: line, Kids: []*syntax.Node{subject, pattern}}
	if p.takeWord("if") {
		cond = &syntax.Node{Kind: syntax.Binary, Text: "and", Line: line, Kids: []*syntax.Node{cond, p.named()}}
	}
	return &syntax.Node{Kind: syntax.If, Line: line, Kids: []*syntax.Node{cond, p.block()}}
}
