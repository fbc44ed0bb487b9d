package rules

import (
	"errors"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/condition"
	"github.com/mcpsf/mcpsf/internal/judge/rules/explain"
	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// Judgement is what follows from a run.
type Judgement struct {
	Findings []mcpsf.Finding
	Accesses []mcpsf.Access
	// Notes say what was not looked at, in plain words.
	Notes []string
}

// Evaluate shows the facts and the events to the rules, in order and once, and
// returns what they found. What some of them have to know of the future is
// collected before.
//
// An error means that a rule failed on an event and says which; the findings
// are those of all other rules. A failed rule is not asked again.
func (s *Set) Evaluate(events []mcpsf.Event, facts []mcpsf.Fact, scope Scope) (Judgement, error) {
	events = withoutTrials(events)
	p := newPass(s, facts, scope)
	p.judge(events, facts)
	return Judgement{Findings: p.findings(), Accesses: p.accesses.List(), Notes: p.notes(s)}, errors.Join(p.failures...)
}

// judge shows the facts and the events to the rules.
func (p *pass) judge(events []mcpsf.Event, facts []mcpsf.Fact) {
	p.foresee(events)
	p.facts(facts)
	for i := range events {
		p.event(&events[i])
	}
	p.endOfBox(true)
}

// foresee collects what is judged by what comes later, in one go: events are
// many and large, and each walk through them costs as much as a few rules.
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

// pass is one evaluation under way.
type pass struct {
	known    *condition.Knowledge
	accesses *explain.Accesses
	byKind   map[mcpsf.Kind][]*tally
	bySieve  map[condition.Sieve][]*tally
	tallies  []*tally
	tracks   []*tally // those with a track
	env      *condition.Env
	failures []error
	// home is the home directory of the sandbox.
	home string
	// watch is shown every event and fact that rules may look at, nil if nobody
	// watches.
	watch func(*condition.Env)
}

// tally is a rule and its hits so far.
type tally struct {
	rule   *rulefile.Compiled
	failed bool
	hits   hits
	// track follows the sequences, nil if the rule is about single events.
	track *track
}

func newPass(s *Set, facts []mcpsf.Fact, scope Scope) *pass {
	known := condition.NewKnowledge(scope, facts[:min(len(facts), maxFacts)])
	p := &pass{
		home:  scope.Home,
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

// caught ends what a rule was doing when it failed; it is not asked again.
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

// goOn tells the sequences what every event means for them: files have other
// names, and time has gone by.
func (p *pass) goOn(e *mcpsf.Event) {
	named := (e.Kind == mcpsf.KindFileRename || e.Kind == mcpsf.KindFileLink) && e.File != nil && e.File.Error == ""
	for _, t := range p.tracks {
		if named && t.rule.Chain.By == rulefile.JoinFile {
			t.track.follow(e, p.known.Run.Box)
		}
		t.track.pass(e.T, &t.hits)
	}
}

// endOfBox ends all sequences that do not go on with the next start of the
// server, and at the end of the run all.
func (p *pass) endOfBox(run bool) {
	for _, t := range p.tracks {
		if run || !t.rule.Chain.Within.Run {
			t.track.close(&t.hits)
		}
	}
}

// notes are about what was not looked at.
func (p *pass) notes(s *Set) []string {
	var out []string
	if n := len(s.leftOut); n > 0 {
		out = append(out, notePrefix+fmt.Sprintf("what %d detectors look for that were left out: %s", n, some(s.leftOut)))
	}
	for _, t := range p.tracks {
		if note := t.track.givenUp(); note != "" {
			out = append(out, notePrefix+note)
		}
	}
	return out
}
