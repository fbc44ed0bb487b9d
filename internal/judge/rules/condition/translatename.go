package condition

import (
	"slices"

	"github.com/expr-lang/expr/ast"

	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// ownField reads a field of the event at hand, nil if there is none of that
// name and type.
func ownField[T any](name string) func(*event.Fields) T {
	get, _ := fieldNamed(name).(func(*event.Fields) T)
	return get
}

// stepField reads a field of an earlier step; it returns the step's place.
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

// called finds the predicate that a call is of.
func called(n *ast.CallNode) (place int, answer any) {
	if name, ok := n.Callee.(*ast.IdentifierNode); ok {
		if i, p := predicateNamed(name.Value); p != nil {
			return i, p.answer
		}
	}
	return 0, nil
}

// asked translates a predicate that answers with yes or no. The answer of one
// without arguments is the same for every rule that asks about an event, so it is
// given once.
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

// told translates a predicate that answers with a text.
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

// numbered translates a predicate that answers with a number.
func (t *translator) numbered(n *ast.CallNode) number {
	_, answer := called(n)
	ask, ok := answer.(func(*Env) int)
	if !ok {
		t.fail(n)
		return nil
	}
	return func(e *Env) float64 { return float64(ask(e)) }
}
