package rules

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/condition"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// maxMet is how many events that met a condition are listed.
// no gap: bounds rules, findings and messages; the first ones of a rule are reported
const maxMet = 20

// Trace is how one rule judged a run: which events met which part of its
// condition, and which came close.
type Trace struct {
	Rule     Rule
	Findings []mcpsf.Finding
	// Covered are the findings that are not reported because another rule covers
	// them.
	Covered []CoverTrace
	// By and Within are the join and window of a sequence, "" for other rules.
	By, Within string
	// Steps are the steps of a sequence; any other rule has one.
	Steps []StepTrace
	// Furthest are the events of the incomplete sequence that got furthest.
	Furthest []int64
	// Count is the number of hits that the rule requires; Groups are the hits.
	Count  rulefile.Count
	Groups []GroupTrace
}

// StepTrace is the result of one condition.
type StepTrace struct {
	Name   string
	Absent bool
	Kinds  []string
	// Asked is how many events or facts were of these kinds, Met how many met
	// the condition; Events are the first of those.
	Asked, Met int
	Events     []int64
	// Candidates are the nearest events, those that met most clauses first.
	Candidates []Candidate
}

// GroupTrace is how often one finding was hit, and by how many different values.
type GroupTrace struct{ Hits, Distinct int }

// Candidate is an event that met a part of a condition.
type Candidate struct {
	// Seq is the number of the event, 0 for a fact.
	Seq                              int64
	Kind, Phase, Call, Tool, Subject string
	Clauses                          []ClauseTrace
	// Held is how many of the clauses hold.
	Held int
}

// ClauseTrace is a clause with its values.
type ClauseTrace struct {
	Text   string
	Holds  bool
	Values []condition.Value
}

// Trace judges a run by one rule and explains the result. most bounds the
// nearest events listed for each condition.
func (s *Set) Trace(id string, events []mcpsf.Event, facts []mcpsf.Fact, scope Scope, most int) (*Trace, error) {
	i := s.index(id)
	if i < 0 {
		return nil, unknown("there is no rule %q; did you mean %s? mcpsf detectors lists them", id, s.nearest(id))
	}
	r := s.rules[i]
	t := newTracer(r, most)
	p := newPass(&Set{rules: []*rulefile.Compiled{r}}, facts, scope)
	p.watch = t.see
	events = withoutTrials(events)
	p.judge(events, facts)
	t.trace.Findings = p.findings()
	for _, g := range p.tallies[0].hits.order {
		t.trace.Groups = append(t.trace.Groups, GroupTrace{g.occurrences, len(g.distinct)})
	}
	if track := p.tallies[0].track; track != nil && track.furthest != nil {
		t.trace.Furthest = track.furthest.seqs
	}
	failures := errors.Join(p.failures...)
	t.trace.Covered = s.covered(r, events, facts, scope)
	return t.trace, failures
}

// tracer watches the pass of one rule.
type tracer struct {
	trace   *Trace
	most    int
	steps   []rulefile.Step
	clauses [][]condition.Clause
	// met are the latest events that met each step.
	met []*event.Fields
}

func newTracer(r *rulefile.Compiled, most int) *tracer {
	t := &tracer{trace: &Trace{Rule: r.Rule, Count: r.Count}, most: most}
	t.steps = []rulefile.Step{{Kinds: r.Kinds, When: r.When}}
	if r.Chain != nil {
		t.steps = r.Chain.Steps
		t.trace.By, t.trace.Within = string(r.Chain.By), r.Chain.Within.String()
	}
	for i := range t.steps {
		step := &t.steps[i]
		told := StepTrace{Name: step.Name, Absent: step.Absent, Kinds: r.Facts}
		for _, k := range step.Kinds {
			told.Kinds = append(told.Kinds, string(k))
		}
		t.trace.Steps = append(t.trace.Steps, told)
		t.clauses = append(t.clauses, step.When.Clauses())
	}
	t.met = make([]*event.Fields, len(t.steps))
	return t
}

// see evaluates every clause of every step on the current event or fact. A
// clause that looks back uses the latest events that met the earlier steps.
func (t *tracer) see(env *condition.Env) {
	kept := env.Steps
	defer func() { env.Steps = kept }()
	for i := len(t.steps) - 1; i >= 0; i-- {
		told := &t.trace.Steps[i]
		if !slices.Contains(told.Kinds, env.Kind) {
			continue
		}
		env.Steps = t.met[:i]
		c := Candidate{Seq: env.Seq, Kind: env.Kind, Phase: env.Phase, Call: env.Call, Tool: env.Tool, Subject: env.Subject}
		for j := range t.clauses[i] {
			clause := &t.clauses[i][j]
			holds, values := clause.Ask(env)
			c.Clauses = append(c.Clauses, ClauseTrace{clause.Text, holds, values})
			if holds {
				c.Held++
			}
		}
		told.Asked++
		if c.Held == len(c.Clauses) {
			told.Met++
			if len(told.Events) < maxMet {
				told.Events = append(told.Events, c.Seq)
			}
			f := env.Fields
			t.met[i] = &f
		}
		told.keep(c, t.most)
	}
}

// keep adds a candidate to those that met most clauses, earlier ones first.
func (s *StepTrace) keep(c Candidate, most int) {
	at, _ := slices.BinarySearchFunc(s.Candidates, c, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Held, a.Held), -1) // after its equals
	})
	if at >= most {
		return
	}
	s.Candidates = slices.Insert(s.Candidates, at, c)
	s.Candidates = s.Candidates[:min(len(s.Candidates), most)]
}

// Fired tells whether the rule found something.
func (t *Trace) Fired() bool { return len(t.Findings) > 0 }

// Asks says in words how many hits the rule requires, "" if one is enough.
func (t *Trace) Asks() string {
	c := t.Count
	if c.Min <= 1 && c.Max == 0 {
		return ""
	}
	words := []string{"at least", strconv.Itoa(c.Min)}
	if c.Max > 0 {
		words = append(words, "and at most", strconv.Itoa(c.Max))
	}
	if c.Distinct != "" {
		words = append(words, "different values of", c.Distinct)
	} else {
		words = append(words, "hits")
	}
	if c.Per != "" {
		words = append(words, "within", c.Per)
	}
	return strings.Join(words, " ")
}
