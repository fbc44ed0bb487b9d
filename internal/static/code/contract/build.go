package contract

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// builder is the plain name of a function that makes a schema. Bundlers and compilers
// write it as stringType, string2, _enum or enum_.
func builder(name string) string {
	name = strings.Trim(name, "_$")
	switch name {
	case "int32", "int64", "uint32", "uint64", "int", "integer", "safeint":
		return "integer"
	case "float32", "float64", "float", "nan", "bigint":
		return "number"
	case "ipv4", "ipv6", "base64", "base64url", "cidrv4", "cidrv6", "sha256", "e164":
		return name
	}
	name = strings.TrimRight(name, "0123456789$")
	name = strings.TrimSuffix(name, "Type")
	switch name {
	case "bigInt":
		return "number"
	case "strictObject", "looseObject", "interface", "objectWithoutOptionalProperties":
		return "object"
	case "nativeEnum", "picklist", "enums":
		return "enum"
	case "stringLiteral", "booleanLiteral", "numberLiteral", "constant":
		return "literal"
	case "lazyObject":
		return "lazy"
	case "undiscriminatedUnion":
		return "union"
	case "variant":
		return "discriminatedUnion"
	case "intersect":
		return "intersection"
	case "partialRecord", "looseRecord", "map", "dictionary", "recordWithValue":
		return "record"
	case "list", "set", "nonEmptyArray":
		return "array"
	case "pipeline":
		return "pipe"
	case "effects":
		return "preprocess"
	}
	return name
}

// built reads the call of a builder; false if it is none.
func (r *reader) built(name string, args []*syntax.Node, depth int) (*ir.Form, bool) {
	var first *syntax.Node
	if len(args) > 0 {
		first = args[0]
	}
	switch name {
	case "string", "number", "boolean", "integer":
		return r.make(name), true
	case "any", "unknown", "custom", "instanceof", "instance", "json":
		return r.make(ir.FormAny), true
	case "void", "undefined", "never":
		return r.make(ir.FormOptional, r.make(ir.FormAny)), true
	case "null":
		return r.make("null"), true
	case "email", "uuid", "guid", "url", "uri", "ipv4", "base64", "datetime", "isoDateTime", "date", "isoDate":
		if len(args) == 0 || !first.Is(syntax.Name) {
			return narrowed(r.make("string"), name, nil), true
		}
	case "object", "type":
		if first.Is(syntax.Object) {
			return r.object(first, depth), true
		}
	case "enum":
		return r.enum(first, depth), true
	case "literal":
		if first != nil {
			return r.literal(args[:1]), true
		}
	case "union", "discriminatedUnion":
		return r.alternatives(args, depth), true
	case "tuple":
		if first.Is(syntax.List) {
			return r.make(ir.FormTuple, r.forms(first.Kids, depth)...), true
		}
	case "intersection":
		if first.Is(syntax.List) {
			return r.make(ir.FormAll, r.forms(first.Kids, depth)...), true
		}
		return r.make(ir.FormAll, r.forms(args, depth)...), true
	}
	return r.around(name, args, depth)
}

// around reads the call of a builder that has a schema as its argument.
func (r *reader) around(name string, args []*syntax.Node, depth int) (*ir.Form, bool) {
	if len(args) == 0 {
		return nil, false
	}
	last := args[len(args)-1]
	switch name {
	case "array":
		return r.make("array", r.form(args[0], depth+1)), true
	case "record":
		return r.make(ir.FormRecord, r.form(last, depth+1)), true
	case "lazy", "readonly", "brand", "promise", "coerce", "schema":
		return r.form(args[0], depth+1), true
	case "preprocess":
		if len(args) > 1 && args[0].Is(syntax.Func) {
			return r.form(args[1], depth+1), true
		}
		return r.form(args[0], depth+1), true
	case "pipe":
		f := r.form(args[0], depth+1)
		for _, a := range args[1:] { // email(), minValue(1) of valibot
			if a.Is(syntax.Call) {
				f = narrowed(f, lastName(a.Kid(0)), a.Kids[1:])
			}
		}
		return f, true
	case "optional", "nullish", "default", "catch", "prefault", "exactOptional", "fallback":
		return r.make(ir.FormOptional, r.form(args[0], depth+1)), true
	case "nullable":
		return r.make(ir.FormNullable, r.form(args[0], depth+1)), true
	case "partial", "pick", "omit", "required", "extend", "merge":
		return r.modified(r.form(args[0], depth+1), name, name, args[1:], depth), true
	}
	return nil, false
}

func (r *reader) forms(list []*syntax.Node, depth int) []*ir.Form {
	var out []*ir.Form
	for _, n := range list[:min(len(list), maxMembers)] {
		if f := r.form(n, depth+1); f != nil {
			out = append(out, f)
		}
	}
	return out
}

func (r *reader) union(list []*syntax.Node, depth int) *ir.Form {
	return r.make(ir.FormUnion, r.forms(list[:min(len(list), maxWords)], depth)...)
}

// alternatives reads union([A, B]), discriminatedUnion("type", [A, B]) and those that
// have an object with a form for each word: then the member has that word.
func (r *reader) alternatives(args []*syntax.Node, depth int) *ir.Form {
	if len(args) == 0 {
		return nil
	}
	switch last := args[len(args)-1]; {
	case last.Is(syntax.List):
		return r.union(last.Kids, depth)
	case last.Is(syntax.Object) && len(args) > 1:
		return r.told(args[0], last, depth)
	}
	return r.union(args, depth)
}

// told reads alternatives that are told apart by a member.
func (r *reader) told(by, object *syntax.Node, depth int) *ir.Form {
	if by.Is(syntax.Call) && by.Kid(1).Is(syntax.String) { // discriminant("type", "kind")
		by = by.Kids[len(by.Kids)-1]
	}
	out := r.make(ir.FormUnion)
	for _, p := range object.Kids {
		f := r.form(p.Kid(0), depth+1)
		if out == nil || f == nil || !p.Is(syntax.Pair) || len(out.Of) >= maxWords {
			continue
		}
		word := r.make("object")
		if word != nil && by.Is(syntax.String) {
			r.member(word, by.Text, r.literal([]*syntax.Node{{Kind: syntax.String, Text: p.Text}}))
			f = r.make(ir.FormAll, word, f)
		}
		out.Of = append(out.Of, f)
	}
	return out
}

// enum reads the words of an enumeration, which may be declared elsewhere.
func (r *reader) enum(n *syntax.Node, depth int) *ir.Form {
	switch {
	case n.Is(syntax.List):
		return r.literal(n.Kids)
	case n.Is(syntax.Object):
		return r.constants(n)
	}
	return r.form(n, depth+1)
}

// literal makes the form of a value that is one of several constants.
func (r *reader) literal(list []*syntax.Node) *ir.Form {
	if len(list) == 1 && list[0].Is(syntax.List) {
		list = list[0].Kids
	}
	var out *ir.Form
	for _, n := range list {
		kind, word := constant(n)
		if kind == "" {
			continue
		}
		if out == nil {
			if out = r.make(kind); out == nil {
				return nil
			}
		}
		if kind == out.Kind && len(out.Words) < maxWords && len(word) <= maxWord && word != "" {
			out.Words = append(out.Words, word)
		}
	}
	return out
}

// constant returns the type of a constant and how it is written.
func constant(n *syntax.Node) (kind, word string) {
	switch {
	case n.Is(syntax.String):
		return "string", n.Text
	case n.Is(syntax.Number):
		return "number", n.Text
	case n.Is(syntax.Name) && (n.Text == "true" || n.Text == "True"):
		return "boolean", "true"
	case n.Is(syntax.Name) && (n.Text == "false" || n.Text == "False"):
		return "boolean", "false"
	case n.Is(syntax.Unary) && n.Text == "not" && n.Kid(0).Is(syntax.Number): // !0 of a minifier
		if n.Kid(0).Text == "0" {
			return "boolean", "true"
		}
		return "boolean", "false"
	case isNone(n):
		return "null", ""
	}
	return "", ""
}

// narrowed adds what a method of a schema asks for.
func narrowed(f *ir.Form, name string, args []*syntax.Node) *ir.Form {
	if f == nil || len(f.Tests) >= maxWords {
		return f
	}
	test := func(op, value string) *ir.Form {
		if len(value) <= 4*maxWord {
			f.Tests = append(f.Tests, ir.FlowTest{Op: op, Value: value, Must: true})
		}
		return f
	}
	switch name {
	case "int", "safe", "integer":
		if f.Kind == "number" {
			f.Kind = ir.FormInteger
		}
		return f
	case "positive":
		return test(">", "0")
	case "nonnegative":
		return test(">=", "0")
	case "negative":
		return test("<", "0")
	case "nonempty", "nonEmpty":
		return test("#>", "0")
	case "email", "uuid", "url", "base64", "date":
		return test("format", name)
	case "uri", "guid", "ipv4", "ip", "datetime", "isoDateTime", "isoTimestamp", "isoDate":
		return test("format", map[string]string{"uri": "url", "guid": "uuid", "ipv4": "ip", "ip": "ip", "isoDate": "date"}[name]+map[bool]string{true: "date-time"}[strings.HasSuffix(strings.ToLower(name), "time") || name == "isoTimestamp"])
	}
	op := map[string]string{
		"gt": ">", "gte": ">=", "min": ">=", "minValue": ">=", "lt": "<", "lte": "<=", "max": "<=", "maxValue": "<=",
		"startsWith": "^", "endsWith": "$", "includes": "has", "regex": "~", "pattern": "~", "length": "#==", "minLength": "#>=", "maxLength": "#<=",
	}[name]
	if op == "" || len(args) == 0 || !args[0].Is(syntax.Number) && !args[0].Is(syntax.String) && !args[0].Is(syntax.Regexp) {
		return f
	}
	if strings.ContainsAny(op[:1], "<>") && f.Kind != "number" && f.Kind != ir.FormInteger {
		op = "#" + op
	}
	return test(op, args[0].Text)
}
