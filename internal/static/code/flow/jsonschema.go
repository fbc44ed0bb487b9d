package flow

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// maxSchema is how deep a JSON Schema is followed.
// no gap: what is not found out about answers is only answered as usual
const maxSchema = 20

// isJSONSchema reports an object that is written as a JSON Schema.
func isJSONSchema(n *syntax.Node) bool {
	return n.Is(syntax.Object) && (pair(n, "properties") != nil || pair(n, "items") != nil) && pair(n, "type") != nil
}

// pair returns the value of a property that is written out.
func pair(n *syntax.Node, name string) *syntax.Node {
	if !n.Is(syntax.Object) {
		return nil
	}
	for _, p := range n.Kids {
		if p.Is(syntax.Pair) && p.Text == name {
			return p.Kid(0)
		}
	}
	return nil
}

// compiled makes a node of data that a JSON Schema describes; 0 if a value is
// none.
func (b *models) compiled(n *syntax.Node) int {
	if v := b.expr(n); v.literal != nil {
		n = v.literal
	}
	if !isJSONSchema(n) {
		return 0
	}
	node := b.fresh()
	b.same(b.member(node, Schema), b.jsonSchema(n, 0))
	if d := b.member(node, Schema); d != 0 {
		b.use(d, ir.UseModel)
	}
	return node
}

func (b *models) jsonSchema(n *syntax.Node, depth int) int {
	if depth > maxSchema || !n.Is(syntax.Object) {
		return 0
	}
	if list := pair(n, "enum"); list.Is(syntax.List) {
		return b.literals([]*syntax.Node{list})
	}
	if c := pair(n, "const"); c != nil {
		return b.literals([]*syntax.Node{c})
	}
	uses := map[string]ir.Uses{"string": ir.UseString, "number": ir.UseNumber, "integer": ir.UseNumber, "boolean": ir.UseBoolean, "array": ir.UseArray, "object": ir.UseObject}
	out := b.model(0)
	if kind := pair(n, "type"); kind.Is(syntax.String) {
		b.use(out, uses[kind.Text])
	}
	if props := pair(n, "properties"); props.Is(syntax.Object) {
		for _, p := range props.Kids {
			if m := b.member(out, p.Text); p.Is(syntax.Pair) && m != 0 {
				b.use(m, ir.UseRead)
				b.same(m, b.jsonSchema(p.Kid(0), depth+1))
			}
		}
	}
	if items := pair(n, "items"); items != nil {
		b.same(b.member(out, Element), b.jsonSchema(items, depth+1))
	}
	ops := map[string]string{"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<", "minItems": "#>=", "maxItems": "#<=", "format": "format"}
	for _, name := range []string{"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "minItems", "maxItems", "format"} {
		if v := pair(n, name); v.Is(syntax.Number) || v.Is(syntax.String) {
			b.test(out, ir.FlowTest{Op: ops[name], Value: v.Text, Must: true})
		}
	}
	if v := pair(n, "pattern"); v.Is(syntax.String) {
		b.test(out, ir.FlowTest{Op: "~", Value: v.Text, Must: true})
	}
	return out
}

// checkedBy follows the validation of data by a JSON Schema; false if it is none.
func (b *models) checkedBy(path string, args []*syntax.Node) (val, bool) {
	if len(args) == 2 && (path == "valibot.parse" || path == "valibot.safeParse") {
		return b.calls.validated(b.expr(args[0]), strings.TrimPrefix(path, "valibot."), args[1:])
	}
	if path != "jsonschema.validate" || len(args) < 2 {
		return val{}, false
	}
	data, schema := args[0], args[1]
	for _, a := range args {
		if a.Is(syntax.Keyword) && a.Text == "instance" {
			data = a.Kid(0)
		} else if a.Is(syntax.Keyword) && a.Text == "schema" {
			schema = a.Kid(0)
		}
	}
	if schema.Is(syntax.Keyword) {
		schema = schema.Kid(0)
	}
	if node := b.compiled(schema); node != 0 {
		return val{node: b.calls.modelled(node, b.calls.argument(data))}, true
	}
	return val{}, false
}
