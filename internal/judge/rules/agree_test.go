package rules

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// What a condition was translated into says the same as expr's own machine, of
// every event in every test; and where the sieve has a rule left out, the
// condition does not hold.
func TestTranslationAgreesWithExpr(t *testing.T) {
	set, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, head := range set.rules {
		r, err := head.tested()
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range parts(r) {
			program, err := expr.Compile(one.when.tree.String(), expr.Env(vocabulary(nil)), expr.AsBool())
			if err != nil {
				continue // it looks back at other steps
			}
			for _, test := range r.tests {
				asked += agree(t, r, one, program, &test)
			}
		}
	}
	if asked < 2000 {
		t.Errorf("only %d questions were asked", asked)
	}
}

// parts are the conditions of a rule.
func parts(r *rule) []step {
	if r.chain == nil {
		return []step{{when: r.when, kinds: r.Kinds}}
	}
	return r.chain.steps
}

func agree(t *testing.T, r *rule, s step, program *vm.Program, test *test) (asked int) {
	t.Helper()
	p := newPass(&Set{rules: []*rule{r}}, test.facts, test.scope)
	p.foresee(test.events)
	for i := range test.events {
		e := &test.events[i]
		p.known.run.before(e)
		p.known.run.describe(e, &p.env.fields)
		p.env.next()
		want, err := vm.Run(program, p.env.values())
		if err != nil {
			t.Fatalf("%s: %v", r.ID, err)
		}
		got := s.when.holds(p.env)
		if got != want {
			t.Errorf("%s, test %q, event %d: %v, and expr says %v", r.ID, test.name, e.Seq, got, want)
		}
		if got && sieveOf(e, p.known.run.calls).judge(s.when.tree) == no {
			t.Errorf("%s, test %q, event %d: it holds, and the sieve says that it cannot", r.ID, test.name, e.Seq)
		}
		asked++
		p.known.thefts.see(e)
		p.known.run.after(e)
	}
	return asked
}

// Judging the same again says the same in the same order, whatever order maps
// have.
func TestJudgingIsDeterministic(t *testing.T) {
	set, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	var events []mcpsf.Event
	var facts []mcpsf.Fact
	scope := testScope()
	scope.Tools = map[string]mcpsf.Tool{}
	for _, head := range set.rules { // one long run of everything that rules find
		r, err := head.tested()
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range r.tests {
			events = append(events, mcpsf.Event{Kind: mcpsf.KindSandboxStart, Phase: mcpsf.PhaseStart})
			events = append(events, test.events...)
			facts = append(facts, test.facts...)
			scope.Hosts = append(scope.Hosts, test.scope.Hosts...)
			maps.Copy(scope.Tools, test.scope.Tools)
		}
	}
	for i := range events {
		events[i].Seq = int64(i + 1)
	}
	judge := func() string {
		judged, err := set.Evaluate(events, facts, scope)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.MarshalIndent(judged, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	first := judge()
	for range 49 {
		if again := judge(); again != first {
			t.Fatal(cmp.Diff(first, again))
		}
	}
	if len(first) < 100_000 {
		t.Errorf("only %d bytes of judgement", len(first))
	}
}
