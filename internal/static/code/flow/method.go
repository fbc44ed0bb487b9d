package flow

import (
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// method follows a call of a method that data has; false if it is another one.
func (b *calls) method(on val, name string, args []*syntax.Node) (val, bool) {
	if on.node == b.this && on.node != 0 {
		return val{}, false
	}
	switch name {
	case "compile":
		if len(args) > 0 && !b.python {
			if node := b.models.compiled(args[0]); node != 0 {
				return val{node: node}, true
			}
		}
	case "json":
		b.arguments(args)
		return val{node: b.read(on.node, JSON)}, true
	case "text", "read", "readlines", "getvalue":
		b.arguments(args)
		return val{node: b.member(on.node, Text)}, true
	case "then":
		return b.then(on, args), true
	case "catch", "finally", "decode", "toString", "raise_for_status", "copy", "default_factory", "__aenter__":
		b.arguments(args)
		return on, true
	case "on", "once":
		return b.event(on, args), true
	case "parse", "safeParse", "parseAsync", "safeParseAsync", "model_validate", "parse_obj", "from_dict", "model_validate_json", "validate_python", "validate_json", "parse_raw", "validate", "validateAsync", "validateSync", "attempt":
		return b.validated(on, name, args)
	}
	if b.python {
		return b.pythonMethod(on, name, args)
	}
	return b.scriptMethod(on, name, args)
}

func (b *calls) arguments(args []*syntax.Node) {
	for _, a := range args {
		b.argument(a)
	}
}

// then follows a callback for a result that comes later.
func (b *calls) then(on val, args []*syntax.Node) val {
	if len(args) == 0 {
		return on
	}
	out := b.apply(args[0], on.node)
	b.arguments(args[1:])
	if out == 0 {
		return on
	}
	return val{node: out}
}

// event follows the callbacks of a stream.
func (b *calls) event(on val, args []*syntax.Node) val {
	if len(args) == 2 && args[0].Is(syntax.String) && args[1].Is(syntax.Func) {
		switch args[0].Text {
		case "data":
			b.inline(args[1], b.member(on.node, Text))
			return on
		case "response":
			b.inline(args[1], on.node)
			return on
		}
	}
	b.arguments(args)
	return on
}

// validated follows data through its validation.
func (b *calls) validated(on val, name string, args []*syntax.Node) (val, bool) {
	if len(args) == 0 {
		return val{}, false
	}
	value := b.argument(args[0])
	switch name {
	case "model_validate_json", "validate_json", "parse_raw":
		value = b.read(value, Parsed)
	case "validate", "validateAsync", "validateSync", "attempt":
		if _, ok := b.links[link{on.node, Schema}]; !ok {
			return val{}, false
		}
		data := b.modelled(on.node, value)
		b.same(b.member(data, "value"), data)
		b.arguments(args[1:])
		return val{node: data}, true
	}
	data := b.modelled(on.node, value)
	b.arguments(args[1:])
	if name == "safeParse" || name == "safeParseAsync" {
		out := b.fresh()
		b.same(b.member(out, "data"), data)
		return val{node: out}, true
	}
	return val{node: data}, true
}

// modelled says that data has the form that a node declares.
func (b *calls) modelled(model, data int) int {
	b.member(model, Schema)
	out := b.fresh()
	b.out.Calls = append(b.out.Calls, ir.FlowCall{In: b.cur, Callee: model, Args: []int{data}, Result: out, Model: true})
	return out
}

// scriptMethod follows the methods of JavaScript's arrays, texts and numbers.
func (b *calls) scriptMethod(on val, name string, args []*syntax.Node) (val, bool) {
	switch name {
	case "map", "flatMap", "forEach", "filter", "find", "findLast", "findIndex", "some", "every", "sort", "toSorted", "reduce":
		return b.each(on, name, args), true
	case "split", "trim", "trimEnd", "trimStart", "toLowerCase", "toUpperCase", "startsWith", "endsWith", "replace", "replaceAll", "substring", "substr",
		"charAt", "charCodeAt", "padStart", "padEnd", "match", "matchAll", "localeCompare", "normalize":
		b.arguments(args)
		b.use(on.node, ir.UseString)
		return val{text: textOf(on)}, true
	case "toFixed", "toPrecision":
		b.arguments(args)
		b.use(on.node, ir.UseNumber)
		return val{}, true
	case "toLocaleString":
		b.arguments(args)
		b.use(on.node, ir.UseShown)
		return val{}, true
	case "slice", "concat":
		b.use(on.node, ir.UseSized)
		for _, a := range args {
			b.same(on.node, b.argument(a))
		}
		return val{node: on.node}, true
	case "includes", "indexOf":
		b.arguments(args)
		b.use(on.node, ir.UseSized)
		return val{}, true
	case "join", "entries", "values", "keys", "flat", "reverse", "splice":
		b.arguments(args)
		if name != "keys" && name != "values" && name != "entries" {
			b.use(on.node, ir.UseArray)
		}
		return val{node: on.node}, true
	case "pop", "shift", "at":
		b.arguments(args)
		b.use(on.node, ir.UseArray)
		return val{node: b.read(on.node, Element)}, true
	case "push", "unshift":
		for _, a := range args {
			node := b.argument(a)
			if a.Is(syntax.Spread) {
				b.same(on.node, node)
			} else {
				b.same(b.member(on.node, Element), node)
			}
		}
		return val{}, true
	}
	return val{}, false
}

// each follows the methods that call a function with each element.
func (b *calls) each(on val, name string, args []*syntax.Node) val {
	b.use(on.node, ir.UseArray)
	element := b.read(on.node, Element)
	if len(args) == 0 {
		return on
	}
	if name == "reduce" {
		sum := b.fresh()
		if len(args) > 1 {
			b.same(sum, b.argument(args[1]))
		}
		b.apply(args[0], sum, element)
		return val{node: sum}
	}
	with := []int{element}
	if name == "sort" || name == "toSorted" {
		with = append(with, element)
	}
	result := b.apply(args[0], with...)
	b.arguments(args[1:])
	switch name {
	case "map", "flatMap":
		out := b.fresh()
		if name == "map" {
			b.same(b.member(out, Element), result)
		} else {
			b.same(out, result)
		}
		return val{node: out}
	case "find", "findLast":
		return val{node: element}
	case "filter", "sort", "toSorted":
		return on
	}
	return val{}
}

// pythonMethod follows the methods of Python's dictionaries, lists and texts.
func (b *calls) pythonMethod(on val, name string, args []*syntax.Node) (val, bool) {
	if v, ok := b.found(on, name, args); ok {
		return v, true
	}
	switch name {
	case "get", "pop", "setdefault":
		if len(args) == 0 || !args[0].Is(syntax.String) || !isName(args[0].Text) {
			if name == "get" {
				return val{}, false // perhaps a request
			}
			b.arguments(args)
			return val{node: b.read(on.node, Computed)}, true
		}
		m := b.memberOf(on, args[0].Text)
		if len(args) > 1 {
			b.defaults(m.node, args[1])
			m = b.either(m, b.expr(args[1]))
		}
		return m, true
	case "items", "values", "keys":
		b.use(on.node, ir.UseObject|ir.UseKeys)
		out := b.fresh()
		value := b.member(on.node, Computed)
		if name == "items" {
			value = b.member(b.member(out, Element), place(1))
			b.same(value, b.member(on.node, Computed))
		} else if name == "values" {
			b.same(b.member(out, Element), value)
		}
		return val{node: out}, true
	case "strip", "lstrip", "rstrip", "lower", "upper", "startswith", "endswith", "split", "replace", "title", "capitalize", "encode", "splitlines", "removeprefix", "removesuffix", "partition":
		b.arguments(args)
		b.use(on.node, ir.UseString)
		return val{text: textOf(on)}, true
	case "append", "extend":
		for _, a := range args {
			node := b.argument(a)
			if name == "append" {
				b.same(b.member(on.node, Element), node)
			} else {
				b.same(on.node, node)
			}
		}
		return val{}, true
	case "sort":
		b.use(on.node, ir.UseArray)
		b.keyed(args, b.read(on.node, Element))
		return val{}, true
	}
	return val{}, false
}

// keyed follows the functions in named arguments: key=lambda x: x["y"].
func (b *calls) keyed(args []*syntax.Node, element int) {
	for _, a := range args {
		if a.Is(syntax.Keyword) && a.Kid(0).Is(syntax.Func) {
			b.inline(a.Kid(0), element)
		} else {
			b.argument(a)
		}
	}
}
