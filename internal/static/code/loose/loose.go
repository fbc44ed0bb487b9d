// Package loose reads source code that could not be parsed.
//
// It takes the bytes of a file and returns a tree of package syntax with only
// chains of names, calls and constants: enough to see what is imported and
// called, and which strings there are. Its time is proportional to the input,
// and the input cannot crash it.
package loose

import (
	"strings"

	"github.com/tdewolff/parse/v2/js"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/python"
	"github.com/mcpsf/mcpsf/internal/static/code/script"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// gap: source-not-read
const (
	maxTokens   = 2 << 20
	maxArgs     = 12
	maxNesting  = 6
	maxComments = 2000
)

type kind uint8

const (
	punct kind = iota
	name
	text
	number
)

type token struct {
	kind kind
	text string
	line int
}

// Read reads a file.
func Read(src []byte, lang ir.Language) *syntax.Tree {
	t := &syntax.Tree{}
	var tokens []token
	if lang == ir.Python {
		tokens = fromPython(src, t)
	} else {
		tokens = fromScript(src, t)
	}
	t.Words.Tokens = len(tokens)
	r := &reader{tokens: tokens}
	t.Root = &syntax.Node{Kind: syntax.Block, Line: 1}
	for r.at < len(r.tokens) {
		if n := r.statement(); n != nil {
			t.Root.Kids = append(t.Root.Kids, n)
		}
	}
	return t
}

func fromPython(src []byte, t *syntax.Tree) []token {
	var out []token
	python.Tokens(src, func(k python.Kind, s string, line int) bool {
		switch k {
		case python.Word:
			out = append(out, token{name, s, line})
			t.Words.Idents++
		case python.Text:
			out = append(out, token{text, s, line})
			t.Words.StringBytes += len(s)
		case python.Number:
			out = append(out, token{number, s, line})
		case python.Comment:
			if len(t.Comments) < maxComments {
				t.Comments = append(t.Comments, syntax.Comment{Text: s, Line: line})
			}
		default:
			out = append(out, token{punct, s, line})
		}
		return len(out) < maxTokens
	})
	return out
}

func fromScript(src []byte, t *syntax.Tree) []token {
	var out []token
	script.Tokens(src, func(k script.Token) bool {
		s := string(k.Text)
		switch {
		case k.Type == js.CommentToken || k.Type == js.CommentLineTerminatorToken:
			if len(t.Comments) < maxComments {
				t.Comments = append(t.Comments, syntax.Comment{Text: s[:min(len(s), 2000)], Line: k.Line})
			}
		case k.Type == js.StringToken:
			out = append(out, token{text, script.Unquote(s), k.Line})
			t.Words.StringBytes += len(s)
		case k.Type == js.TemplateToken, k.Type == js.TemplateStartToken, k.Type == js.TemplateMiddleToken, k.Type == js.TemplateEndToken:
			out = append(out, token{text, script.TemplatePart(s), k.Line})
			t.Words.StringBytes += len(s)
		case js.IsNumeric(k.Type):
			out = append(out, token{number, s, k.Line})
		case js.IsIdentifierName(k.Type):
			out = append(out, token{name, s, k.Line})
			t.Words.Idents++
			if strings.HasPrefix(s, "_0x") {
				t.Words.Hex++
			}
		default:
			out = append(out, token{punct, s, k.Line})
			t.Words.Punct++
		}
		return len(out) < maxTokens
	})
	return out
}

type reader struct {
	tokens []token
	at     int
}

func (r *reader) is(s string) bool {
	return r.at < len(r.tokens) && r.tokens[r.at].kind != text && r.tokens[r.at].text == s
}

func (r *reader) take(s string) bool {
	if r.is(s) {
		r.at++
		return true
	}
	return false
}

// statement reads the next meaningful expression, or skips one token.
func (r *reader) statement() *syntax.Node {
	t := r.tokens[r.at]
	if t.kind == name && (t.text == "import" || t.text == "from") {
		if n := r.imports(); n != nil {
			return n
		}
	}
	if t.kind == punct {
		if t.text == "{" {
			if n := r.taken(); n != nil {
				return n
			}
		}
		r.at++
		return nil
	}
	left := r.chain(0)
	if left == nil {
		r.at++
		return nil
	}
	if r.is("=") && r.at+1 < len(r.tokens) {
		r.at++
		if right := r.value(0); right != nil {
			return &syntax.Node{Kind: syntax.Assign, Line: left.Line, Kids: []*syntax.Node{left, right}}
		}
	}
	return left
}

// taken reads "{ a, b: c } = value"; nil if this is something else.
func (r *reader) taken() *syntax.Node {
	from := r.at
	n := &syntax.Node{Kind: syntax.Object, Line: r.tokens[r.at].line}
	r.at++
	for r.at < len(r.tokens) && r.at < from+200 && r.tokens[r.at].kind == name {
		key := r.tokens[r.at].text
		local := key
		r.at++
		if r.take(":") && r.at < len(r.tokens) && r.tokens[r.at].kind == name {
			local = r.tokens[r.at].text
			r.at++
		}
		n.Kids = append(n.Kids, pair(key, local, n.Line))
		if !r.take(",") {
			break
		}
	}
	if len(n.Kids) > 0 && r.take("}") && r.take("=") {
		if v := r.value(0); v != nil {
			return &syntax.Node{Kind: syntax.Assign, Line: n.Line, Kids: []*syntax.Node{n, v}}
		}
	}
	r.at = from
	return nil
}

// value reads a chain, or texts joined with "+".
func (r *reader) value(depth int) *syntax.Node {
	n := r.chain(depth)
	for n != nil && r.take("+") {
		more := r.chain(depth)
		if more == nil {
			break
		}
		n = syntax.Plus(n, more, n.Line)
	}
	return n
}

// chain reads a name or constant with its members, indexes and calls.
func (r *reader) chain(depth int) *syntax.Node {
	if r.at >= len(r.tokens) || depth > maxNesting {
		return nil
	}
	t := r.tokens[r.at]
	var n *syntax.Node
	switch t.kind {
	case name:
		n = &syntax.Node{Kind: syntax.Name, Text: t.text, Line: t.line}
	case text:
		n = &syntax.Node{Kind: syntax.String, Text: t.text, Line: t.line}
	case number:
		n = &syntax.Node{Kind: syntax.Number, Text: t.text, Line: t.line}
	default:
		return r.bracket(t, depth)
	}
	r.at++
	for range 200 {
		line := t.line
		if r.at < len(r.tokens) {
			line = r.tokens[r.at].line
		}
		switch {
		case r.is(".") || r.is("?."):
			r.at++
			if r.at >= len(r.tokens) || r.tokens[r.at].kind != name {
				return n
			}
			n = &syntax.Node{Kind: syntax.Member, Text: r.tokens[r.at].text, Line: line, Kids: []*syntax.Node{n}}
			r.at++
		case r.is("("):
			r.at++
			n = &syntax.Node{Kind: syntax.Call, Line: line, Kids: append([]*syntax.Node{n}, r.items(")", depth+1)...)}
		case r.is("["):
			r.at++
			items := r.items("]", depth+1)
			if len(items) == 0 {
				return n
			}
			n = &syntax.Node{Kind: syntax.Index, Line: line, Kids: []*syntax.Node{n, items[0]}}
		default:
			return n
		}
	}
	return n
}

func (r *reader) bracket(t token, depth int) *syntax.Node {
	if t.text != "[" {
		return nil
	}
	r.at++
	return &syntax.Node{Kind: syntax.List, Line: t.line, Kids: r.items("]", depth+1)}
}

// items reads simple elements up to the closing bracket; the rest is read as
// statements.
func (r *reader) items(end string, depth int) []*syntax.Node {
	var out []*syntax.Node
	for len(out) < maxArgs*40 {
		if r.at >= len(r.tokens) || r.take(end) {
			return out
		}
		n := r.value(depth)
		if n == nil {
			return out
		}
		out = append(out, n)
		if !r.take(",") && !r.is(end) {
			return out
		}
	}
	return out
}

// imports reads import statements of both languages.
func (r *reader) imports() *syntax.Node {
	line := r.tokens[r.at].line
	n := &syntax.Node{Kind: syntax.Import, Line: line}
	var names []string
	braced := -1 // names from here on are in braces
	for i := r.at + 1; i < len(r.tokens) && i < r.at+80 && r.tokens[i].line <= line+20; i++ {
		t := r.tokens[i]
		if t.kind == text { // import ... from "module"
			n.Text = t.text
			n.Kids = pairs(names, braced, line)
			r.at = i + 1
			return n
		}
		if t.kind == punct && (t.text == "(" || t.text == ";") || t.kind == name && t.line > line && n.Text == "" && len(names) == 0 {
			break
		}
		if t.kind == punct && t.text == "{" {
			braced = len(names)
		}
		if t.kind == name || t.text == "*" {
			names = append(names, t.text)
		}
	}
	return r.pythonImport(n)
}

func pairs(names []string, braced, line int) []*syntax.Node {
	var out []*syntax.Node
	for i := 0; i < len(names); i++ {
		imported, local := names[i], names[i]
		if imported == "from" {
			break
		}
		if i+2 < len(names) && names[i+1] == "as" {
			local = names[i+2]
			i += 2
		} else if braced < 0 || i < braced {
			imported = "default"
		}
		out = append(out, &syntax.Node{Kind: syntax.Pair, Text: imported, Line: line, Kids: []*syntax.Node{{Kind: syntax.Name, Text: local, Line: line}}})
	}
	return out
}

// pythonImport reads "import a.b as c" and "from a import b" on one line.
func (r *reader) pythonImport(n *syntax.Node) *syntax.Node {
	from := r.tokens[r.at].text == "from"
	r.at++
	module := ""
	for r.at < len(r.tokens) && r.tokens[r.at].line == n.Line && (r.tokens[r.at].kind == name && !r.is("import") && !r.is("as") || r.is(".")) {
		module += r.tokens[r.at].text
		r.at++
	}
	n.Text = module
	if module == "" {
		return nil
	}
	local, imported := module, "*"
	if from && r.take("import") {
		for r.at < len(r.tokens) && r.tokens[r.at].line == n.Line && r.tokens[r.at].kind == name {
			imported = r.tokens[r.at].text
			local = imported
			r.at++
			if r.take("as") && r.at < len(r.tokens) {
				local = r.tokens[r.at].text
				r.at++
			}
			n.Kids = append(n.Kids, pair(imported, local, n.Line))
			r.take(",")
		}
		return n
	}
	if r.take("as") && r.at < len(r.tokens) {
		local = r.tokens[r.at].text
		r.at++
	}
	n.Kids = append(n.Kids, pair(imported, local, n.Line))
	return n
}

func pair(imported, local string, line int) *syntax.Node {
	return &syntax.Node{Kind: syntax.Pair, Text: imported, Line: line, Kids: []*syntax.Node{{Kind: syntax.Name, Text: local, Line: line}}}
}
