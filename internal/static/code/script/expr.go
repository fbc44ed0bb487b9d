package script

import (
	"github.com/tdewolff/parse/v2/js"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

func (c *converter) expr(e js.IExpr) *syntax.Node {
	if c.depth > maxDepth || e == nil {
		return c.node(syntax.Other, "")
	}
	c.depth++
	defer func() { c.depth-- }()
	switch e := e.(type) {
	case *js.Var:
		return c.name(e)
	case *js.LiteralExpr:
		return c.constant(e)
	case js.LiteralExpr:
		return c.constant(&e)
	case *js.GroupExpr:
		return c.expr(e.X)
	case *js.BinaryExpr:
		return c.binary(e)
	case *js.UnaryExpr:
		return c.node(syntax.Unary, unaryOp(e.Op), c.expr(e.X))
	case *js.DotExpr:
		x := c.expr(e.X)
		return c.member(x, e.Y)
	case *js.IndexExpr:
		x := c.expr(e.X)
		return c.node(syntax.Index, "", x, c.expr(e.Y))
	case *js.CallExpr:
		x := c.expr(e.X)
		n := c.node(syntax.Call, "", x)
		n.Kids = append(n.Kids, c.args(e.Args)...)
		return n
	case *js.NewExpr:
		x := c.expr(e.X)
		n := c.node(syntax.Call, "", x)
		n.Op = "new"
		if e.Args != nil {
			n.Kids = append(n.Kids, c.args(*e.Args)...)
		}
		return n
	case *js.FuncDecl:
		return c.function(e)
	case *js.ArrowFunc:
		return c.arrow(e)
	case *js.MethodDecl:
		return c.method(e)
	case *js.ClassDecl:
		return c.class(e)
	}
	return c.compound(e)
}

// compound converts expressions with several parts.
func (c *converter) compound(e js.IExpr) *syntax.Node {
	switch e := e.(type) {
	case *js.TemplateExpr:
		return c.template(e)
	case *js.ArrayExpr:
		n := c.node(syntax.List, "")
		for _, el := range e.List {
			n.Kids = append(n.Kids, c.spread(el.Value, el.Spread))
		}
		return n
	case *js.ObjectExpr:
		return c.object(e)
	case *js.CondExpr:
		cond := c.expr(e.Cond)
		return &syntax.Node{Kind: syntax.If, Op: "?", Line: cond.Line, Kids: []*syntax.Node{cond, c.expr(e.X), c.expr(e.Y)}}
	case *js.YieldExpr:
		return c.node(syntax.Unary, "yield", c.expr(e.X))
	case *js.CommaExpr:
		n := c.node(syntax.Other, ",")
		for _, x := range e.List {
			n.Kids = append(n.Kids, c.expr(x))
		}
		return n
	case *js.VarDecl:
		n := c.node(syntax.Block, "")
		for _, el := range e.List {
			n.Kids = append(n.Kids, c.declare(el))
		}
		if len(n.Kids) == 1 {
			return n.Kids[0]
		}
		return n
	case *js.ImportMetaExpr:
		return c.node(syntax.Name, "import.meta")
	}
	return c.node(syntax.Other, "")
}

func (c *converter) spread(e js.IExpr, spread bool) *syntax.Node {
	n := c.expr(e)
	if spread {
		return c.node(syntax.Spread, "", n)
	}
	return n
}

func (c *converter) args(a js.Args) []*syntax.Node {
	out := make([]*syntax.Node, 0, len(a.List))
	for _, x := range a.List {
		out = append(out, c.spread(x.Value, x.Rest))
	}
	return out
}

func (c *converter) member(x *syntax.Node, y js.IExpr) *syntax.Node {
	switch y := y.(type) {
	case *js.LiteralExpr:
		return c.member(x, *y)
	case js.LiteralExpr:
		c.literal(y.Data)
		return c.node(syntax.Member, unescapeName(string(y.Data)), x)
	case *js.Var:
		n := c.name(y)
		return c.node(syntax.Member, n.Text, x)
	}
	return x
}

func (c *converter) constant(e *js.LiteralExpr) *syntax.Node {
	c.literal(e.Data)
	s := string(e.Data)
	switch {
	case e.TokenType == js.StringToken:
		return c.node(syntax.String, Unquote(s))
	case e.TokenType == js.RegExpToken:
		return c.node(syntax.Regexp, s)
	case js.IsNumeric(e.TokenType):
		return c.node(syntax.Number, s)
	}
	return c.node(syntax.Name, s) // this, true, null, super, import
}

func (c *converter) binary(e *js.BinaryExpr) *syntax.Node {
	x := c.expr(e.X)
	line := c.line()
	y := c.expr(e.Y)
	o := e.Op.String()
	switch e.Op {
	case js.AddToken:
		return syntax.Plus(x, y, line)
	case js.EqToken, js.OrEqToken, js.NullishEqToken, js.AndEqToken:
		return &syntax.Node{Kind: syntax.Assign, Line: line, Kids: []*syntax.Node{x, y}}
	case js.AddEqToken, js.SubEqToken, js.MulEqToken, js.DivEqToken, js.ModEqToken, js.BitXorEqToken, js.BitOrEqToken, js.BitAndEqToken:
		return &syntax.Node{Kind: syntax.Assign, Text: o, Line: line, Kids: []*syntax.Node{x, y}}
	case js.EqEqToken, js.EqEqEqToken:
		o = "=="
	case js.NotEqToken, js.NotEqEqToken:
		o = "!="
	case js.AndToken:
		o = "and"
	case js.OrToken, js.NullishToken:
		o = "or"
	}
	return &syntax.Node{Kind: syntax.Binary, Text: o, Line: line, Kids: []*syntax.Node{x, y}}
}

func unaryOp(t js.TokenType) string {
	switch t {
	case js.NotToken:
		return "not"
	case js.PreIncrToken, js.PostIncrToken, js.IncrToken:
		return "++"
	case js.AwaitToken:
		return "await"
	case js.NegToken:
		return "-"
	}
	return t.String()
}

func (c *converter) template(e *js.TemplateExpr) *syntax.Node {
	var tag *syntax.Node
	if e.Tag != nil {
		tag = c.expr(e.Tag)
	}
	n := &syntax.Node{Kind: syntax.Join}
	add := func(data []byte) {
		start := c.at
		c.literal(data)
		if s := TemplatePart(string(data)); s != "" {
			end := c.at
			c.at = max(start, end-len(data)+1)
			n.Kids = append(n.Kids, c.node(syntax.String, s))
			c.at = end
		}
	}
	for _, p := range e.List {
		add(p.Value)
		n.Kids = append(n.Kids, c.expr(p.Expr))
	}
	add(e.Tail)
	n.Line = c.line()
	if len(n.Kids) > 0 {
		n.Line = n.Kids[0].Line
	}
	switch {
	case tag != nil && !(tag.Is(syntax.Member) && tag.Text == "raw"):
		return &syntax.Node{Kind: syntax.Call, Op: "tag", Line: n.Line, Kids: []*syntax.Node{tag, n}}
	case len(n.Kids) == 0:
		return c.node(syntax.String, "")
	case len(n.Kids) == 1 && n.Kids[0].Is(syntax.String):
		return n.Kids[0]
	}
	return n
}
