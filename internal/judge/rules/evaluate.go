package rules

import (
	"errors"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/judge/rules/condition"
	"github.com/mcpsf/mcpsf/internal/judge/rules/explain"
	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// Judgement is the result of evaluating the rules on a run.
type Judgement struct {
	Findings []mcpsf.Finding
	Accesses []mcpsf.Access
	// Notes say what was not examined.
	Notes []mcpsf.Gap
}

// Evaluate runs the rules once over the facts and the events, in order, and
// returns what they found. What depends on later events is collected in a walk
// before.
//
// An error means that a rule failed on an event, and says which. The findings
// are those of all other rules; a failed rule is not evaluated again.
func (s *Set) Evaluate(events []mcpsf.Event, facts []mcpsf.Fact, scope Scope) (Judgement, error) {
	events = withoutBrowser(withoutFakePrograms(withoutTrials(events)))
	p := newPass(s, facts, scope)
	p.judge(events, facts)
	return Judgement{Findings: p.findings(), Accesses: p.accesses.List(), Notes: p.notes(s)}, errors.Join(p.failures...)
}

// judge runs the rules over the facts and the events.
func (p *pass) judge(events []mcpsf.Event, facts []mcpsf.Fact) {
	p.foresee(events)
	p.facts(facts)
	for i := range events {
		p.event(&events[i])
	}
	p.endOfBox(true)
}

// foresee collects, in one walk, what depends on later events. Events are many
// and large, and each walk costs as much as a few rules.
func (p *pass) foresee(events []mcpsf.Event) {
	happens := p.known.Run.Foresee()
	attacked, finish := p.known.Attacks.Foresee()
	for i := range events {
		happens(&events[i])
		attacked(&events[i])
	}
	finish()
	p.known.Attacks.Enumerated.Foresee(events)
}

// pass is the state of one evaluation.
type pass struct {
	known    *condition.Knowledge
	accesses *explain.Accesses
	byKind   map[mcpsf.Kind][]*tally
	bySieve  map[condition.Sieve][]*tally
	tallies  []*tally
	tracks   []*tally // the rules that are sequences
	env      *condition.Env
	failures []error
	// unjudged is how many facts were too many.
	unjudged int
	// home is the home directory of the sandbox.
	home string
	// watch is called for every event and fact that rules may examine; nil if
	// unused.
	watch func(*condition.Env)
}

// tally is a rule and its hits so far.
type tally struct {
	rule   *rulefile.Compiled
	failed bool
	hits   hits
	// track follows the sequences, nil if the rule examines single events.
	track *track
}

func newPass(s *Set, facts []mcpsf.Fact, scope Scope) *pass {
	known := condition.NewKnowledge(scope, facts[:min(len(facts), maxFacts)])
	p := &pass{
		home: scope.Home, unjudged: max(0, len(facts)-maxFacts),
		known: known, accesses: explain.NewAccesses(known.Explainer), env: condition.NewEnv(known),
		byKind: map[mcpsf.Kind][]*tally{}, bySieve: map[condition.Sieve][]*tally{},
	}
	for _, r := range s.rules {
		t := &tally{rule: r}
		if r.Chain != nil {
			t.track = newTrack(r)
			p.tracks = append(p.tracks, t)
		}
		p.tallies = append(p.tallies, t)
		for _, k := range r.Kinds {
			p.byKind[k] = append(p.byKind[k], t)
		}
	}
	p.connect()
	return p
}

func (p *pass) event(e *mcpsf.Event) {
	if e.Kind == mcpsf.KindSandboxStart {
		p.endOfBox(false)
		p.known.Thefts.Restart()
	}
	p.known.Run.Before(e)
	if p.known.Run.Calls.IsOurText(e) {
		return // an echo of our own attack says nothing about the server
	}
	accessed := explain.AccessOf(e)
	if interested := p.interested(e); len(interested) > 0 || accessed != "" || p.watch != nil {
		p.known.Run.Describe(e, &p.env.Fields)
		p.env.Next()
		if p.watch != nil {
			p.watch(p.env)
		}
		for _, t := range interested {
			p.ask(t, e)
		}
		if accessed != "" {
			p.accesses.Add(e, &p.env.Fields, accessed)
		}
	}
	p.goOn(e)
	p.known.Thefts.See(e)
	p.known.Run.After(e)
}

// caught recovers from a rule that failed. The rule is not evaluated again.
func (p *pass) caught(t *tally, seq int64) {
	if broken := recover(); broken != nil {
		t.failed = true
		p.failures = append(p.failures, fmt.Errorf("rule %s failed on event %d: %v", t.rule.ID, seq, broken))
	}
}

func (p *pass) ask(t *tally, e *mcpsf.Event) {
	if t.failed {
		return
	}
	defer p.caught(t, e.Seq)
	switch {
	case t.track != nil:
		t.track.see(e, p.env, &t.hits)
	case t.rule.When.Holds(p.env):
		s := t.hits.sight(t.rule, e, p.env)
		t.hits.add(t.rule, s, func() *group { return newGroup(s.key, e, p.env) })
	}
}

// goOn updates the sequences after each event: files may have new names, and
// windows may have ended.
func (p *pass) goOn(e *mcpsf.Event) {
	named := (e.Kind == mcpsf.KindFileRename || e.Kind == mcpsf.KindFileLink) && e.File != nil && e.File.Error == ""
	for _, t := range p.tracks {
		if named && t.rule.Chain.By == rulefile.JoinFile {
			t.track.follow(e, p.known.Run.Box)
		}
		t.track.pass(e.T, &t.hits)
	}
}

// endOfBox ends the sequences that cannot continue in the next start of the
// server; at the end of the run it ends all.
func (p *pass) endOfBox(run bool) {
	for _, t := range p.tracks {
		if run || !t.rule.Chain.Within.Run {
			t.track.close(&t.hits)
		}
	}
}

// notes say what was not examined.
func (p *pass) notes(s *Set) []mcpsf.Gap {
	var out []mcpsf.Gap
	if n := len(s.leftOut); n > 0 {
		out = append(out, gap.Detailed(gap.RulesLeftOut, fmt.Sprintf("rules: what %d detectors look for that were left out: %s", n, some(s.leftOut))))
	}
	if p.unjudged > 0 {
		out = append(out, gap.New(gap.FactsNotJudged, maxFacts, int64(p.unjudged)))
	}
	if most := p.known.Run.Full(); most > 0 {
		out = append(out, gap.New(gap.RuleMemory, int64(most), 0))
	}
	for _, t := range p.tracks {
		if note := t.track.givenUp(); note != "" {
			out = append(out, gap.Detailed(gap.RuleEventsLeft, "rules: "+note))
		}
	}
	return out
}
