package resolve

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

func (e *evaluator) evalBinary(n *syntax.Node, sc *scope, depth int) value {
	switch n.Text {
	case "+":
		sum, numbers := 0.0, true
		for _, k := range n.Kids {
			v := e.eval(k, sc, depth+1)
			numbers = numbers && v.kind == number
			sum += v.num
			if v.kind == list {
				return value{}
			}
		}
		if numbers {
			return value{kind: number, num: sum}
		}
		return e.join(n.Kids, sc, depth)
	case "or", "and":
		a := e.eval(n.Kid(0), sc, depth+1)
		if a.kind == path && n.Text == "or" {
			return a
		}
		return e.eval(n.Kid(1), sc, depth+1)
	case "/", "//": // pathlib
		if e.symbols.python {
			a, b := e.eval(n.Kid(0), sc, depth+1), e.eval(n.Kid(1), sc, depth+1)
			if a.kind == text && b.kind == text {
				return textValue(strings.TrimSuffix(a.text, "/")+"/"+b.text, true)
			}
		}
	case "^", "-", "*", "%":
		return e.arithmetic(n, sc, depth)
	}
	return value{}
}

func (e *evaluator) arithmetic(n *syntax.Node, sc *scope, depth int) value {
	a, b := e.eval(n.Kid(0), sc, depth+1), e.eval(n.Kid(1), sc, depth+1)
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

// fillPercent replaces format verbs by holes.
func fillPercent(s string) string {
	return strings.NewReplacer("%s", ir.Hole, "%d", ir.Hole, "%r", ir.Hole, "%%", "%").Replace(s)
}

// join concatenates texts, with a hole for each unknown part.
func (e *evaluator) join(parts []*syntax.Node, sc *scope, depth int) value {
	var b strings.Builder
	known := false
	for _, k := range parts {
		v := e.eval(k, sc, depth+1)
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
