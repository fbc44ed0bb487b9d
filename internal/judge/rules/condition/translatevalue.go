package condition

import (
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"
)

func (t *translator) text(n ast.Node) text {
	switch n := n.(type) {
	case *ast.StringNode:
		return func(*Env) string { return n.Value }
	case *ast.IdentifierNode:
		if get := ownField[string](n.Value); get != nil {
			return func(e *Env) string { return get(&e.Fields) }
		}
	case *ast.PointerNode:
		if n.Name == "" {
			return func(e *Env) string { return e.member }
		}
	case *ast.MemberNode:
		if get, i := stepField[string](t, n); get != nil {
			return func(e *Env) string { return get(e.Steps[i]) }
		}
		if kindOf(n.Node) == reflect.Slice && kindOf(n.Property) == reflect.Float64 {
			of, at := t.list(n.Node), t.number(n.Property)
			return func(e *Env) string { return of(e)[int(at(e))] }
		}
	case *ast.BinaryNode:
		if n.Operator == "+" {
			left, right := t.text(n.Left), t.text(n.Right)
			return func(e *Env) string { return left(e) + right(e) }
		}
	case *ast.ConditionalNode:
		cond, yes, no := t.truth(n.Cond), t.text(n.Exp1), t.text(n.Exp2)
		return func(e *Env) string {
			if cond(e) {
				return yes(e)
			}
			return no(e)
		}
	case *ast.CallNode:
		return t.told(n)
	case *ast.BuiltinNode:
		if n.Name == "lower" && len(n.Arguments) == 1 && kindOf(n.Arguments[0]) == reflect.String {
			of := t.text(n.Arguments[0])
			return func(e *Env) string { return strings.ToLower(of(e)) }
		}
	}
	t.fail(n)
	return nil
}

func (t *translator) number(n ast.Node) number {
	switch n := n.(type) {
	case *ast.IntegerNode:
		return func(*Env) float64 { return float64(n.Value) }
	case *ast.FloatNode:
		return func(*Env) float64 { return n.Value }
	case *ast.IdentifierNode:
		if get := ownField[float64](n.Value); get != nil {
			return func(e *Env) float64 { return get(&e.Fields) }
		}
		if get := ownField[int](n.Value); get != nil {
			return func(e *Env) float64 { return float64(get(&e.Fields)) }
		}
	case *ast.MemberNode:
		if get, i := stepField[float64](t, n); get != nil {
			return func(e *Env) float64 { return get(e.Steps[i]) }
		}
		if get, i := stepField[int](t, n); get != nil {
			return func(e *Env) float64 { return float64(get(e.Steps[i])) }
		}
	case *ast.UnaryNode:
		of := t.number(n.Node)
		if n.Operator == "-" {
			return func(e *Env) float64 { return -of(e) }
		}
	case *ast.BinaryNode:
		return t.computed(n)
	case *ast.CallNode:
		return t.numbered(n)
	case *ast.BuiltinNode:
		switch {
		case n.Name == "count":
			if count := t.counted(n); count != nil {
				return func(e *Env) float64 { found, _ := count(e, -1); return float64(found) }
			}
		case n.Name == "len" && kindOf(n.Arguments[0]) == reflect.String:
			of := t.text(n.Arguments[0])
			return func(e *Env) float64 { return float64(utf8.RuneCountInString(of(e))) }
		case n.Name == "len" && kindOf(n.Arguments[0]) == reflect.Slice:
			of := t.list(n.Arguments[0])
			return func(e *Env) float64 { return float64(len(of(e))) }
		}
	}
	t.fail(n)
	return nil
}

func (t *translator) computed(n *ast.BinaryNode) number {
	left, right := t.number(n.Left), t.number(n.Right)
	switch n.Operator {
	case "+":
		return func(e *Env) float64 { return left(e) + right(e) }
	case "-":
		return func(e *Env) float64 { return left(e) - right(e) }
	case "*":
		return func(e *Env) float64 { return left(e) * right(e) }
	case "/":
		return func(e *Env) float64 { return left(e) / right(e) }
	}
	t.fail(n)
	return nil
}

func (t *translator) list(n ast.Node) list {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		if get := ownField[[]string](n.Value); get != nil {
			return func(e *Env) []string { return get(&e.Fields) }
		}
	case *ast.MemberNode:
		if get, i := stepField[[]string](t, n); get != nil {
			return func(e *Env) []string { return get(e.Steps[i]) }
		}
	case *ast.ArrayNode:
		return t.members(n)
	}
	t.fail(n)
	return nil
}

// members translates [A, B], whose elements are mostly constants.
func (t *translator) members(n *ast.ArrayNode) list {
	var fixed []string
	var each []text
	for _, m := range n.Nodes {
		if kindOf(m) != reflect.String {
			t.fail(m)
			return nil
		}
		if s, ok := m.(*ast.StringNode); ok {
			fixed = append(fixed, s.Value)
		}
		each = append(each, t.text(m))
	}
	if len(fixed) == len(each) {
		return func(*Env) []string { return fixed }
	}
	return func(e *Env) []string {
		all := make([]string, len(each))
		for i, of := range each {
			all[i] = of(e)
		}
		return all
	}
}
