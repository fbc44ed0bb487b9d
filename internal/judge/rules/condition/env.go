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

// Knowledge is what the predicates of a pass know: what has happened, and who
// asked for it.
type Knowledge struct {
	declared  *declared.Declaration
	Run       *history.Run
	Attacks   *attack.Outcomes
	Explainer *explain.Explainer
	Thefts    *explain.Thefts
	facts     event.Facts
}

// NewKnowledge begins a pass.
func NewKnowledge(scope declared.Scope, facts []mcpsf.Fact) *Knowledge {
	d := declared.New(scope)
	r := history.New(d)
	a := attack.New(d, r.Calls)
	x := explain.New(r, a)
	return &Knowledge{declared: d, Run: r, Attacks: a, Explainer: x, Thefts: explain.NewThefts(x), facts: facts}
}

// Env is what a condition is asked about: the event at hand, and what is known
// beside it.
type Env struct {
	event.Fields
	Known *Knowledge
	// asked counts the events that conditions were asked about; answers are those
	// of the predicates without arguments, which are the same for every rule.
	asked   int
	answers []memo
	// Steps are the events that the earlier steps of a sequence were, and
	// member is the one of a list that a condition is asked about.
	Steps  []*event.Fields
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

// NewEnv is an environment without an event.
func NewEnv(k *Knowledge) *Env {
	return &Env{Known: k, answers: make([]memo, len(language().predicates)), matched: map[matching]bool{}}
}

// Next says that the fields are those of another event.
func (e *Env) Next() { e.asked++ }

type matching struct {
	pattern *regexp.Regexp
	text    string
}

// Bounds on what is remembered of patterns.
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

// Values are what a condition can name, as plain values and functions: what the
// translation is compared with.
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

// bound is a predicate that answers for the event at hand.
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
