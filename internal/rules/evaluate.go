package rules

import (
	"errors"
	"fmt"
	"path"

	"github.com/mcpsf/mcpsf"
)

// Judgement is what follows from a run.
type Judgement struct {
	Findings []mcpsf.Finding
	Accesses []mcpsf.Access
}

// Evaluate shows the events to the rules, in order and once, and returns what
// they found. What some of them have to know of the future is collected
// before. The facts are for conditions to come; no rule reads them yet.
//
// An error means that a rule failed on an event and says which; the findings
// are those of all other rules. A failed rule is not asked again.
func (s *Set) Evaluate(events []mcpsf.Event, _ []mcpsf.Fact, scope Scope) (Judgement, error) {
	events = withoutTrials(events)
	p := newPass(s, scope)
	p.run.history.foresee(events)
	p.run.traffic.foresee(events, p.run)
	p.run.siege.foresee(events)
	p.run.anchored.foresee(events, p.run.scope)
	p.run.differ.foresee(events)
	p.run.texts.foresee(events)
	p.run.outcomes.foresee(events)
	p.run.toAll = servedToAll(events)
	for i := range events {
		p.event(&events[i])
	}
	return Judgement{Findings: p.findings(), Accesses: p.run.accesses.list()}, errors.Join(p.failures...)
}

// pass is one evaluation under way.
type pass struct {
	run      *run
	byKind   map[mcpsf.Kind][]*tally
	bySieve  map[sieve][]*tally
	tallies  []*tally
	env      *env
	failures []error
}

// tally is a rule and its hits so far.
type tally struct {
	rule   *rule
	failed bool
	hits   hits
}

func newPass(s *Set, scope Scope) *pass {
	p := &pass{run: newRun(scope), byKind: map[mcpsf.Kind][]*tally{}, bySieve: map[sieve][]*tally{}, env: &env{}}
	p.env.questions = p.answers()
	p.env.functions = p.env.questions.functions(&p.env.asked)
	for _, r := range s.rules {
		t := &tally{rule: r}
		p.tallies = append(p.tallies, t)
		for _, k := range r.Kinds {
			p.byKind[k] = append(p.byKind[k], t)
		}
	}
	return p
}

func (p *pass) event(e *mcpsf.Event) {
	p.run.before(e)
	accessed := accessOf(e)
	if interested := p.interested(e); len(interested) > 0 || accessed != "" {
		p.env.fields.fill(e, p.run)
		p.env.asked++
		for _, t := range interested {
			p.ask(t, e)
		}
		if accessed != "" {
			p.run.accessed(e, &p.env.fields, accessed)
		}
	}
	p.run.after(e)
}

func (p *pass) ask(t *tally, e *mcpsf.Event) {
	if t.failed {
		return
	}
	defer func() {
		if broken := recover(); broken != nil {
			t.failed = true
			p.failures = append(p.failures, fmt.Errorf("rule %s failed on event %d: %v", t.rule.ID, e.Seq, broken))
		}
	}()
	if t.rule.when.holds(p.env) {
		t.hits.add(t.rule, e, &p.env.fields, p.run)
	}
}

// answers binds the functions of the language to this pass.
func (p *pass) answers() questions {
	r, f := p.run, &p.env.fields
	q := questions{
		InCall:      func() bool { return r.inCall(f) },
		Explained:   func() bool { return r.explain(f).ok() },
		UsedByOwner: func() bool { return r.usedByOwner(f) },
		InPurpose:   func() bool { return r.inPurpose(f) },
		ByHabit:     func() bool { return r.byHabit(f) },
		Executes:    func() bool { return r.declaresExecution(f) },
		Mentions:    func(word string) bool { return r.mentions(f, word) },
		Dropped:     func() bool { return r.dropped(f) },
		Fetched:     func() bool { return r.fetched(f) },
		CallerText:  func() bool { return r.callerText(f) },
		ByProgram:   func() bool { return r.startedByProgram(f) },
		GivenFolder: func() bool { return r.inGivenFolder(f) },
		NewPlace:    func() bool { return r.newPlace(f) },
		OwnCode:     func() bool { return r.ownCode(f) },
		OwnEntry:    func() bool { return r.shipped(f) && f.Subject == r.entry },
		OwnVars:     func() bool { return ownVariables(f) },
		ByInstaller: func() bool { return r.byInstaller(f) },
		ByScript:    func() bool { return f.script != nil },
		ByManager:   func() bool { return f.script == nil && r.programs[f.pid].installer },
		HasSecret:   func() bool { return f.script != nil && f.script.stole || f.Phase != "install" && r.stole[f.Call] },
		Outlived:    func() bool { return f.script != nil && r.lineage.ended },
		BuildTool:   buildTool,
		RunsFetched: f.fetchesAndRuns,
		OwnPlace:    r.places.own,
		SharedPlace: r.places.shared,
		Persistent:  r.places.persistent,
		Routine:     routine,
		IsShell:     func(s string) bool { return isShell(s, f.Args) },
		Under:       under,
		Base:        path.Base,
		Home:        func() string { return r.scope.Home },
		WorkDir:     func() string { return r.scope.WorkDir },
		HostKnown:   func() bool { return r.explainHost(f, f.Host).by > byNobody },
		HostNamed:   func() bool { return r.explainHost(f, f.Host).by >= byConfiguration },
		Resembles:   func() bool { return r.declared.resembles(f.Host) },
		HostInName:  func() bool { return r.explainHost(f, f.Host).by >= byName },
		HasOwnHost:  r.hasOwnHost,
		AlsoHome:    func() bool { reason, _ := r.elsewhere(f); return reason > byNobody },
		AlsoNamed:   func() bool { reason, _ := r.elsewhere(f); return reason >= byName },
		AlsoAbroad:  func() bool { _, found := r.elsewhere(f); return found },
		Carries:     func() bool { return f.Given || len(r.traffic.carried[f.seq]) > 0 },
		Collects:    func() bool { return class(f.Class).collects() },
		Metadata:    func() bool { return isMetadata(f.Host) || isMetadata(f.Address) },
		ByCloud:     func() bool { return r.byCloud(f) },
		Tunnels:     func() bool { return r.traffic.tunnelled(f.Domain) },
		Beacons:     func() bool { return r.traffic.beacon(f.Host) },
		Cheap:       func() bool { return cheapEnding(f.Domain) },
		Nameless:    func() bool { return isAddress(f.Host) },
		Public:      func() bool { return f.bareAddress(true) },
		Private:     func() bool { return f.bareAddress(false) },
		IsRuntime:   func(p string) bool { return isRuntime(path.Base(p)) || passesOn(path.Base(p)) },
		InURL:       func() bool { return dataInRequest(f) },
		Mining:      func() bool { return mining(f.Detail) },
		VarInName:   func() bool { return r.declared.variable(f.Variable) },
		AsksVars:    func() bool { return r.showsVariables(f) },
	}
	p.answersOfAttacks(&q)
	return q
}

// answersOfAttacks are those about attacks, and about what tools say of
// themselves.
func (p *pass) answersOfAttacks(q *questions) {
	r, f := p.run, &p.env.fields
	q.Proves = func() bool { return r.proves(f) }
	q.Unlimited = func() bool { return r.unlimited(f) }
	q.TakesFiles = func() bool { return r.takesFiles(f) }
	q.ServedToAll = func() bool { return r.toAll }
	q.WrongKind = func() bool { return r.wrongKind(f) }
	q.SaysToo = func(what string) bool { return r.texts.says(f.Of, f.Subject, what) }
	q.Stuck = func() bool { return r.outcomes.stuck[f.Call] }
	q.Waits = func() bool { return r.waits(f) }
	q.Annotated = func(name string, value bool) bool { return r.annotated(f, name, value) }
	q.UsersFile = func() bool { return r.usersFile(f) }
	q.Existed = func() bool { return r.existed(f) }
	q.Again = func() bool { return r.again(f) }
	q.SignIn = f.signIn
	q.OutOfRoots = func() bool { return r.outsideRoots(f) }
	q.Nth = func() int { return r.nth(f) }
}
