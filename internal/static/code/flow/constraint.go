package flow

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// constrained follows the constraints of pydantic: Field(gt=0, pattern="...").
func (b *models) constrained(node int, n *syntax.Node) {
	if !n.Is(syntax.Call) || node == 0 {
		return
	}
	ops := map[string]string{
		"gt": ">", "ge": ">=", "lt": "<", "le": "<=", "min_length": "#>=", "max_length": "#<=", "min_items": "#>=", "max_items": "#<=",
		"pattern": "~", "regex": "~",
	}
	for _, a := range n.Kids[1:] {
		if op := ops[a.Text]; a.Is(syntax.Keyword) && op != "" {
			b.demands.constant(val{node: node}, a.Kid(0), b.expr(a.Kid(0)), op)
		}
	}
}

// formatted makes the node of a text in a format that Python names by its type.
func (b *models) formatted(name string) int {
	out := b.model(ir.UseString)
	formats := map[string]string{"datetime": "date-time", "date": "date", "HttpUrl": "url", "AnyUrl": "url", "EmailStr": "email", "UUID": "uuid", "UUID4": "uuid"}
	b.test(out, ir.FlowTest{Op: "format", Value: formats[name], Must: true})
	return out
}

// narrowed follows a method of a schema of zod, joi or yup that says more about
// its data.
func (b *models) narrowed(data int, name string, args []*syntax.Node) {
	if data == 0 {
		return
	}
	op := map[string]string{
		"gt": ">", "greater": ">", "moreThan": ">", "gte": ">=", "min": ">=", "lt": "<", "less": "<", "lessThan": "<", "lte": "<=", "max": "<=",
		"startsWith": "^", "endsWith": "$", "includes": "has", "regex": "~", "pattern": "~", "matches": "~", "length": "#==",
	}[name]
	sized := b.out.Nodes[data].Uses&ir.UseNumber == 0
	switch {
	case name == "positive":
		b.test(data, ir.FlowTest{Op: ">", Value: "0", Must: true})
	case name == "nonempty":
		b.test(data, ir.FlowTest{Op: "#>", Value: "0", Must: true})
	case name == "email", name == "uuid", name == "url", name == "uri", name == "guid":
		b.test(data, ir.FlowTest{Op: "format", Value: strings.NewReplacer("uri", "url", "guid", "uuid").Replace(name), Must: true})
	case name == "datetime", name == "isoDate":
		b.test(data, ir.FlowTest{Op: "format", Value: "date-time", Must: true})
	case name == "valid", name == "oneOf", name == "equal":
		b.same(data, b.literals(listOf(args)))
	case op == "" || len(args) == 0:
	case op == "~":
		if v := b.expr(args[0]); v.pattern != "" {
			b.test(data, ir.FlowTest{Op: op, Value: v.pattern, Must: true})
		}
	case strings.ContainsAny(op, "<>") && sized:
		b.demands.constant(val{node: data}, args[0], b.expr(args[0]), "#"+op)
	default:
		b.demands.constant(val{node: data}, args[0], b.expr(args[0]), op)
	}
}

// listOf makes one list of the arguments of valid("a", "b") and oneOf(["a", "b"]).
func listOf(args []*syntax.Node) []*syntax.Node {
	if len(args) > 0 && args[0].Is(syntax.List) {
		return args
	}
	return []*syntax.Node{{Kind: syntax.List, Kids: args}}
}

// validator follows a function that checks a field of a model of pydantic: its
// parameter is the field.
func (b *models) validator(f *syntax.Node, data int) {
	if data == 0 || f.Kid(2) == nil {
		return
	}
	for _, d := range f.Kid(2).Kids {
		if name := lastName(d); d.Is(syntax.Call) && (name == "field_validator" || name == "validator") && d.Kid(1).Is(syntax.String) {
			b.checked[f] = b.member(data, d.Kid(1).Text)
		}
	}
}
