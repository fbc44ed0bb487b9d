package flow

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// expr follows an expression.
func (b *walker) expr(n *syntax.Node) val {
	if n == nil || b.depth > maxDepth {
		return val{}
	}
	b.depth++
	defer func() { b.depth-- }()
	switch n.Kind {
	case syntax.Name:
		if n.Text == "this" || n.Text == "super" {
			return val{node: b.this}
		}
		return b.lookup(n.Text)
	case syntax.String:
		return val{text: constant(n.Text)}
	case syntax.Join:
		return val{text: b.join(n.Kids)}
	case syntax.Member:
		return b.memberOf(b.expr(n.Kid(0)), n.Text)
	case syntax.Index:
		return b.index(n)
	case syntax.Call:
		return b.once(n, b.calls.call)
	case syntax.Binary:
		return b.ops.binary(n)
	case syntax.Unary:
		return b.unary(n)
	case syntax.If:
		b.expr(n.Kid(0))
		return b.either(b.expr(n.Kid(1)), b.expr(n.Kid(2)))
	case syntax.Func:
		return b.function(n)
	case syntax.Class:
		return b.models.class(n)
	}
	return b.compound(n)
}

// once follows a part of the program that is asked for again.
func (b *walker) once(n *syntax.Node, follow func(*syntax.Node) val) val {
	v, ok := b.memo[n]
	if !ok {
		v = follow(n)
		b.memo[n] = v
	}
	return v
}

// compound follows expressions with parts.
func (b *walker) compound(n *syntax.Node) val {
	switch n.Kind {
	case syntax.List:
		return b.list(n)
	case syntax.Object:
		return b.object(n)
	case syntax.Comprehension:
		return b.comprehension(n)
	case syntax.Assign:
		return b.assignment(n)
	case syntax.Spread, syntax.Keyword:
		return b.expr(n.Kid(0))
	case syntax.Pair:
		b.expr(n.Kid(1))
		return b.expr(n.Kid(0))
	case syntax.Other:
		var v val
		for _, k := range n.Kids {
			v = b.expr(k)
		}
		if n.Text == "," {
			return v
		}
	case syntax.Block, syntax.Return, syntax.Loop, syntax.Import, syntax.Export:
		b.statement(n)
	}
	return val{}
}

// memberOf follows a member of a value.
func (b *walker) memberOf(v val, name string) val {
	if name == "length" {
		b.use(v.node, ir.UseSized)
		return val{}
	}
	if len(v.text) > 0 && name == "href" {
		return v
	}
	var out val
	if v.path != "" && len(v.path) < 100 {
		out.path = v.path + "." + name
	}
	out.node = b.read(v.node, name)
	return out
}

func (b *walker) index(n *syntax.Node) val {
	on, key := b.expr(n.Kid(0)), n.Kid(1)
	switch {
	case key.Is(syntax.String):
		return b.memberOf(on, key.Text)
	case key.Is(syntax.Number), key.Is(syntax.Unary) && key.Text == "-":
		b.use(on.node, ir.UseArray)
		return val{node: b.read(on.node, Element)}
	case key.Is(syntax.Slice):
		b.use(on.node, ir.UseSized)
		for _, k := range key.Kids {
			b.expr(k)
		}
		return val{node: on.node}
	}
	b.expr(key)
	return val{node: b.read(on.node, Computed)}
}

// either is a value that can be one of two: the second one is used if the first
// is missing.
func (b *walker) either(x, y val) val {
	if x.node == 0 && len(x.text) == 0 {
		return y
	}
	if x.node == 0 {
		x.node = y.node
		return x
	}
	if at := &b.out.Nodes[x.node]; y.node == 0 && len(y.text) > 0 && at.Else == nil && isAddress(y.text) {
		at.Else = y.text
	}
	b.same(x.node, y.node)
	return x
}

// defaults reads the type of a value from what stands in for it.
func (b *walker) defaults(node int, n *syntax.Node) {
	switch {
	case node == 0 || n == nil:
	case n.Is(syntax.List), n.Is(syntax.Comprehension):
		b.use(node, ir.UseArray)
	case n.Is(syntax.String):
		b.use(node, ir.UseShown)
	case n.Is(syntax.Number):
		b.use(node, ir.UseNumber)
	case n.Is(syntax.Object):
		b.use(node, ir.UseObject)
	case isBoolean(n):
		b.use(node, ir.UseBoolean)
	}
}

func isBoolean(n *syntax.Node) bool {
	if n.Is(syntax.Unary) && n.Text == "not" && n.Kid(0).Is(syntax.Number) { // !0 of a minifier
		return true
	}
	return n.Is(syntax.Name) && (n.Text == "true" || n.Text == "false" || n.Text == "True" || n.Text == "False")
}

func (b *walker) unary(n *syntax.Node) val {
	if n.Text == "typeof" {
		b.once(n.Kid(0), b.expr)
		return val{}
	}
	v := b.expr(n.Kid(0))
	switch n.Text {
	case "await":
		if strings.HasSuffix(v.path, ")") && !standard(v.path) {
			b.use(v.node, ir.UseResult)
		}
		return v
	case "each":
		b.use(v.node, ir.UseArray)
		return val{node: b.read(v.node, Element)}
	case "-", "++", "--":
		b.use(v.node, ir.UseNumber)
	}
	return val{}
}

func (b *walker) list(n *syntax.Node) val {
	var vals []val
	some := len(n.Kids) == 0
	for _, k := range n.Kids {
		v := b.expr(k)
		vals, some = append(vals, v), some || v.node != 0
	}
	if !some {
		return val{}
	}
	node := b.fresh()
	for i, v := range vals {
		switch {
		case n.Kids[i].Is(syntax.Spread):
			b.same(node, v.node)
		case v.node != 0 && i < 8:
			b.same(b.member(node, place(i)), v.node)
		case v.node != 0:
			b.same(b.member(node, Element), v.node)
		}
	}
	return val{node: node}
}

func (b *walker) object(n *syntax.Node) val {
	node := b.fresh()
	for _, p := range n.Kids {
		if !p.Is(syntax.Pair) {
			v := b.expr(p)
			if p.Is(syntax.Spread) {
				b.same(node, v.node)
			}
			continue
		}
		v := b.expr(p.Kid(0))
		if p.Kid(1) != nil {
			b.expr(p.Kid(1))
			continue
		}
		switch p.Text {
		case "inputSchema", "input_schema", "outputSchema", "output_schema", "parameters", "paramsSchema", "argsSchema":
			b.use(v.node, ir.UseInput)
		}
		if stored := b.store(v); stored != 0 {
			b.same(b.member(node, p.Text), stored)
		}
	}
	return val{node: node}
}

func (b *walker) comprehension(n *syntax.Node) val {
	b.push(false)
	for _, k := range n.Kids[1:] {
		if k.Is(syntax.Assign) && k.Kid(1).Is(syntax.Unary) {
			b.bind(k.Kid(0), b.expr(k.Kid(1)), true)
		} else {
			b.expr(k)
		}
	}
	v := b.expr(n.Kid(0))
	b.scope = b.scope.up // its names are not visible outside
	if v.node == 0 || n.Kid(0).Is(syntax.Pair) {
		return val{}
	}
	node := b.fresh()
	b.same(b.member(node, Element), v.node)
	return val{node: node}
}

// constant is a text that is known.
func constant(s string) []ir.FlowPart {
	if s == "" {
		return nil
	}
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "")
	}
	return []ir.FlowPart{{Text: s}}
}

// join makes a text of its parts. What is not known is empty.
func (b *walker) join(kids []*syntax.Node) []ir.FlowPart {
	var out []ir.FlowPart
	for _, k := range kids {
		v := b.expr(k)
		if !k.Is(syntax.String) {
			b.use(v.node, ir.UseShown)
		}
		if len(out) < maxParts {
			out = append(out, textOf(v)...)
		}
	}
	return out[:min(len(out), maxParts)]
}

func textOf(v val) []ir.FlowPart {
	if len(v.text) > 0 {
		return v.text
	}
	return []ir.FlowPart{{Node: v.node}}
}

// mayAddress reports whether a text is one, or can become one.
func mayAddress(text []ir.FlowPart) bool {
	for _, p := range text {
		if p.Node != 0 {
			return true
		}
	}
	return isAddress(text)
}

// isAddress reports whether a text can be part of an address.
func isAddress(text []ir.FlowPart) bool {
	for _, p := range text {
		if strings.Contains(p.Text, "/") {
			return true
		}
	}
	return false
}
