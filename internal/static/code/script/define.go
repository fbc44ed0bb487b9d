package script

import (
	"github.com/tdewolff/parse/v2/js"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

func (c *converter) function(f *js.FuncDecl) *syntax.Node {
	name := ""
	if f.Name != nil {
		name = c.name(f.Name).Text
	}
	n := c.node(syntax.Func, name)
	n.Kids = []*syntax.Node{c.params(f.Params), nil}
	n.Kids[1] = c.block(f.Body.List)
	return n
}

func (c *converter) arrow(f *js.ArrowFunc) *syntax.Node {
	n := c.node(syntax.Func, "")
	n.Kids = []*syntax.Node{c.params(f.Params), nil}
	n.Kids[1] = c.block(f.Body.List)
	return n
}

func (c *converter) method(f *js.MethodDecl) *syntax.Node {
	name, computed := c.property(&f.Name.PropertyName)
	if f.Name.Private != nil {
		name = c.name(f.Name.Private).Text
	}
	n := c.node(syntax.Func, name)
	n.Kids = []*syntax.Node{c.params(f.Params), nil, computed}
	n.Kids[1] = c.block(f.Body.List)
	n.Kids[2] = nil
	return n
}

func (c *converter) params(p js.Params) *syntax.Node {
	n := c.node(syntax.Params, "")
	for _, el := range p.List {
		n.Kids = append(n.Kids, c.param(el))
	}
	if p.Rest != nil {
		rest := c.param(js.BindingElement{Binding: p.Rest})
		rest.Op = "*"
		n.Kids = append(n.Kids, rest)
	}
	return n
}

func (c *converter) param(el js.BindingElement) *syntax.Node {
	target := c.pattern(el.Binding)
	n := c.node(syntax.Param, "", nil, nil)
	if target.Is(syntax.Name) {
		n.Text = target.Text
	} else {
		n.Kids = append(n.Kids, target)
	}
	if el.Default != nil {
		n.Kids[0] = c.expr(el.Default)
	}
	return n
}

// declare converts one name or pattern of a declaration.
func (c *converter) declare(el js.BindingElement) *syntax.Node {
	target := c.pattern(el.Binding)
	line := c.line()
	if el.Default == nil {
		return &syntax.Node{Kind: syntax.Assign, Op: "let", Line: line, Kids: []*syntax.Node{target, nil}}
	}
	return &syntax.Node{Kind: syntax.Assign, Op: "let", Line: line, Kids: []*syntax.Node{target, c.expr(el.Default)}}
}

// pattern converts a destructuring pattern.
func (c *converter) pattern(b js.IBinding) *syntax.Node {
	switch b := b.(type) {
	case *js.Var:
		return c.name(b)
	case *js.BindingArray:
		n := c.node(syntax.List, "")
		for _, el := range b.List {
			n.Kids = append(n.Kids, c.element(el))
		}
		if b.Rest != nil {
			n.Kids = append(n.Kids, c.node(syntax.Spread, "", c.pattern(b.Rest)))
		}
		return n
	case *js.BindingObject:
		n := c.node(syntax.Object, "")
		for _, item := range b.List {
			n.Kids = append(n.Kids, c.bound(item))
		}
		if b.Rest != nil {
			n.Kids = append(n.Kids, c.node(syntax.Spread, "", c.name(b.Rest)))
		}
		return n
	}
	return c.node(syntax.Other, "")
}

func (c *converter) element(el js.BindingElement) *syntax.Node {
	if el.Binding == nil {
		return c.node(syntax.Other, "")
	}
	n := c.pattern(el.Binding)
	if el.Default != nil {
		return c.node(syntax.Assign, "", n, c.expr(el.Default))
	}
	return n
}

func (c *converter) bound(item js.BindingObjectItem) *syntax.Node {
	key, computed := "", (*syntax.Node)(nil)
	if item.Key != nil {
		key, computed = c.property(item.Key)
	}
	value := c.element(item.Value)
	if item.Key == nil || key == "" && computed == nil {
		key = bare(value)
	}
	n := c.node(syntax.Pair, key, value)
	if computed != nil {
		n.Kids = append(n.Kids, computed)
	}
	return n
}

func bare(n *syntax.Node) string {
	if n.Is(syntax.Assign) {
		n = n.Kid(0)
	}
	if n.Is(syntax.Name) {
		return n.Text
	}
	return ""
}

// property returns the name of a member, or the expression of a computed one.
func (c *converter) property(p *js.PropertyName) (string, *syntax.Node) {
	if p.Computed != nil {
		n := c.expr(p.Computed)
		if n.Is(syntax.String) {
			return n.Text, nil
		}
		return "", n
	}
	c.literal(p.Literal.Data)
	s := string(p.Literal.Data)
	if p.Literal.TokenType == js.StringToken {
		return Unquote(s), nil
	}
	return unescapeName(s), nil
}

func (c *converter) object(e *js.ObjectExpr) *syntax.Node {
	n := c.node(syntax.Object, "")
	for _, p := range e.List {
		if p.Spread {
			n.Kids = append(n.Kids, c.node(syntax.Spread, "", c.expr(p.Value)))
			continue
		}
		key, computed := "", (*syntax.Node)(nil)
		if p.Name != nil {
			key, computed = c.property(p.Name)
		}
		value := c.expr(p.Value)
		if key == "" && computed == nil {
			key = bare(value)
		}
		if value.Is(syntax.Func) && key == "" {
			key = value.Text
		}
		pair := &syntax.Node{Kind: syntax.Pair, Text: key, Line: value.Line, Kids: []*syntax.Node{value}}
		if computed != nil {
			pair.Kids = append(pair.Kids, computed)
		}
		n.Kids = append(n.Kids, pair)
	}
	return n
}

func (c *converter) class(d *js.ClassDecl) *syntax.Node {
	name := ""
	if d.Name != nil {
		name = c.name(d.Name).Text
	}
	n := c.node(syntax.Class, name, nil)
	if d.Extends != nil {
		n.Kids = append(n.Kids, c.expr(d.Extends))
	}
	b := c.node(syntax.Block, "")
	for _, el := range d.List {
		switch {
		case el.StaticBlock != nil:
			b.Kids = append(b.Kids, c.body(el.StaticBlock))
		case el.Method != nil:
			b.Kids = append(b.Kids, c.method(el.Method))
		default:
			b.Kids = append(b.Kids, c.field(&el.Field))
		}
	}
	n.Kids[0] = b
	return n
}

// field converts a member with a value: an assignment to this.
func (c *converter) field(f *js.Field) *syntax.Node {
	name, _ := c.property(&f.Name.PropertyName)
	if f.Name.Private != nil {
		name = c.name(f.Name.Private).Text
	}
	target := c.node(syntax.Member, name, c.node(syntax.Name, "this"))
	n := c.node(syntax.Assign, "", target, nil)
	if f.Init != nil {
		n.Kids[1] = c.expr(f.Init)
	}
	return n
}
