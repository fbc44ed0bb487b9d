package rules

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// The nearest events come first, each clause says whether it holds, and the
// number of events is limited.
func TestTraceOfACondition(t *testing.T) {
	set := formed(t, "kinds: [file.read]\nwhen: Error == \"\" && isUnder(Path, \"/srv\") && (Tool == \"a\" || Args[3] == \"x\")\n")
	events := []mcpsf.Event{
		{Seq: 1, Kind: mcpsf.KindFileRead, File: &mcpsf.FileDetail{Path: "/x", Error: "ENOENT"}},
		{Seq: 2, Kind: mcpsf.KindFileRead, File: &mcpsf.FileDetail{Path: "/x"}},
		{Seq: 3, Kind: mcpsf.KindFileRead, File: &mcpsf.FileDetail{Path: "/srv/x"}},
		{Seq: 4, Kind: mcpsf.KindFileRead, File: &mcpsf.FileDetail{Path: "/srv/y"}},
		{Seq: 5, Kind: mcpsf.KindFileWrite, File: &mcpsf.FileDetail{Path: "/srv/y"}},
	}
	got, err := set.Trace("sample", events, nil, testScope(), 3)
	if err == nil || !strings.Contains(err.Error(), "rule sample failed on event 3") {
		t.Errorf("error %v", err)
	}
	s := got.Steps[0]
	if got.Fired() || s.Asked != 4 || s.Met != 0 || len(s.Candidates) != 3 {
		t.Fatalf("%+v", got)
	}
	for i, want := range []int64{3, 4, 2} {
		if s.Candidates[i].Seq != want {
			t.Errorf("candidate %d is event %d, want %d", i, s.Candidates[i].Seq, want)
		}
	}
	clauses := s.Candidates[0].Clauses
	if len(clauses) != 3 || !clauses[0].Holds || !clauses[1].Holds || clauses[2].Holds {
		t.Errorf("%+v", clauses)
	}
	if v := clauses[0].Values; len(v) != 1 || v[0].Name != "Error" || v[0].Text != `""` {
		t.Errorf("values %+v", v)
	}
	if v := clauses[2].Values; len(v) == 0 || v[len(v)-1].Name != "failed" {
		t.Errorf("values of a clause that fails: %+v", v)
	}
}

// A fact is traced like an event, and an unknown rule is an error that names it.
func TestTraceOfFacts(t *testing.T) {
	set := formed(t, "facts: [manifest.script]\nwhen: Detail contains \"curl\"\n")
	facts := []mcpsf.Fact{{Kind: "manifest.script", Path: "package.json", Text: "curl x"}, {Kind: "other.thing"}}
	got, err := set.Trace("sample", nil, facts, testScope(), 3)
	if err != nil || !got.Fired() || got.Steps[0].Asked != 1 || got.Steps[0].Met != 1 || got.Steps[0].Candidates[0].Subject != "package.json" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := set.Trace("simple", nil, nil, testScope(), 3); mcpsf.ErrorCode(err) != mcpsf.CodeUsage || !strings.Contains(err.Error(), "did you mean sample") {
		t.Errorf("error %v", err)
	}
}

// The trace of every built-in rule fires exactly when the rule does, on each of
// its own tests; then some event meets its last condition.
func TestTraceAgreesWithTheRule(t *testing.T) {
	for _, head := range builtinSet(t).rules {
		r, err := head.Tested()
		if err != nil {
			t.Fatal(err)
		}
		set := &Set{rules: []*rulefile.Compiled{r}}
		for _, test := range r.Tests {
			got, err := set.Trace(r.ID, test.Events, test.Facts, test.Scope, 1)
			if err != nil || got.Fired() != test.Hit {
				t.Errorf("%s, %q: fired %v, %v", r.ID, test.Name, got.Fired(), err)
			}
			if got.Fired() && r.Chain == nil && got.Steps[0].Met == 0 {
				t.Errorf("%s, %q: fired, and no event met its condition", r.ID, test.Name)
			}
		}
	}
}
