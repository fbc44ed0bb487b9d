package condition

import (
	"slices"

	"github.com/expr-lang/expr/ast"

	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// ownField returns the getter of a field of the current event, nil if no field
// has that name and type.
func ownField[T any](name string) func(*event.Fields) T {
	get, _ := fieldNamed(name).(func(*event.Fields) T)
	return get
}

// stepField returns the getter of a field of an earlier step, and the step's index.
func stepField[T any](t *translator, n *ast.MemberNode) (func(*event.Fields) T, int) {
	step, named := n.Node.(*ast.IdentifierNode)
	field, fixed := n.Property.(*ast.StringNode)
	if !named || !fixed {
		return nil, 0
	}
	i := slices.Index(t.steps, step.Value)
	get := ownField[T](field.Value)
	if i < 0 || get == nil {
		return nil, 0
	}
	t.used[step.Value] = true
	return get, i
}

// called returns the predicate that a call node names.
func called(n *ast.CallNode) (place int, answer any) {
	if name, ok := n.Callee.(*ast.IdentifierNode); ok {
		if i, p := predicateNamed(name.Value); p != nil {
			return i, p.answer
		}
	}
	return 0, nil
}

// asked translates a predicate with a boolean result. A predicate without
// arguments has the same result for every rule, so it is computed once for each
// event.
func (t *translator) asked(n *ast.CallNode) truth {
	i, answer := called(n)
	switch ask := answer.(type) {
	case func(*Env) bool:
		return func(e *Env) bool {
			m := &e.answers[i]
			if m.asked != e.asked {
				m.asked, m.answer = e.asked, ask(e)
			}
			return m.answer
		}
	case func(*Env, string) bool:
		about := t.text(n.Arguments[0])
		return func(e *Env) bool { return ask(e, about(e)) }
	case func(*Env, string, string) bool:
		one, other := t.text(n.Arguments[0]), t.text(n.Arguments[1])
		return func(e *Env) bool { return ask(e, one(e), other(e)) }
	case func(*Env, string, bool) bool:
		about, value := t.text(n.Arguments[0]), t.truth(n.Arguments[1])
		return func(e *Env) bool { return ask(e, about(e), value(e)) }
	}
	t.fail(n)
	return nil
}

// told translates a predicate with a string result.
func (t *translator) told(n *ast.CallNode) text {
	_, answer := called(n)
	switch ask := answer.(type) {
	case func(*Env) string:
		return ask
	case func(*Env, string) string:
		about := t.text(n.Arguments[0])
		return func(e *Env) string { return ask(e, about(e)) }
	}
	t.fail(n)
	return nil
}

// numbered translates a predicate with a numeric result.
func (t *translator) numbered(n *ast.CallNode) number {
	_, answer := called(n)
	ask, ok := answer.(func(*Env) int)
	if !ok {
		t.fail(n)
		return nil
	}
	return func(e *Env) float64 { return float64(ask(e)) }
}
