package condition

import (
	"maps"
	"sync"

	"github.com/expr-lang/expr/types"

	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// Field is a field of an event that conditions can name.
type Field struct {
	Name string
	// Doc is one sentence; Example is a condition.
	Doc     string
	Example string
	// get reads the field: a func(*fields) that returns a string, a bool, an
	// int, a float64 or a []string.
	get any
}

// Predicate is a function that conditions can call.
type Predicate struct {
	Name string
	// Params are the names of its arguments.
	Params  []string
	Doc     string
	Example string
	// answer computes the result: a func(*env, ...) of one of the types that
	// [signature] accepts.
	answer any
}

// Vocabulary lists what a condition may name: the fields of the event, the
// predicates, and the earlier steps of a sequence, which have the same fields.
// expr needs only the types; the values are never read.
func Vocabulary(steps []string) map[string]any {
	all := maps.Clone(language().types)
	for _, name := range steps {
		if name != "" {
			all[name] = language().step
		}
	}
	return all
}

// words are the fields and predicates by name.
type words struct {
	fields     map[string]any
	predicates []Predicate
	places     map[string]int
	// types are the types of all names for expr; step is the type of an earlier step.
	types map[string]any
	step  types.Map
}

// language returns all fields and predicates, built once.
//
//nolint:gochecknoglobals // read once like a regular expression, and never changed
var language = sync.OnceValue(func() *words {
	w := &words{fields: map[string]any{}, predicates: Predicates(), places: map[string]int{}, types: map[string]any{}, step: types.Map{}}
	for _, f := range Fields() {
		w.fields[f.Name], w.types[f.Name] = f.get, zeroOf(f.get)
		w.step[f.Name] = types.TypeOf(w.types[f.Name])
	}
	for i, p := range w.predicates {
		w.places[p.Name], w.types[p.Name] = i, signature(p.answer)
	}
	return w
})

// zeroOf returns a zero value of a field's type.
func zeroOf(get any) any {
	switch get.(type) {
	case func(*event.Fields) string:
		return ""
	case func(*event.Fields) bool:
		return false
	case func(*event.Fields) float64:
		return 0.0
	case func(*event.Fields) int:
		return 0
	case func(*event.Fields) []string:
		return []string(nil)
	}
	return nil
}

// signature returns the function type of a predicate in conditions.
func signature(answer any) any {
	switch answer.(type) {
	case func(*Env) bool:
		return (func() bool)(nil)
	case func(*Env, string) bool:
		return (func(string) bool)(nil)
	case func(*Env, string, string) bool:
		return (func(string, string) bool)(nil)
	case func(*Env, string, bool) bool:
		return (func(string, bool) bool)(nil)
	case func(*Env) string:
		return (func() string)(nil)
	case func(*Env, string) string:
		return (func(string) string)(nil)
	case func(*Env) int:
		return (func() int)(nil)
	}
	return nil
}

// fieldNamed returns the getter of a field, nil if no field has that name.
func fieldNamed(name string) any { return language().fields[name] }

// predicateNamed returns a predicate and its index.
func predicateNamed(name string) (at int, found *Predicate) {
	at, ok := language().places[name]
	if !ok {
		return 0, nil
	}
	return at, &language().predicates[at]
}
