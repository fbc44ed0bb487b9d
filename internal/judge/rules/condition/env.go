package condition

import (
	"regexp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/attack"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/explain"
	"github.com/mcpsf/mcpsf/internal/judge/rules/history"
)

// Knowledge is the state that predicates consult: the history of the run so far,
// and who asked for each access.
type Knowledge struct {
	declared  *declared.Declaration
	Run       *history.Run
	Attacks   *attack.Outcomes
	Explainer *explain.Explainer
	Thefts    *explain.Thefts
	facts     event.Facts
}

// NewKnowledge returns the knowledge at the start of an evaluation.
func NewKnowledge(scope declared.Scope, facts []mcpsf.Fact) *Knowledge {
	d := declared.New(scope)
	r := history.New(d)
	a := attack.New(d, r.Calls)
	x := explain.New(r, a)
	return &Knowledge{declared: d, Run: r, Attacks: a, Explainer: x, Thefts: explain.NewThefts(x), facts: facts}
}

// Env is the input of a condition: the current event, and the knowledge about
// the run.
type Env struct {
	event.Fields
	Known *Knowledge
	// asked counts the events; answers caches the results of predicates without
	// arguments for the current event, because they are the same for every rule.
	asked   int
	answers []memo
	// Steps are the events that matched the earlier steps of a sequence. member
	// is the current element of a list in any, all or none.
	Steps  []*event.Fields
	member string
	// matched caches results of patterns on short texts: a run has few different
	// names, and each occurs thousands of times.
	matched map[matching]bool
}

// memo is the cached result of a predicate, and the number of its event.
type memo struct {
	asked  int
	answer bool
}

// NewEnv returns an environment without an event.
func NewEnv(k *Knowledge) *Env {
	return &Env{Known: k, answers: make([]memo, len(language().predicates)), matched: map[matching]bool{}}
}

// Next invalidates the cached results, because the fields now describe another event.
func (e *Env) Next() { e.asked++ }

type matching struct {
	pattern *regexp.Regexp
	text    string
}

// Bounds of the pattern cache.
// no gap: bounds rules, findings and messages; the first ones of a rule are reported
const (
	maxMatched = 10_000
	maxShort   = 64
)

func (e *Env) matches(pattern *regexp.Regexp, text string) bool {
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

// Values returns all fields and predicates as plain values and functions. Tests
// compare the translated conditions with expr's results on them.
func (e *Env) Values() map[string]any {
	out := map[string]any{}
	for _, f := range Fields() {
		out[f.Name] = valueOf(f.get, &e.Fields)
	}
	for _, p := range Predicates() {
		out[p.Name] = bound(p.answer, e)
	}
	return out
}

// valueOf reads a field.
func valueOf(get any, f *event.Fields) any {
	switch get := get.(type) {
	case func(*event.Fields) string:
		return get(f)
	case func(*event.Fields) bool:
		return get(f)
	case func(*event.Fields) int:
		return get(f)
	case func(*event.Fields) float64:
		return get(f)
	case func(*event.Fields) []string:
		return get(f)
	}
	return nil
}

// bound returns a predicate as a function of the current event.
func bound(answer any, e *Env) any {
	switch ask := answer.(type) {
	case func(*Env) bool:
		return func() bool { return ask(e) }
	case func(*Env, string) bool:
		return func(a string) bool { return ask(e, a) }
	case func(*Env, string, string) bool:
		return func(a, b string) bool { return ask(e, a, b) }
	case func(*Env, string, bool) bool:
		return func(a string, b bool) bool { return ask(e, a, b) }
	case func(*Env) string:
		return func() string { return ask(e) }
	case func(*Env, string) string:
		return func(a string) string { return ask(e, a) }
	case func(*Env) int:
		return func() int { return ask(e) }
	}
	return nil
}
