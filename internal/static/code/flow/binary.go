package flow

import (
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

func (b *operations) binary(n *syntax.Node) val {
	switch n.Text {
	case "+":
		return b.plus(n)
	case "and":
		b.expr(n.Kid(0))
		return b.expr(n.Kid(1))
	case "or":
		return b.or(n)
	case "==", "!=":
		// The cases of a switch share what they compare.
		x, y := b.once(n.Kid(0), b.expr), b.expr(n.Kid(1))
		if t := n.Kid(0); t.Is(syntax.Unary) && t.Text == "typeof" && n.Kid(1).Is(syntax.String) {
			b.typed(b.once(t.Kid(0), b.expr).node, n.Kid(1).Text)
		}
		b.compare(x, y, n.Kid(1))
		b.compare(y, x, n.Kid(0))
		return val{}
	}
	x, y := b.expr(n.Kid(0)), b.expr(n.Kid(1))
	switch n.Text {
	case "in", "not in":
		b.contains(x, y, n)
	default:
		b.operands(n.Text, x, y, n.Kid(0), n.Kid(1))
	}
	return val{}
}

// or is a value with another one that stands in for it. For addresses the order
// counts; data can be either.
func (b *operations) or(n *syntax.Node) val {
	x, y := b.expr(n.Kid(0)), b.expr(n.Kid(1))
	b.defaults(x.node, n.Kid(1))
	if k := n.Kid(0); x.node != 0 && y.node != 0 && (k.Is(syntax.Name) || k.Is(syntax.Member)) && addressName.MatchString(k.Text) {
		if at := &b.out.Nodes[x.node]; at.Else == nil {
			at.Else = textOf(y)
		}
		return x
	}
	return b.either(x, y)
}

// addressName matches the names of variables that hold addresses.
var addressName = lazyregexp.New(`(?i)ur[li]|host|endpoint|base`)

// operands reads the types of the operands of an arithmetic operation.
func (b *operations) operands(op string, x, y val, left, right *syntax.Node) {
	switch op {
	case "-", "*", "**", "-=", "*=", "/=":
	case "/", "%":
		if left.Is(syntax.String) || len(x.text) > 0 || x.path != "" || y.node == 0 && !right.Is(syntax.Number) {
			return // a format, or a path
		}
	case "<", ">", "<=", ">=":
		b.ordered(op, x, y, left, right)
		return
	case "+=":
		if !right.Is(syntax.Number) {
			return
		}
	default:
		return
	}
	b.use(x.node, ir.UseNumber)
	b.use(y.node, ir.UseNumber)
}

// ordered records that a value is compared with a limit.
func (b *operations) ordered(op string, x, y val, left, right *syntax.Node) {
	for _, side := range [][2]val{{x, y}, {y, x}} {
		limit := b.constants(right, side[1])
		if side[1].number == "" && !(side[1].node != 0 && (right.Is(syntax.Name) || right.Is(syntax.Member))) {
			limit = nil
		}
		for _, t := range limit {
			if t.Node == 0 {
				b.use(side[0].node, ir.UseNumber)
			}
			if t.Op = op; side[0].sized == 0 {
				b.test(side[0].node, t)
			}
		}
		left, right, op = right, left, flipped(op)
	}
}

// flipped is an operator with its operands exchanged.
func flipped(op string) string {
	switch op {
	case "<":
		return ">"
	case ">":
		return "<"
	case "<=":
		return ">="
	case ">=":
		return "<="
	}
	return op
}

// plus joins texts, or adds numbers.
func (b *operations) plus(n *syntax.Node) val {
	counts := len(n.Kids) == 2 && (n.Kids[0].Is(syntax.Number) || n.Kids[1].Is(syntax.Number))
	text := b.join(n.Kids)
	for _, p := range text {
		if counts && p.Node != 0 {
			b.use(p.Node, ir.UseNumber)
		}
	}
	return val{text: text}
}

// compare records that a value is compared with a constant.
func (b *operations) compare(v val, other val, with *syntax.Node) {
	if v.node = v.subject(); v.sized != 0 || v.node == 0 {
		return
	}
	switch {
	case with.Is(syntax.String):
		b.use(v.node, ir.UseString)
	case isBoolean(with):
		b.use(v.node, ir.UseBoolean)
		return
	case with.Is(syntax.List):
		b.oneOf(v, with)
		return
	}
	for _, t := range b.constants(with, other) {
		if t.Node == 0 {
			if other.number != "" {
				b.use(v.node, ir.UseNumber)
			}
			b.accept(v.node, t.Value)
			continue
		}
		t.Op = "=="
		b.test(v.node, t)
	}
}

// typed records a test of the type.
func (b *operations) typed(node int, name string) {
	switch name {
	case "string", "str":
		b.use(node, ir.UseString)
	case "number", "int", "float":
		b.use(node, ir.UseNumber)
	case "boolean", "bool":
		b.use(node, ir.UseBoolean)
	case "list", "tuple":
		b.use(node, ir.UseArray)
	case "object", "dict":
		b.use(node, ir.UseObject)
	}
}

// contains reads x in y.
func (b *operations) contains(x, y val, n *syntax.Node) {
	switch key := n.Kid(0); {
	case n.Kid(1).Is(syntax.List):
		b.oneOf(x, n.Kid(1))
	case y.words != nil:
		b.listed(x, y.words)
	case key.Is(syntax.String) && y.node != 0 && isName(key.Text):
		b.read(y.node, key.Text)
	}
}

// oneOf records that a value must be one of several.
func (b *operations) oneOf(v val, list *syntax.Node) {
	for _, k := range list.Kids[:min(len(list.Kids), maxAccepted)] {
		if k.Is(syntax.String) && v.node != 0 {
			b.use(v.node, ir.UseString)
			b.accept(v.node, k.Text)
		}
	}
}

// listed records that a value is looked for in a list of constants.
func (b *operations) listed(v val, words []string) {
	for _, w := range words {
		b.accept(v.node, w)
	}
}

// isName reports whether a text can be the name of a member.
func isName(s string) bool {
	if s == "" || len(s) > maxName {
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '$', c == '-', c == '.':
		default:
			return false
		}
	}
	return true
}
