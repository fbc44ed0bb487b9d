package flow

import (
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// typeOf makes the node of a type with its arguments.
func (b *models) typeOf(name string, args []*syntax.Node) int {
	arg := func(i int) int {
		if i >= len(args) {
			return 0
		}
		return b.described(args[i])
	}
	switch name {
	case "string", "date", "url", "email", "uuid", "iso":
		out := b.model(ir.UseString)
		b.narrowed(out, name, nil)
		return out
	case "number", "int", "float", "bigint":
		return b.model(ir.UseNumber)
	case "boolean":
		return b.model(ir.UseBoolean)
	case "object", "strictObject", "looseObject":
		return arg(0)
	case "array", "set":
		out := b.model(ir.UseArray)
		b.same(b.member(out, Element), arg(0))
		return out
	case "record", "map":
		return b.model(ir.UseObject)
	case "enum", "literal", "picklist":
		return b.literals(args)
	case "union", "discriminatedUnion", "tuple":
		return b.first(name, args)
	case "optional", "nullable", "lazy":
		return arg(0)
	case "preprocess":
		return arg(1)
	case "intersection":
		out := arg(0)
		b.same(out, arg(1))
		return out
	}
	return b.model(0)
}

// first follows the first of several alternatives.
func (b *models) first(name string, args []*syntax.Node) int {
	if len(args) == 0 || !args[len(args)-1].Is(syntax.List) {
		return b.model(0)
	}
	one := b.described(args[len(args)-1].Kid(0))
	if name == "tuple" {
		out := b.model(ir.UseArray)
		b.same(b.member(out, Element), one)
		return out
	}
	return one
}

// literals makes the node of a value that is one of several constants.
func (b *models) literals(args []*syntax.Node) int {
	out := b.model(0)
	if len(args) == 0 {
		return out
	}
	list := args[:1]
	if args[0].Is(syntax.List) {
		list = args[0].Kids
	}
	for _, k := range list {
		switch {
		case k.Is(syntax.String):
			b.use(out, ir.UseString)
		case k.Is(syntax.Number):
			b.use(out, ir.UseNumber)
		case isBoolean(k):
			b.use(out, ir.UseBoolean)
			b.accept(out, map[bool]string{true: "true", false: "false"}[isTrue(k)])
			continue
		default:
			continue
		}
		b.accept(out, k.Text)
	}
	return out
}
