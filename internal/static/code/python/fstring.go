package python

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// strings reads adjacent string constants.
func (p *expressions) strings() *syntax.Node {
	line := p.tok().line
	join := &syntax.Node{Kind: syntax.Join, Line: line}
	var kind string
	for p.tok().kind == text {
		t := p.next()
		if strings.Contains(t.prefix, "b") {
			kind = "b"
		}
		if strings.ContainsAny(t.prefix, "ft") {
			join.Kids = append(join.Kids, p.format(t)...)
			continue
		}
		s := cook(t.text, t.prefix)
		if k := len(join.Kids) - 1; k >= 0 && join.Kids[k].Kind == syntax.String {
			join.Kids[k] = &syntax.Node{Kind: syntax.String, Text: join.Kids[k].Text + s, Op: kind, Line: line}
			continue
		}
		join.Kids = append(join.Kids, &syntax.Node{Kind: syntax.String, Text: s, Op: kind, Line: t.line})
	}
	if len(join.Kids) == 1 && join.Kids[0].Kind == syntax.String {
		return join.Kids[0]
	}
	return join
}

// format reads the parts of a format string.
func (p *expressions) format(t *token) []*syntax.Node {
	var out []*syntax.Node
	line := t.line
	for s := t.text; s != ""; {
		plain, rest := cutField(s)
		if plain != "" {
			plainText := cook(strings.NewReplacer("{{", "{", "}}", "}").Replace(plain), t.prefix)
			out = append(out, &syntax.Node{Kind: syntax.String, Text: plainText, Line: line})
		}
		line += strings.Count(plain, "\n")
		field, after := cutClose(rest)
		if field != "" {
			out = append(out, p.field(field, line))
		}
		line += strings.Count(field, "\n")
		s = after
	}
	return out
}

// cutField splits at the first opening brace that is not doubled.
func cutField(s string) (plain, rest string) {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && s[i+1] != '{':
			i++
		case s[i] == '{' && i+1 < len(s) && s[i+1] == '{':
			i++
		case s[i] == '{':
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// cutClose splits at the brace that closes a field.
func cutClose(s string) (field, after string) {
	depth := 0
	var quote byte
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '{' || c == '(' || c == '[':
			depth++
		case c == '}' && depth == 0:
			return s[:i], s[i+1:]
		case c == '}' || c == ')' || c == ']':
			depth--
		}
	}
	return s, ""
}

// field reads the expression of a field without its conversion and format.
func (p *expressions) field(s string, line int) *syntax.Node {
	if p.depth >= maxDepth {
		p.fail()
		return &syntax.Node{Kind: syntax.Other, Line: line}
	}
	l := lex(strings.TrimSpace(s))
	sub := &expressions{cursor: &cursor{tokens: l.tokens, depth: p.depth + 10}}
	n := sub.list()
	setLine(n, line-1, 0)
	return n
}

// setLine moves the lines of a separately parsed part to its position in the
// file.
func setLine(n *syntax.Node, by, depth int) {
	if n == nil || depth > 2*maxDepth {
		return
	}
	n.Line += by
	for _, k := range n.Kids {
		setLine(k, by, depth+1)
	}
}
