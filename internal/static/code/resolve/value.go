package resolve

import (
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

type valueKind uint8

const (
	unknown valueKind = iota
	text
	number
	list
	path     // something with a name of its own
	function // of this file
	object   // written out in this file
	class    // of this file
)

// value is what is known of an expression.
type value struct {
	kind valueKind
	// text is a constant with holes, or a path.
	text string
	num  float64
	list []value
	node *syntax.Node
	sc   *scope
	// made is set if it was put together, decoded or computed.
	made bool
}

// whole tells whether a text is known completely.
func (v value) whole() bool { return v.kind == text && !strings.Contains(v.text, ir.Hole) }

// partial is the value as text with holes.
func (v value) partial() string {
	switch v.kind {
	case text:
		return v.text
	case number:
		return strconv.FormatFloat(v.num, 'f', -1, 64)
	}
	return ir.Hole
}

func textValue(s string, made bool) value {
	if len(s) > maxText {
		s = s[:maxText]
	}
	return value{kind: text, text: s, made: made}
}

func pathValue(s string) value {
	if len(s) > 200 {
		s = s[:200]
	}
	return value{kind: path, text: clean(s)}
}

// eval finds out what an expression is.
func (r *reader) eval(n *syntax.Node, sc *scope, depth int) value {
	if n == nil || depth > maxEval || !r.spend() {
		return value{}
	}
	switch n.Kind {
	case syntax.String:
		return textValue(n.Text, false)
	case syntax.Number:
		return numberValue(n.Text)
	case syntax.Name:
		return r.evalName(n.Text, sc, depth)
	case syntax.Func:
		return value{kind: function, node: n, sc: sc}
	case syntax.Object:
		return value{kind: object, node: n, sc: sc}
	case syntax.Class:
		return value{kind: class, node: n, sc: sc}
	case syntax.Unary:
		return r.evalUnary(n, sc, depth)
	case syntax.Assign:
		return r.eval(n.Kid(1), sc, depth+1)
	case syntax.Binary, syntax.Join, syntax.Member, syntax.Index, syntax.Call, syntax.List, syntax.Comprehension, syntax.If, syntax.Other:
		if v, ok := r.values[n]; ok {
			return v
		}
		v := r.evalCompound(n, sc, depth)
		r.values[n] = v
		return v
	}
	return value{}
}

func (r *reader) evalCompound(n *syntax.Node, sc *scope, depth int) value {
	switch n.Kind {
	case syntax.Binary:
		return r.evalBinary(n, sc, depth)
	case syntax.Join:
		return r.join(n.Kids, sc, depth)
	case syntax.Member:
		return r.member(r.eval(n.Kid(0), sc, depth+1), n.Text, depth)
	case syntax.Index:
		return r.index(n, sc, depth)
	case syntax.Call:
		return r.call(n, sc, depth)
	case syntax.List:
		v := value{kind: list}
		for _, k := range n.Kids {
			if len(v.list) >= 4096 {
				break
			}
			v.list = append(v.list, r.eval(k, sc, depth+1))
		}
		return v
	case syntax.Comprehension:
		return r.comprehension(n, sc, depth)
	case syntax.If: // a ? b : c, if both are the same kind of thing
		a := r.eval(n.Kid(1), sc, depth+1)
		if a.kind == path || a.kind == function {
			return a
		}
		if b := r.eval(n.Kid(2), sc, depth+1); b.kind == path || b.kind == function {
			return b
		}
	case syntax.Other:
		if n.Text == "," && len(n.Kids) > 0 { // (0, x.y)
			return r.eval(n.Kids[len(n.Kids)-1], sc, depth+1)
		}
	}
	return value{}
}

func numberValue(s string) value {
	s = strings.ReplaceAll(strings.TrimSuffix(s, "n"), "_", "")
	if i, err := strconv.ParseInt(s, 0, 64); err == nil {
		return value{kind: number, num: float64(i)}
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return value{kind: number, num: f}
	}
	return value{}
}

func (r *reader) evalName(name string, sc *scope, depth int) value {
	b := sc.find(name)
	if b == nil {
		if foreign(name, r.python) {
			return value{}
		}
		return pathValue(name)
	}
	if r.python && b.param && (name == "self" || name == "cls") {
		return pathValue(name)
	}
	if b.known || b.busy {
		return b.value
	}
	b.busy = true
	b.value = r.evalBinding(b, depth)
	b.busy, b.known = false, true
	return b.value
}

// foreign tells whether a name without a declaration means something in the
// other language only.
func foreign(name string, python bool) bool {
	switch name {
	case "exec", "compile", "open", "execfile", "getattr", "map", "chr", "bytes", "list", "str", "reversed":
		return !python
	case "Function", "fetch", "require", "atob", "Buffer", "Array", "URL", "unescape":
		return python
	}
	return false
}

func (r *reader) evalBinding(b *binding, depth int) value {
	if b.path != "" {
		return pathValue(b.path)
	}
	if b.fn != nil {
		return value{kind: function, node: b.fn}
	}
	if len(b.values) == 1 && !b.input {
		return r.eval(b.values[0].node, b.values[0].sc, depth+1)
	}
	// Several: what they have in common, or the first that leads somewhere.
	var first value
	for _, at := range b.values {
		v := r.eval(at.node, at.sc, depth+1)
		if v.kind == path || v.kind == function || v.kind == class {
			return v
		}
		if first.kind == unknown && v.kind == object {
			first = v
		}
	}
	return first
}

func (r *reader) evalUnary(n *syntax.Node, sc *scope, depth int) value {
	v := r.eval(n.Kid(0), sc, depth+1)
	switch n.Text {
	case "await", "given":
		if n.Text == "given" && v.kind != path {
			return value{}
		}
		return v
	case "-":
		if v.kind == number {
			v.num = -v.num
			return v
		}
	case "each":
		if v.kind == path {
			return pathValue(v.text + "[]")
		}
		if v.kind == list && len(v.list) > 0 && len(v.list) <= 64 && v.list[0].whole() {
			return textValue(v.list[0].text, true) // the first stands for all
		}
	}
	return value{}
}

func (r *reader) evalBinary(n *syntax.Node, sc *scope, depth int) value {
	switch n.Text {
	case "+":
		sum, numbers := 0.0, true
		for _, k := range n.Kids {
			v := r.eval(k, sc, depth+1)
			numbers = numbers && v.kind == number
			sum += v.num
			if v.kind == list {
				return value{}
			}
		}
		if numbers {
			return value{kind: number, num: sum}
		}
		return r.join(n.Kids, sc, depth)
	case "or", "and":
		a := r.eval(n.Kid(0), sc, depth+1)
		if a.kind == path && n.Text == "or" {
			return a
		}
		return r.eval(n.Kid(1), sc, depth+1)
	case "/", "//": // pathlib
		if r.python {
			a, b := r.eval(n.Kid(0), sc, depth+1), r.eval(n.Kid(1), sc, depth+1)
			if a.kind == text && b.kind == text {
				return textValue(strings.TrimSuffix(a.text, "/")+"/"+b.text, true)
			}
		}
	case "^", "-", "*", "%":
		return r.arithmetic(n, sc, depth)
	}
	return value{}
}

func (r *reader) arithmetic(n *syntax.Node, sc *scope, depth int) value {
	a, b := r.eval(n.Kid(0), sc, depth+1), r.eval(n.Kid(1), sc, depth+1)
	switch {
	case n.Text == "*" && a.kind == text && b.kind == number && b.num >= 0 && b.num*float64(len(a.text)) < maxText:
		return textValue(strings.Repeat(a.text, int(b.num)), true)
	case n.Text == "%" && a.kind == text:
		return value{kind: text, text: fillPercent(a.text), made: true}
	case a.kind != number || b.kind != number:
		return value{}
	}
	switch n.Text {
	case "^":
		return value{kind: number, num: float64(int64(a.num) ^ int64(b.num))}
	case "-":
		return value{kind: number, num: a.num - b.num}
	case "*":
		return value{kind: number, num: a.num * b.num}
	}
	return value{}
}

// fillPercent puts holes where values go.
func fillPercent(s string) string {
	return strings.NewReplacer("%s", ir.Hole, "%d", ir.Hole, "%r", ir.Hole, "%%", "%").Replace(s)
}

// join is a text put together; a hole where a part is not known.
func (r *reader) join(parts []*syntax.Node, sc *scope, depth int) value {
	var b strings.Builder
	known := false
	for _, k := range parts {
		v := r.eval(k, sc, depth+1)
		known = known || v.kind == text
		if b.Len() < maxText {
			b.WriteString(v.partial())
		}
	}
	if !known {
		return value{}
	}
	return textValue(b.String(), true)
}
