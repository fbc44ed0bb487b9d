package flow

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// schemaCall makes a node of a schema that is written with zod or a library
// like it; 0 if the call is no schema.
func (b *models) schemaCall(n *syntax.Node) int {
	if !b.isSchema(n) {
		return 0
	}
	data := b.described(n)
	if data == 0 {
		return 0
	}
	node := b.fresh()
	b.same(b.member(node, Schema), data)
	if d := b.member(node, Schema); d != 0 {
		b.use(d, ir.UseModel)
	}
	return node
}

// isSchema reports whether a chain of calls begins with a type of zod, or with
// an object of such.
func (b *models) isSchema(n *syntax.Node) bool {
	if b.python || !n.Is(syntax.Call) {
		return false
	}
	chained := false
	for range 40 {
		callee := n.Kid(0)
		if callee.Is(syntax.Name) {
			return isObject(callee.Text) && madeOfCalls(n.Kid(1))
		}
		if !callee.Is(syntax.Member) {
			return false
		}
		on := callee.Kid(0)
		if on.Is(syntax.Call) {
			if validates(callee.Text) {
				return false
			}
			n, chained = on, true
			continue
		}
		if on.Is(syntax.Member) && on.Text == "coerce" {
			return true
		}
		if on.Is(syntax.Name) && isType(callee.Text) && b.isZod(on.Text) {
			return true
		}
		if on.Is(syntax.Name) && !chained && modifies(callee.Text) {
			return b.hasSchema(on.Text)
		}
		return isObject(callee.Text) && madeOfCalls(n.Kid(1))
	}
	return false
}

// hasSchema reports whether a name is a schema of this file.
func (b *models) hasSchema(name string) bool {
	at, _ := b.scope.find(name)
	if at == nil || len(at.vals) == 0 {
		return false
	}
	_, ok := b.links[link{at.vals[0].node, Schema}]
	return ok
}

func (b *models) isZod(name string) bool {
	at, _ := b.scope.find(name)
	if at != nil && len(at.vals) == 1 && isSchemas(at.vals[0].path) {
		return true
	}
	return name == "z" || name == "zod" || name == "Joi" || name == "joi" || name == "yup" || name == "Yup"
}

// isSchemas reports the libraries whose schemas are written like those of zod.
func isSchemas(path string) bool {
	for _, name := range []string{"zod", "joi", "@hapi/joi", "yup", "valibot"} {
		if path == name || strings.HasPrefix(path, name+".") || strings.HasPrefix(path, name+"/") {
			return true
		}
	}
	return false
}

func isObject(name string) bool {
	return name == "object" || name == "strictObject" || name == "looseObject" || name == "objectType"
}

// madeOfCalls reports an object whose members are calls or names: types.
func madeOfCalls(n *syntax.Node) bool {
	if !n.Is(syntax.Object) || len(n.Kids) == 0 {
		return false
	}
	calls := 0
	for _, p := range n.Kids {
		switch v := p.Kid(0); {
		case v.Is(syntax.Call):
			calls++
		case v.Is(syntax.Name), v.Is(syntax.Member):
		default:
			return false
		}
	}
	return calls > 0
}

func validates(name string) bool {
	return name == "validate" || name == "validateAsync" || name == "validateSync" || name == "parse" || name == "safeParse" || name == "parseAsync" || name == "safeParseAsync"
}

func isType(name string) bool {
	switch name {
	case "picklist", "string", "number", "boolean", "int", "float", "bigint", "date", "array", "object", "strictObject", "looseObject", "enum", "nativeEnum", "literal", "record", "union", "discriminatedUnion", "tuple",
		"any", "unknown", "null", "lazy", "optional", "nullable", "intersection", "preprocess", "map", "set", "url", "email", "uuid", "iso":
		return true
	}
	return false
}

// modifies reports the methods of schemas that return another one.
func modifies(name string) bool {
	switch name {
	case "extend", "merge", "partial", "passthrough", "strict", "optional", "nullable", "nullish", "pick", "omit", "and", "or", "array", "describe", "default", "catch", "loose", "refine", "transform", "required", "safeExtend", "catchall":
		return true
	}
	return false
}

// described returns the node of the data that an expression in a schema
// describes.
func (b *models) described(n *syntax.Node) int {
	if n == nil || b.depth > maxDepth {
		return 0
	}
	b.depth++
	defer func() { b.depth-- }()
	switch n.Kind {
	case syntax.Object:
		return b.shape(n)
	case syntax.Func: // z.lazy(() => X)
		if r := lastOf(n.Kid(1)); r.Is(syntax.Return) {
			return b.described(r.Kid(0))
		}
		return 0
	case syntax.Call:
		if n.Kid(0).Is(syntax.Name) && isObject(n.Kid(0).Text) {
			return b.described(n.Kid(1))
		}
		if n.Kid(0).Is(syntax.Member) {
			return b.chain(n, n.Kid(0))
		}
	}
	v := b.expr(n)
	return b.member(v.node, Schema)
}

// chain follows z.type(...).modified(...).
func (b *models) chain(n, callee *syntax.Node) int {
	on := callee.Kid(0)
	if on.Is(syntax.Name) && isType(callee.Text) && (b.isZod(on.Text) || isObject(callee.Text)) || on.Is(syntax.Member) && on.Text == "coerce" {
		return b.typeOf(callee.Text, n.Kids[1:])
	}
	if !on.Is(syntax.Call) && !modifies(callee.Text) {
		return b.member(b.store(b.expr(n)), Schema)
	}
	data := b.described(on)
	switch callee.Text {
	case "array":
		out := b.model(ir.UseArray)
		b.same(b.member(out, Element), data)
		return out
	case "extend", "merge", "and", "safeExtend":
		out := b.model(ir.UseObject)
		b.same(out, data)
		b.same(out, b.described(n.Kid(1)))
		return out
	case "pick":
		if keys := n.Kid(1); keys.Is(syntax.Object) {
			out := b.model(ir.UseObject)
			for _, p := range keys.Kids {
				b.same(b.member(out, p.Text), b.member(data, p.Text))
			}
			return out
		}
	case "items", "of":
		b.same(b.member(data, Element), b.described(n.Kid(1)))
	default:
		b.narrowed(data, callee.Text, n.Kids[1:])
	}
	return data
}

// model makes a node of data with a type.
func (b *models) model(u ir.Uses) int {
	node := b.fresh()
	b.use(node, u|ir.UseRead)
	return node
}

// shape follows the members of an object's schema.
func (b *models) shape(n *syntax.Node) int {
	out := b.model(ir.UseObject)
	for _, p := range n.Kids {
		if p.Is(syntax.Spread) {
			on := p.Kid(0)
			if on.Is(syntax.Member) && on.Text == "shape" {
				on = on.Kid(0)
			}
			b.same(out, b.described(on))
			continue
		}
		if m := b.member(out, p.Text); m != 0 {
			b.use(m, ir.UseRead)
			b.same(m, b.described(p.Kid(0)))
		}
	}
	return out
}
