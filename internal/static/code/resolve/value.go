package resolve

import (
	"maps"
	"slices"
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
	path     // a resolved name
	function // of this file
	object   // written out in this file
	class    // of this file
)

// value is the evaluated value of an expression.
type value struct {
	kind valueKind
	// text is a constant with holes, or a path.
	text string
	num  float64
	list []value
	node *syntax.Node
	sc   *scope
	// made is set if it was concatenated, decoded or computed.
	made bool
}

// whole reports whether a text is known completely.
func (v value) whole() bool { return v.kind == text && !strings.Contains(v.text, ir.Hole) }

// partial returns the value as text with holes.
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

// evaluator computes the values of expressions, as far as possible without
// running them.
type evaluator struct {
	symbols *symbols
	budget  *budget
	memo    map[*syntax.Node]value
}

// consts records the texts that other files may import. The order decides which
// are left out if there are too many.
func (e *evaluator) consts(top *scope, f *ir.File) {
	f.Consts = map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(top.names)) {
		b := top.names[name]
		if len(b.values) != 1 || len(f.Consts) >= maxConsts || b.path != "" {
			continue
		}
		if v := e.eval(b.values[0].node, b.values[0].sc, 0); v.kind == text && len(v.text) <= maxText/4 {
			f.Consts[name] = shown(v)
		}
	}
}

// eval evaluates an expression.
func (e *evaluator) eval(n *syntax.Node, sc *scope, depth int) value {
	if n == nil || depth > maxEval || !e.budget.spend() {
		return value{}
	}
	switch n.Kind {
	case syntax.String:
		return textValue(n.Text, false)
	case syntax.Number:
		return numberValue(n.Text)
	case syntax.Name:
		return e.evalName(n.Text, sc, depth)
	case syntax.Func:
		return value{kind: function, node: n, sc: sc}
	case syntax.Object:
		return value{kind: object, node: n, sc: sc}
	case syntax.Class:
		return value{kind: class, node: n, sc: sc}
	case syntax.Unary:
		return e.evalUnary(n, sc, depth)
	case syntax.Assign:
		return e.eval(n.Kid(1), sc, depth+1)
	case syntax.Binary, syntax.Join, syntax.Member, syntax.Index, syntax.Call, syntax.List, syntax.Comprehension, syntax.If, syntax.Other:
		if v, ok := e.memo[n]; ok {
			return v
		}
		v := e.evalCompound(n, sc, depth)
		e.memo[n] = v
		return v
	}
	return value{}
}

func (e *evaluator) evalCompound(n *syntax.Node, sc *scope, depth int) value {
	switch n.Kind {
	case syntax.Binary:
		return e.evalBinary(n, sc, depth)
	case syntax.Join:
		return e.join(n.Kids, sc, depth)
	case syntax.Member:
		return e.member(e.eval(n.Kid(0), sc, depth+1), n.Text, depth)
	case syntax.Index:
		return e.index(n, sc, depth)
	case syntax.Call:
		return e.call(n, sc, depth)
	case syntax.List:
		v := value{kind: list}
		for _, k := range n.Kids {
			if len(v.list) >= 4096 {
				break
			}
			v.list = append(v.list, e.eval(k, sc, depth+1))
		}
		return v
	case syntax.Comprehension:
		return e.comprehension(n, sc, depth)
	case syntax.If: // a ? b : c, if both are of the same kind
		a := e.eval(n.Kid(1), sc, depth+1)
		if a.kind == path || a.kind == function {
			return a
		}
		if b := e.eval(n.Kid(2), sc, depth+1); b.kind == path || b.kind == function {
			return b
		}
	case syntax.Other:
		if n.Text == "," && len(n.Kids) > 0 { // (0, x.y)
			return e.eval(n.Kids[len(n.Kids)-1], sc, depth+1)
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

func (e *evaluator) evalName(name string, sc *scope, depth int) value {
	b := sc.find(name)
	if b == nil {
		if foreign(name, e.symbols.python) {
			return value{}
		}
		return pathValue(name)
	}
	if e.symbols.python && b.param && (name == "self" || name == "cls") {
		return pathValue(name)
	}
	if b.known || b.busy {
		return b.value
	}
	b.busy = true
	b.value = e.evalBinding(b, depth)
	b.busy, b.known = false, true
	return b.value
}

// foreign reports whether an undeclared name is a builtin of the other language
// only.
func foreign(name string, python bool) bool {
	switch name {
	case "exec", "compile", "open", "execfile", "getattr", "map", "chr", "bytes", "list", "str", "reversed":
		return !python
	case "Function", "fetch", "require", "atob", "Buffer", "Array", "URL", "unescape":
		return python
	}
	return false
}

func (e *evaluator) evalBinding(b *binding, depth int) value {
	if b.path != "" {
		return pathValue(b.path)
	}
	if b.fn != nil {
		return value{kind: function, node: b.fn}
	}
	if len(b.values) == 1 && !b.input {
		return e.eval(b.values[0].node, b.values[0].sc, depth+1)
	}
	// Several values: what they have in common, or the first that resolves.
	var first value
	for _, at := range b.values {
		v := e.eval(at.node, at.sc, depth+1)
		if v.kind == path || v.kind == function || v.kind == class {
			return v
		}
		if first.kind == unknown && v.kind == object {
			first = v
		}
	}
	return first
}

func (e *evaluator) evalUnary(n *syntax.Node, sc *scope, depth int) value {
	v := e.eval(n.Kid(0), sc, depth+1)
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
