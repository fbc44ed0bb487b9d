package rules

import (
	"reflect"
	"slices"

	"github.com/expr-lang/expr/ast"
)

// vocabulary is what a condition may name: the fields of the event, the
// questions, and the earlier steps of a sequence, which have the same fields.
// Only types matter; the values are never looked at.
func vocabulary(steps []string) map[string]any {
	words := map[string]any{}
	for f := range reflect.TypeFor[fields]().Fields() {
		if f.IsExported() {
			words[f.Name] = reflect.Zero(f.Type).Interface()
		}
	}
	for f := range reflect.TypeFor[questions]().Fields() {
		words[f.Tag.Get("expr")] = reflect.Zero(f.Type).Interface()
	}
	for _, name := range steps {
		if name != "" {
			words[name] = fields{}
		}
	}
	return words
}

// ownField reads a field of the event at hand.
func ownField[T any](name string, read func(reflect.Value) T) (func(*fields) T, bool) {
	f, ok := reflect.TypeFor[fields]().FieldByName(name)
	if !ok || !f.IsExported() {
		return nil, false
	}
	i := f.Index[0]
	return func(of *fields) T { return read(reflect.ValueOf(of).Elem().Field(i)) }, true
}

// stepField reads a field of an earlier step; it returns the step's place.
func stepField[T any](t *translator, n *ast.MemberNode, read func(reflect.Value) T) (func(*fields) T, int) {
	step, named := n.Node.(*ast.IdentifierNode)
	field, fixed := n.Property.(*ast.StringNode)
	if !named || !fixed {
		return nil, 0
	}
	i := slices.Index(t.steps, step.Value)
	get, ok := ownField(field.Value, read)
	if i < 0 || !ok {
		return nil, 0
	}
	t.used[step.Value] = true
	return get, i
}

func asNumber(v reflect.Value) float64 {
	if v.CanInt() {
		return float64(v.Int())
	}
	return v.Float()
}

func asList(v reflect.Value) []string { return *v.Addr().Interface().(*[]string) }

// question finds a function of the language by its name.
func question(n *ast.CallNode) (place int, of reflect.Type) {
	if name, ok := n.Callee.(*ast.IdentifierNode); ok {
		for i := range reflect.TypeFor[questions]().NumField() {
			if f := reflect.TypeFor[questions]().Field(i); f.Tag.Get("expr") == name.Value {
				return i, f.Type
			}
		}
	}
	return 0, nil
}

// asked translates a question that is answered with yes or no.
func (t *translator) asked(n *ast.CallNode) truth {
	i, of := question(n)
	switch of {
	case reflect.TypeFor[func() bool]():
		return func(e *env) bool { return e.functions[i].(func() bool)() }
	case reflect.TypeFor[func(string) bool]():
		about := t.text(n.Arguments[0])
		return func(e *env) bool { return e.functions[i].(func(string) bool)(about(e)) }
	case reflect.TypeFor[func(string, string) bool]():
		one, other := t.text(n.Arguments[0]), t.text(n.Arguments[1])
		return func(e *env) bool { return e.functions[i].(func(string, string) bool)(one(e), other(e)) }
	case reflect.TypeFor[func(string, bool) bool]():
		about, value := t.text(n.Arguments[0]), t.truth(n.Arguments[1])
		return func(e *env) bool { return e.functions[i].(func(string, bool) bool)(about(e), value(e)) }
	}
	t.fail(n)
	return nil
}

// told translates a question that is answered with a text.
func (t *translator) told(n *ast.CallNode) text {
	i, of := question(n)
	switch of {
	case reflect.TypeFor[func() string]():
		return func(e *env) string { return e.functions[i].(func() string)() }
	case reflect.TypeFor[func(string) string]():
		about := t.text(n.Arguments[0])
		return func(e *env) string { return e.functions[i].(func(string) string)(about(e)) }
	}
	t.fail(n)
	return nil
}

// numbered translates a question that is answered with a number.
func (t *translator) numbered(n *ast.CallNode) number {
	i, of := question(n)
	if of != reflect.TypeFor[func() int]() {
		t.fail(n)
		return nil
	}
	return func(e *env) float64 { return float64(e.functions[i].(func() int)()) }
}

// functions are the questions of one pass, in their order. The answer to one
// without arguments is the same for every rule that asks it about an event, so
// it is given once; about is the number of times that the event has changed.
func (q *questions) functions(about *int) []any {
	all := reflect.ValueOf(q).Elem()
	out := make([]any, all.NumField())
	for i := range out {
		out[i] = all.Field(i).Interface()
		if ask, ok := out[i].(func() bool); ok {
			last, answer := -1, false
			out[i] = func() bool {
				if last != *about {
					last, answer = *about, ask()
				}
				return answer
			}
		}
	}
	return out
}
