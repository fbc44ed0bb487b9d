package python

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// maxChain is how many members, calls or operators may follow each other: each
// makes the tree one level deeper.
// gap: source-not-read
const maxChain = 1000

// postfix reads an atom with its calls, members and indexes.
func (p *expressions) postfix() *syntax.Node {
	n := p.atom()
	for i := 0; ; i++ {
		t := p.tok()
		if t.kind != op {
			return n
		}
		if i > maxChain {
			p.fail()
			p.skipOperand()
			return n
		}
		switch t.text {
		case ".":
			p.next()
			n = &syntax.Node{Kind: syntax.Member, Text: p.next().text, Line: t.line, Kids: []*syntax.Node{n}}
		case "(":
			p.next()
			n = &syntax.Node{Kind: syntax.Call, Line: t.line, Kids: append([]*syntax.Node{n}, p.arguments()...)}
		case "[":
			p.next()
			n = &syntax.Node{Kind: syntax.Index, Line: t.line, Kids: []*syntax.Node{n, p.subscript()}}
		default:
			return n
		}
	}
}

// elements reads comma-separated elements including the closing bracket. It
// returns false if the line ends before that.
func (p *expressions) elements(end string, read func(*expressions) *syntax.Node) (out []*syntax.Node, closed bool) {
	for !p.isOp(end) {
		if k := p.tok().kind; k == eof || k == newline {
			p.fail()
			return out, false
		}
		if p.takeOp(",") {
			continue
		}
		before := p.at
		out = append(out, read(p))
		if p.at == before {
			p.fail()
			p.next()
		}
	}
	p.next()
	return out, true
}

// arguments reads up to and including the closing bracket.
func (p *expressions) arguments() []*syntax.Node {
	out, _ := p.elements(")", (*expressions).argument)
	return out
}

func (p *expressions) argument() *syntax.Node {
	t := p.tok()
	if n := p.tokens[min(p.at+1, len(p.tokens)-1)]; t.kind == name && n.kind == op && n.text == "=" {
		p.next()
		p.next()
		return &syntax.Node{Kind: syntax.Keyword, Text: t.text, Line: t.line, Kids: []*syntax.Node{p.expr()}}
	}
	n := p.starred()
	if p.isWord("for") || p.isWord("async") {
		return p.comprehension(n)
	}
	return n
}

// subscript reads up to and including the closing bracket.
func (p *expressions) subscript() *syntax.Node {
	line := p.tok().line
	kids, closed := p.elements("]", (*expressions).slice)
	if closed && len(kids) == 1 {
		return kids[0]
	}
	return &syntax.Node{Kind: syntax.List, Line: line, Kids: kids}
}

func (p *expressions) slice() *syntax.Node {
	s := p.node(syntax.Slice, "", nil, nil, nil)
	if !p.isOp(":") {
		n := p.starred()
		if !p.isOp(":") {
			return n
		}
		s.Kids[0] = n
	}
	for i := 1; i <= 2 && p.takeOp(":"); i++ {
		if !p.isOp(":") && !p.isOp("]") && !p.isOp(",") {
			s.Kids[i] = p.expr()
		}
	}
	return s
}

// comprehension reads what follows the element.
func (p *expressions) comprehension(element *syntax.Node) *syntax.Node {
	n := &syntax.Node{Kind: syntax.Comprehension, Line: element.Line, Kids: []*syntax.Node{element}}
	for {
		switch {
		case p.isWord("async"), p.isWord("for"):
			p.takeWord("async")
			if !p.takeWord("for") {
				return n
			}
			line := p.tok().line
			target := p.targets()
			p.takeWord("in")
			values := &syntax.Node{Kind: syntax.Unary, Text: "each", Line: line, Kids: []*syntax.Node{p.binary(0)}}
			n.Kids = append(n.Kids, &syntax.Node{Kind: syntax.Assign, Line: line, Kids: []*syntax.Node{target, values}})
		case p.takeWord("if"):
			cond := p.binary(0)
			if p.isOp(":=") {
				p.next()
				cond = p.binary(0)
			}
			n.Kids = append(n.Kids, cond)
		default:
			return n
		}
	}
}

// reserved reports words that cannot be names.
func reserved(s string) bool {
	return slices.Contains([]string{"and", "or", "if", "else", "elif", "for", "in", "is", "import", "from", "as", "def", "class", "return", "while", "with", "try", "except", "finally", "raise", "del", "assert", "global", "nonlocal", "pass", "break", "continue"}, s)
}

func (p *expressions) atom() *syntax.Node {
	t := p.tok()
	switch t.kind {
	case name:
		if reserved(t.text) {
			break
		}
		if t.text == "lambda" || t.text == "yield" {
			return p.expr()
		}
		p.next()
		return &syntax.Node{Kind: syntax.Name, Text: t.text, Line: t.line}
	case number:
		p.next()
		return &syntax.Node{Kind: syntax.Number, Text: t.text, Line: t.line}
	case text:
		return p.strings()
	case op:
		switch t.text {
		case "(", "[":
			return p.enclosed(t)
		case "{":
			return p.braces()
		case "...":
			p.next()
			return &syntax.Node{Kind: syntax.Other, Line: t.line}
		}
	}
	p.fail()
	if t.kind == op && t.text != ")" && t.text != "]" && t.text != "}" && t.text != ":" && t.text != "," && t.text != "=" {
		p.next()
	}
	return &syntax.Node{Kind: syntax.Other, Line: t.line}
}

// enclosed reads brackets: a group, a tuple or a list.
func (p *expressions) enclosed(t *token) *syntax.Node {
	if p.depth >= maxDepth {
		p.fail()
		p.balanced()
		return &syntax.Node{Kind: syntax.Other, Line: t.line}
	}
	p.next()
	end := map[string]string{"(": ")", "[": "]"}[t.text]
	n := &syntax.Node{Kind: syntax.List, Line: t.line}
	commas := 0
	for !p.isOp(end) {
		if k := p.tok().kind; k == eof || k == newline {
			p.fail()
			return n
		}
		if p.takeOp(",") {
			commas++
			continue
		}
		before := p.at
		e := p.starred()
		if p.isWord("for") || p.isWord("async") {
			e = p.comprehension(e)
			if t.text == "[" {
				p.takeOp(end)
				return e
			}
		}
		n.Kids = append(n.Kids, e)
		if p.at == before {
			p.fail()
			p.next()
		}
	}
	p.next()
	if t.text == "(" && commas == 0 && len(n.Kids) == 1 {
		return n.Kids[0]
	}
	if t.text == "(" {
		n.Op = "tuple"
	}
	return n
}

// braces reads a dictionary or a set.
func (p *expressions) braces() *syntax.Node {
	t := p.next()
	n := &syntax.Node{Kind: syntax.Object, Line: t.line}
	for !p.isOp("}") {
		if k := p.tok().kind; k == eof || k == newline {
			p.fail()
			return n
		}
		if p.takeOp(",") {
			continue
		}
		before := p.at
		key := p.starred()
		item := key
		switch {
		case p.takeOp(":"):
			item = &syntax.Node{Kind: syntax.Pair, Line: key.Line, Kids: []*syntax.Node{p.named(), key}}
			if key.Is(syntax.String) {
				item.Text = key.Text
				item.Kids = item.Kids[:1]
			}
		case !key.Is(syntax.Spread):
			n.Kind = syntax.List
		}
		if p.isWord("for") || p.isWord("async") {
			item = p.comprehension(item)
		}
		n.Kids = append(n.Kids, item)
		if p.at == before {
			p.fail()
			p.next()
		}
	}
	p.next()
	return n
}
