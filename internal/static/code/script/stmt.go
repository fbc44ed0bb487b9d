package script

import (
	"github.com/tdewolff/parse/v2/js"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// maxDepth is more than the parser's own limits allow.
// gap: source-not-read
const maxDepth = 4000

func (c *converter) block(list []js.IStmt) *syntax.Node {
	b := c.node(syntax.Block, "")
	for _, s := range list {
		if n := c.stmt(s); n != nil {
			b.Kids = append(b.Kids, n)
		}
	}
	return b
}

func (c *converter) body(b *js.BlockStmt) *syntax.Node {
	if b == nil {
		return nil
	}
	return c.block(b.List)
}

func (c *converter) stmt(s js.IStmt) *syntax.Node {
	if c.depth > maxDepth {
		return nil
	}
	c.depth++
	defer func() { c.depth-- }()
	switch s := s.(type) {
	case *js.BlockStmt:
		return c.block(s.List)
	case *js.ExprStmt:
		return c.expr(s.Value)
	case *js.VarDecl:
		return c.expr(s)
	case *js.FuncDecl:
		return c.function(s)
	case *js.ClassDecl:
		return c.class(s)
	case *js.ReturnStmt:
		n := c.node(syntax.Return, "")
		if s.Value != nil {
			n.Kids = append(n.Kids, c.expr(s.Value))
			n.Line = n.Kids[0].Line
		}
		return n
	case *js.ThrowStmt:
		return c.node(syntax.Return, "throw", c.expr(s.Value))
	case *js.LabelledStmt:
		return c.stmt(s.Value)
	case *js.ImportStmt:
		return c.imports(s)
	case *js.ExportStmt:
		return c.exports(s)
	case *js.DirectivePrologueStmt:
		c.literal(s.Value)
		return c.node(syntax.String, Unquote(string(s.Value)))
	case *js.BranchStmt:
		return c.node(syntax.Other, s.Type.String())
	}
	return c.control(s)
}

// control converts the control statements.
func (c *converter) control(s js.IStmt) *syntax.Node {
	switch s := s.(type) {
	case *js.IfStmt:
		cond := c.expr(s.Cond)
		n := &syntax.Node{Kind: syntax.If, Line: cond.Line, Kids: []*syntax.Node{cond, c.stmt(s.Body)}}
		if s.Else != nil {
			n.Kids = append(n.Kids, c.stmt(s.Else))
		}
		return n
	case *js.WhileStmt:
		return c.node(syntax.Loop, "", c.expr(s.Cond), c.stmt(s.Body))
	case *js.DoWhileStmt:
		body := c.stmt(s.Body)
		return c.node(syntax.Loop, "", c.expr(s.Cond), body)
	case *js.WithStmt:
		return c.node(syntax.Block, "", c.expr(s.Cond), c.stmt(s.Body))
	case *js.ForStmt:
		b := c.node(syntax.Block, "")
		var cond *syntax.Node
		for i, e := range []js.IExpr{s.Init, s.Cond, s.Post} {
			if e == nil {
				continue
			}
			if n := c.expr(e); i == 1 {
				cond = n
			} else {
				b.Kids = append(b.Kids, n)
			}
		}
		b.Kids = append(b.Kids, c.node(syntax.Loop, "", cond, c.body(s.Body)))
		return b
	case *js.ForInStmt:
		return c.each(s.Init, s.Value, s.Body)
	case *js.ForOfStmt:
		return c.each(s.Init, s.Value, s.Body)
	case *js.SwitchStmt:
		return c.cases(s)
	case *js.TryStmt:
		b := c.node(syntax.Block, "try", c.body(s.Body))
		if s.Binding != nil {
			b.Kids = append(b.Kids, c.let(c.pattern(s.Binding), nil))
		}
		b.Kids = append(b.Kids, c.body(s.Catch), c.body(s.Finally))
		return b
	}
	return nil
}

// each converts a loop over elements.
func (c *converter) each(init, value js.IExpr, body *js.BlockStmt) *syntax.Node {
	if d, ok := init.(*js.VarDecl); ok && len(d.List) > 0 {
		target := c.pattern(d.List[0].Binding)
		return c.node(syntax.Loop, "", c.let(target, c.node(syntax.Unary, "each", c.expr(value))), c.body(body))
	}
	target := c.expr(init)
	return c.node(syntax.Loop, "", c.node(syntax.Assign, "", target, c.node(syntax.Unary, "each", c.expr(value))), c.body(body))
}

// let assigns a value to new names.
func (c *converter) let(target, value *syntax.Node) *syntax.Node {
	n := c.node(syntax.Assign, "", target, value)
	n.Op = "let"
	return n
}

// cases converts a switch into a sequence of comparisons.
func (c *converter) cases(s *js.SwitchStmt) *syntax.Node {
	subject := c.expr(s.Init)
	b := c.node(syntax.Block, "")
	for _, arm := range s.List {
		if arm.Cond == nil {
			b.Kids = append(b.Kids, c.block(arm.List))
			continue
		}
		cond := c.node(syntax.Binary, "==", subject, c.expr(arm.Cond))
		line := c.line()
		b.Kids = append(b.Kids, &syntax.Node{Kind: syntax.If, Op: "case", Line: line, Kids: []*syntax.Node{cond, c.block(arm.List)}})
	}
	return b
}

func (c *converter) imports(s *js.ImportStmt) *syntax.Node {
	n := &syntax.Node{Kind: syntax.Import}
	add := func(imported, local []byte) {
		c.literal(local)
		n.Kids = append(n.Kids, c.node(syntax.Pair, string(imported), c.node(syntax.Name, string(local))))
	}
	if s.Default != nil {
		add([]byte("default"), s.Default)
	}
	for _, a := range s.List {
		switch {
		case a.Binding == nil:
		case a.Name == nil:
			add(a.Binding, a.Binding)
		default:
			add(a.Name, a.Binding)
		}
	}
	c.literal(s.Module)
	n.Text, n.Line = Unquote(string(s.Module)), c.line()
	return n
}

func (c *converter) exports(s *js.ExportStmt) *syntax.Node {
	n := c.node(syntax.Export, "")
	if s.Decl != nil {
		decl := c.expr(s.Decl)
		n.Kids = append(n.Kids, decl)
		if s.Default {
			n.Kids[0] = c.node(syntax.Pair, "default", decl)
		}
		n.Line = decl.Line
	}
	for _, a := range s.List {
		name, binding := a.Name, a.Binding
		if name == nil {
			name = binding
		}
		if binding == nil {
			continue
		}
		c.literal(binding)
		n.Kids = append(n.Kids, c.node(syntax.Pair, string(binding), c.node(syntax.Name, string(name))))
	}
	if s.Module != nil {
		c.literal(s.Module)
		n.Text, n.Line = Unquote(string(s.Module)), c.line()
	}
	return n
}
