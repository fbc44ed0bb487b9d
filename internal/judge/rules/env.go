package rules

import (
	"regexp"

	"github.com/mcpsf/mcpsf"
)

// maxArgs bounds the argument vector a condition sees.
const maxArgs = 64

// knowledge is what the predicates of a pass know: what has happened, and who
// asked for it.
type knowledge struct {
	declared  *declaration
	run       *run
	attacks   *attacks
	explainer *explainer
	thefts    *thefts
	facts     staticFacts
}

// newKnowledge begins a pass.
func newKnowledge(scope Scope, facts []mcpsf.Fact) *knowledge {
	d := newDeclaration(scope)
	r := newRun(d)
	a := newAttacks(d, r.calls)
	x := newExplainer(r, a)
	return &knowledge{declared: d, run: r, attacks: a, explainer: x, thefts: newThefts(x), facts: facts}
}

// env is what a condition is asked about: the event at hand, and what is known
// beside it.
type env struct {
	fields
	known *knowledge
	// asked counts the events that conditions were asked about; answers are those
	// of the predicates without arguments, which are the same for every rule.
	asked   int
	answers []memo
	// steps are the events that the earlier steps of a sequence were, and
	// member is the one of a list that a condition is asked about.
	steps  []*fields
	member string
	// matched is what patterns said of short texts: a run has few names, and
	// each of them thousands of times.
	matched map[matching]bool
}

// memo is what a predicate said, and of which event.
type memo struct {
	asked  int
	answer bool
}

func newEnv(k *knowledge) *env {
	return &env{known: k, answers: make([]memo, len(predicates())), matched: map[matching]bool{}}
}

// next says that the fields are those of another event.
func (e *env) next() { e.asked++ }

type matching struct {
	pattern *regexp.Regexp
	text    string
}

// Bounds on what is remembered of patterns.
const (
	maxMatched = 10_000
	maxShort   = 64
)

func (e *env) matches(pattern *regexp.Regexp, text string) bool {
	if len(text) > maxShort {
		return pattern.MatchString(text)
	}
	key := matching{pattern, text}
	is, known := e.matched[key]
	if !known {
		is = pattern.MatchString(text)
		if len(e.matched) < maxMatched {
			e.matched[key] = is
		}
	}
	return is
}

// values are what a condition can name, as plain values and functions: what the
// translation is compared with.
func (e *env) values() map[string]any {
	out := map[string]any{}
	for _, f := range allFields() {
		out[f.Name] = valueOf(f.get, &e.fields)
	}
	for _, p := range predicates() {
		out[p.Name] = bound(p.answer, e)
	}
	return out
}

// valueOf reads a field.
func valueOf(get any, f *fields) any {
	switch get := get.(type) {
	case func(*fields) string:
		return get(f)
	case func(*fields) bool:
		return get(f)
	case func(*fields) int:
		return get(f)
	case func(*fields) float64:
		return get(f)
	case func(*fields) []string:
		return get(f)
	}
	return nil
}

// bound is a predicate that answers for the event at hand.
func bound(answer any, e *env) any {
	switch ask := answer.(type) {
	case func(*env) bool:
		return func() bool { return ask(e) }
	case func(*env, string) bool:
		return func(a string) bool { return ask(e, a) }
	case func(*env, string, string) bool:
		return func(a, b string) bool { return ask(e, a, b) }
	case func(*env, string, bool) bool:
		return func(a string, b bool) bool { return ask(e, a, b) }
	case func(*env) string:
		return func() string { return ask(e) }
	case func(*env, string) string:
		return func(a string) string { return ask(e, a) }
	case func(*env) int:
		return func() int { return ask(e) }
	}
	return nil
}
