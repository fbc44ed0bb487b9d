package condition

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// expr parses and type-checks a condition; then it is translated into Go
// functions. expr's own virtual machine finds every field by reflection and
// allocates for each value. With thirty conditions for each of a million events
// that is ten times too slow.

// Functions that compute the parts of a condition, by type of result.
type (
	truth  func(*Env) bool
	text   func(*Env) string
	number func(*Env) float64
	list   func(*Env) []string
)

// translator turns the checked tree of a condition into functions.
type translator struct {
	// steps are the names of the earlier steps of a sequence; used are those
	// that the condition refers to.
	steps []string
	used  map[string]bool
	// bad is the first node that has no translation.
	bad ast.Node
}

// kindOf returns the type of a node's result; lists are lists of strings.
func kindOf(n ast.Node) reflect.Kind {
	switch t := n.Type(); t.Kind() {
	case reflect.String, reflect.Bool:
		return t.Kind()
	case reflect.Int, reflect.Int64, reflect.Float64:
		return reflect.Float64
	case reflect.Slice:
		return reflect.Slice
	}
	return reflect.Invalid
}

func (t *translator) fail(n ast.Node) {
	if t.bad == nil {
		t.bad = n
	}
}

func (t *translator) truth(n ast.Node) truth {
	switch n := n.(type) {
	case *ast.BoolNode:
		return func(*Env) bool { return n.Value }
	case *ast.IdentifierNode:
		if get := ownField[bool](n.Value); get != nil {
			return func(e *Env) bool { return get(&e.Fields) }
		}
	case *ast.MemberNode:
		if get, i := stepField[bool](t, n); get != nil {
			return func(e *Env) bool { return get(e.Steps[i]) }
		}
	case *ast.UnaryNode:
		if kindOf(n.Node) == reflect.Bool {
			of := t.truth(n.Node)
			return func(e *Env) bool { return !of(e) }
		}
	case *ast.BinaryNode:
		return t.compared(n)
	case *ast.ConditionalNode:
		cond, yes, no := t.truth(n.Cond), t.truth(n.Exp1), t.truth(n.Exp2)
		return func(e *Env) bool { return cond(e) && yes(e) || !cond(e) && no(e) }
	case *ast.CallNode:
		return t.asked(n)
	case *ast.BuiltinNode:
		return t.quantified(n)
	}
	t.fail(n)
	return nil
}

func (t *translator) compared(n *ast.BinaryNode) truth {
	switch n.Operator {
	case "&&", "and":
		return t.all(n)
	case "||", "or":
		return t.any(n)
	case "in":
		return t.contained(n)
	}
	switch kind := kindOf(n.Left); {
	case kind != kindOf(n.Right):
	case kind == reflect.String:
		return t.comparedTexts(n)
	case kind == reflect.Float64:
		left, right := t.number(n.Left), t.number(n.Right)
		if holds := order[float64](n.Operator); holds != nil {
			return func(e *Env) bool { return holds(left(e), right(e)) }
		}
	case kind == reflect.Bool && (n.Operator == "==" || n.Operator == "!="):
		left, right, same := t.truth(n.Left), t.truth(n.Right), n.Operator == "=="
		return func(e *Env) bool { return (left(e) == right(e)) == same }
	}
	t.fail(n)
	return nil
}

// all translates A && B && C as one list, and so does any with ||. A binary tree
// would be descended to its first operand for each evaluation.
func (t *translator) all(n *ast.BinaryNode) truth {
	parts := t.parts(n, "&&", "and")
	return func(e *Env) bool {
		for _, holds := range parts {
			if !holds(e) {
				return false
			}
		}
		return true
	}
}

func (t *translator) any(n *ast.BinaryNode) truth {
	parts := t.parts(n, "||", "or")
	return func(e *Env) bool {
		for _, holds := range parts {
			if holds(e) {
				return true
			}
		}
		return false
	}
}

// parts returns all operands of a chain of the same operator.
func (t *translator) parts(n ast.Node, operators ...string) []truth {
	if b, ok := n.(*ast.BinaryNode); ok && slices.Contains(operators, b.Operator) {
		return append(t.parts(b.Left, operators...), t.parts(b.Right, operators...)...)
	}
	return []truth{t.truth(n)}
}

func (t *translator) comparedTexts(n *ast.BinaryNode) truth {
	left, right := t.text(n.Left), t.text(n.Right)
	holds := order[string](n.Operator)
	fixed, isFixed := n.Right.(*ast.StringNode)
	switch n.Operator {
	case "==": // by far the most common
		if isFixed {
			return func(e *Env) bool { return left(e) == fixed.Value }
		}
	case "contains":
		holds = strings.Contains
	case "startsWith":
		holds = strings.HasPrefix
	case "endsWith":
		holds = strings.HasSuffix
	case "matches":
		if isFixed { // condition.go has checked the pattern
			re := regexp.MustCompile(fixed.Value)
			return func(e *Env) bool { return e.matches(re, left(e)) }
		}
	}
	if holds == nil {
		t.fail(n)
	}
	return func(e *Env) bool { return holds(left(e), right(e)) }
}

func order[T float64 | string](operator string) func(a, b T) bool {
	switch operator {
	case "==":
		return func(a, b T) bool { return a == b }
	case "!=":
		return func(a, b T) bool { return a != b }
	case "<":
		return func(a, b T) bool { return a < b }
	case "<=":
		return func(a, b T) bool { return a <= b }
	case ">":
		return func(a, b T) bool { return a > b }
	case ">=":
		return func(a, b T) bool { return a >= b }
	}
	return nil
}

// contained translates X in [A, B] and X in LIST.
func (t *translator) contained(n *ast.BinaryNode) truth {
	array, fixed := n.Right.(*ast.ArrayNode)
	switch kind := kindOf(n.Left); {
	case kind == reflect.String && kindOf(n.Right) == reflect.Slice:
		left, right := t.text(n.Left), t.list(n.Right)
		return func(e *Env) bool { return slices.Contains(right(e), left(e)) }
	case kind == reflect.Float64 && fixed:
		left := t.number(n.Left)
		var members []number
		for _, m := range array.Nodes {
			members = append(members, t.number(m))
		}
		return func(e *Env) bool {
			value := left(e)
			return slices.ContainsFunc(members, func(m number) bool { return m(e) == value })
		}
	}
	t.fail(n)
	return nil
}

// quantified translates any, all and none over a list.
func (t *translator) quantified(n *ast.BuiltinNode) truth {
	count := t.counted(n)
	if count == nil {
		return nil
	}
	switch n.Name {
	case "any":
		return func(e *Env) bool { found, _ := count(e, 1); return found > 0 }
	case "none":
		return func(e *Env) bool { found, _ := count(e, 1); return found == 0 }
	case "all":
		return func(e *Env) bool { found, all := count(e, -1); return found == all }
	}
	t.fail(n)
	return nil
}

// counted counts the list elements for which a condition holds, and stops as soon as the count
// is high enough.
func (t *translator) counted(n *ast.BuiltinNode) func(e *Env, enough int) (found, all int) {
	if len(n.Arguments) == 2 && kindOf(n.Arguments[0]) == reflect.Slice {
		if p, ok := n.Arguments[1].(*ast.PredicateNode); ok {
			of, holds := t.list(n.Arguments[0]), t.truth(p.Node)
			return func(e *Env, enough int) (found, all int) {
				outer, members := e.member, of(e)
				for _, e.member = range members {
					if holds(e) {
						found++
					}
					if found == enough {
						break
					}
				}
				e.member = outer
				return found, len(members)
			}
		}
	}
	t.fail(n)
	return nil
}
