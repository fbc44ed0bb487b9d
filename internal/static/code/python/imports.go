package python

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// importModule reads "import a.b as c, d".
func (p *statements) importModule() *syntax.Node {
	line := p.next().line
	block := &syntax.Node{Kind: syntax.Block, Line: line}
	for {
		module := p.dotted()
		imported, local := "*", module
		if p.takeWord("as") {
			local = p.next().text
		} else if first, _, more := strings.Cut(module, "."); more {
			// "import a.b" binds the name a, which is the module a.
			local = first
			block.Kids = append(block.Kids, &syntax.Node{Kind: syntax.Import, Text: module, Line: line})
			module = first
		}
		n := &syntax.Node{Kind: syntax.Import, Text: module, Line: line}
		n.Kids = append(n.Kids, pair(imported, local, line))
		block.Kids = append(block.Kids, n)
		if !p.takeOp(",") {
			break
		}
	}
	if len(block.Kids) == 1 {
		return block.Kids[0]
	}
	return block
}

func pair(imported, local string, line int) *syntax.Node {
	return &syntax.Node{Kind: syntax.Pair, Text: imported, Line: line, Kids: []*syntax.Node{{Kind: syntax.Name, Text: local, Line: line}}}
}

func (p *statements) dotted() string {
	var b strings.Builder
	for p.tok().kind == name && !p.isWord("import") && !p.isWord("as") || p.isOp(".") || p.isOp("...") {
		b.WriteString(p.next().text)
	}
	return b.String()
}

// importFrom reads "from a import b as c, d".
func (p *statements) importFrom() *syntax.Node {
	line := p.next().line
	n := &syntax.Node{Kind: syntax.Import, Text: p.dotted(), Line: line}
	if !p.takeWord("import") {
		p.fail()
		return n
	}
	p.takeOp("(")
	for p.tok().kind == name || p.isOp("*") {
		imported := p.next().text
		local := imported
		if p.takeWord("as") {
			local = p.next().text
		}
		if imported != "*" {
			n.Kids = append(n.Kids, pair(imported, local, line))
		}
		if !p.takeOp(",") {
			break
		}
	}
	p.takeOp(")")
	return n
}
