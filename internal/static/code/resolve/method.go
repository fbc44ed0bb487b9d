package resolve

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// method computes the results of methods of texts and lists.
func (e *evaluator) method(on value, name string, args []*syntax.Node, sc *scope, depth int) value {
	arg := func(i int) value {
		if i >= len(args) {
			return value{}
		}
		return e.eval(args[i], sc, depth+1)
	}
	switch name {
	case "join":
		if on.kind == text { // Python
			return joined(arg(0), on.text)
		}
		by := ","
		if a := arg(0); a.kind == text {
			by = a.text
		} else if len(args) > 0 {
			return value{}
		}
		return joined(on, by)
	case "reverse", "toReversed":
		if on.kind == list {
			return reverse(on)
		}
	case "split":
		if on.whole() && arg(0).kind == text {
			return split(on, arg(0).text)
		}
	case "concat":
		if on.kind == text {
			return textValue(on.text+arg(0).partial()+rest(len(args) > 1), true)
		}
	case "format":
		if on.kind == text {
			return textValue(fillBraces(on.text), true)
		}
	case "map":
		return e.mapped(on, args, sc, depth)
	}
	if on.kind != text {
		return value{}
	}
	return textMethod(on, name, arg)
}

func rest(more bool) string {
	if more {
		return ir.Hole
	}
	return ""
}

// textMethod computes methods that depend only on their operands.
func textMethod(on value, name string, arg func(int) value) value {
	switch name {
	case "toString", "decode", "encode", "trim", "strip", "toLowerCase", "lower", "toUpperCase", "upper", "expanduser", "resolve", "as_posix", "valueOf", "normalize", "trimEnd", "absolute":
		v := on
		switch name {
		case "toLowerCase", "lower":
			v.text = strings.ToLower(v.text)
		case "toUpperCase", "upper":
			v.text = strings.ToUpper(v.text)
		case "trim", "strip":
			v.text = strings.TrimSpace(v.text)
		}
		return v
	case "joinpath":
		return textValue(on.text+"/"+arg(0).partial(), true)
	case "replace", "replaceAll":
		if a, b := arg(0), arg(1); on.whole() && a.whole() && b.whole() && a.text != "" && len(on.text)*max(1, len(b.text)) < 8*maxText {
			return textValue(strings.ReplaceAll(on.text, a.text, b.text), true)
		}
	case "charCodeAt", "codePointAt":
		if i := arg(0); i.kind == number && i.num >= 0 && int(i.num) < len(on.text) {
			return value{kind: number, num: float64(on.text[int(i.num)])}
		}
	case "slice", "substring", "substr":
		from, to := arg(0), arg(1)
		if !on.whole() || from.kind != number {
			return value{}
		}
		end := len(on.text)
		if to.kind == number {
			end = clamp(int(to.num), len(on.text))
		}
		return cut(on, clamp(int(from.num), len(on.text)), end)
	}
	return value{}
}

func fillBraces(s string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(s, "{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		_, after, ok = strings.Cut(after, "}")
		b.WriteString(ir.Hole)
		if !ok {
			return b.String()
		}
		s = after
	}
}

func joined(v value, by string) value {
	if v.kind == text {
		return v
	}
	if v.kind != list || len(v.list) == 0 {
		return value{}
	}
	parts := make([]string, len(v.list))
	size := 0
	for i, e := range v.list {
		parts[i] = e.partial()
		if size += len(parts[i]); size > maxText {
			return value{}
		}
	}
	return textValue(strings.Join(parts, by), true)
}

// mapped applies a function to each element, if its result can be computed,
// such as characters from numbers.
func (e *evaluator) mapped(on value, args []*syntax.Node, sc *scope, depth int) value {
	if on.kind != list || len(args) == 0 || len(on.list) > 4096 {
		return value{}
	}
	f := e.eval(args[0], sc, depth+1)
	if f.kind == path && (f.text == "String.fromCharCode" || f.text == "chr") {
		return each(on, func(v value) value { return characters([]value{v}) })
	}
	if f.kind != function {
		return value{}
	}
	params := f.node.Kid(0).Kids
	if len(params) == 0 {
		return value{}
	}
	return e.repeat(on, params[0].Text, returned(f.node), e.symbols.scopes[f.node], depth)
}

// returned returns the expression that a short function returns.
func returned(f *syntax.Node) *syntax.Node {
	b := f.Kid(1)
	if !b.Is(syntax.Block) {
		return b
	}
	if len(b.Kids) == 1 && b.Kids[0].Is(syntax.Return) {
		return b.Kids[0].Kid(0)
	}
	return nil
}

// repeat evaluates an expression for each element.
func (e *evaluator) repeat(on value, name string, body *syntax.Node, sc *scope, depth int) value {
	if body == nil || name == "" || sc == nil || len(on.list) > 4096 {
		return value{}
	}
	out := value{kind: list, made: true}
	for _, one := range on.list {
		inner := &scope{up: sc, fn: sc.fn, names: map[string]*binding{name: {known: true, value: one}}}
		outer := e.memo
		e.memo = map[*syntax.Node]value{}
		v := e.eval(body, inner, depth+1)
		e.memo = outer
		if v.kind == unknown {
			return value{}
		}
		out.list = append(out.list, v)
	}
	return out
}

// comprehension evaluates [f(x) for x in list].
func (e *evaluator) comprehension(n *syntax.Node, sc *scope, depth int) value {
	if len(n.Kids) != 2 || !n.Kid(1).Is(syntax.Assign) || !n.Kid(1).Kid(0).Is(syntax.Name) {
		return value{}
	}
	source := e.eval(n.Kid(1).Kid(1).Kid(0), sc, depth+1)
	if source.kind == text && source.whole() && len(source.text) <= 4096 {
		source = split(source, "")
	}
	if source.kind != list {
		return value{}
	}
	return e.repeat(source, n.Kid(1).Kid(0).Text, n.Kid(0), sc, depth)
}
