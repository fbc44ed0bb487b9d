package rules

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/condition"
	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// A translated condition gives the same result as expr's own machine on every
// event in every test. Where the sieve rules a rule out, its condition does not
// hold.
func TestTranslationAgreesWithExpr(t *testing.T) {
	set, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, head := range set.rules {
		r, err := head.Tested()
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range parts(r) {
			program, err := expr.Compile(one.When.Tree.String(), expr.Env(condition.Vocabulary(nil)), expr.AsBool())
			if err != nil {
				continue // it refers to other steps
			}
			for _, test := range r.Tests {
				asked += agree(t, r, one, program, &test)
			}
		}
	}
	if asked < 2000 {
		t.Errorf("only %d questions were asked", asked)
	}
}

// parts returns the conditions of a rule.
func parts(r *rulefile.Compiled) []rulefile.Step {
	if r.Chain == nil {
		return []rulefile.Step{{When: r.When, Kinds: r.Kinds}}
	}
	return r.Chain.Steps
}

func agree(t *testing.T, r *rulefile.Compiled, s rulefile.Step, program *vm.Program, test *rulefile.Test) (asked int) {
	t.Helper()
	p := newPass(&Set{rules: []*rulefile.Compiled{r}}, test.Facts, test.Scope)
	p.foresee(test.Events)
	for i := range test.Events {
		e := &test.Events[i]
		p.known.Run.Before(e)
		p.known.Run.Describe(e, &p.env.Fields)
		p.env.Next()
		want, err := vm.Run(program, p.env.Values())
		if err != nil {
			t.Fatalf("%s: %v", r.ID, err)
		}
		got := s.When.Holds(p.env)
		if got != want {
			t.Errorf("%s, test %q, event %d: %v, and expr says %v", r.ID, test.Name, e.Seq, got, want)
		}
		if got && condition.SieveOf(e, p.known.Run.Calls).Judge(s.When.Tree) == condition.No {
			t.Errorf("%s, test %q, event %d: it holds, and the sieve says that it cannot", r.ID, test.Name, e.Seq)
		}
		asked++
		p.known.Thefts.See(e)
		p.known.Run.After(e)
	}
	return asked
}

// Judging the same events again gives the same findings in the same order,
// whatever the order of maps.
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
		r, err := head.Tested()
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range r.Tests {
			events = append(events, mcpsf.Event{Kind: mcpsf.KindSandboxStart, Phase: mcpsf.PhaseStart})
			events = append(events, test.Events...)
			facts = append(facts, test.Facts...)
			scope.Hosts = append(scope.Hosts, test.Scope.Hosts...)
			maps.Copy(scope.Tools, test.Scope.Tools)
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
