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
	p.run.foresee(events)
	p.facts(facts)
	for i := range events {
		p.event(&events[i])
	}
	p.endOfBox(true)
	return Judgement{Findings: p.findings(), Accesses: p.run.accesses.list(), Notes: p.notes(s)}, errors.Join(p.failures...)
}

// foresee collects what is judged by what comes later, in one go: events are
// many and large, and each walk through them costs as much as a few rules.
func (r *run) foresee(events []mcpsf.Event) {
	shots, reached := gallery{byCall: map[string]*shot{}}, reachability{}
	look := []func(*mcpsf.Event){
		r.history.foresee(), r.traffic.foresee(r), r.siege.foresee(), r.anchored.foresee(r.scope), r.differ.foresee(),
		r.texts.foresee, shots.see, reached.see,
	}
	for i := range events {
		for _, see := range look {
			see(&events[i])
		}
	}
	shots.close()
	r.outcomes.foresee(shots.shots)
	r.strolled.foresee(events)
	r.toAll = reached.toAll()
}

// pass is one evaluation under way.
type pass struct {
	run      *run
	byKind   map[mcpsf.Kind][]*tally
	bySieve  map[sieve][]*tally
	tallies  []*tally
	tracks   []*tally // those with a track
	env      *env
	failures []error
}

// tally is a rule and its hits so far.
type tally struct {
	rule   *rule
	failed bool
	hits   hits
	// track follows the sequences, nil if the rule is about single events.
	track *track
}

func newPass(s *Set, facts []mcpsf.Fact, scope Scope) *pass {
	p := &pass{run: newRun(scope), byKind: map[mcpsf.Kind][]*tally{}, bySieve: map[sieve][]*tally{}, env: &env{matched: map[matching]bool{}}}
	p.run.facts = facts[:min(len(facts), maxFacts)]
	p.env.questions = p.answers()
	p.env.functions = p.env.questions.functions(&p.env.asked)
	for _, r := range s.rules {
		t := &tally{rule: r}
		if r.chain != nil {
			t.track = newTrack(r)
			p.tracks = append(p.tracks, t)
		}
		p.tallies = append(p.tallies, t)
		for _, k := range r.Kinds {
			p.byKind[k] = append(p.byKind[k], t)
		}
	}
	return p
}

func (p *pass) event(e *mcpsf.Event) {
	if e.Kind == mcpsf.KindSandboxStart {
		p.endOfBox(false)
	}
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
	p.goOn(e)
	p.run.after(e)
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
		t.track.see(e, p.env, p.run, &t.hits)
	case t.rule.when.holds(p.env):
		s := sight(t.rule, e, &p.env.fields, p.run)
		t.hits.add(t.rule, s, func() *group { return newGroup(s.key, e, &p.env.fields, p.run) })
	}
}

// goOn tells the sequences what every event means for them: files have other
// names, and time has gone by.
func (p *pass) goOn(e *mcpsf.Event) {
	named := (e.Kind == mcpsf.KindFileRename || e.Kind == mcpsf.KindFileLink) && e.File != nil && e.File.Error == ""
	for _, t := range p.tracks {
		if named && t.rule.chain.by == joinFile {
			t.track.follow(e, p.run.box)
		}
		t.track.pass(e.T, &t.hits)
	}
}

// endOfBox ends all sequences that do not go on with the next start of the
// server, and at the end of the run all.
func (p *pass) endOfBox(run bool) {
	for _, t := range p.tracks {
		if run || !t.rule.chain.within.run {
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
		ToolSays:    func(word string) bool { return r.toolMentions(f, word) },
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
		Carries:     func() bool { return f.Given || len(r.traffic.carried[f.seq]) > 0 || r.pictures(f) },
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
	q.RunsAnswer = func() bool { return r.runsAnswer(f) }
	q.OpensShell = f.opensShell
	q.LoadsFetch = func() bool { return r.loadsFetched(f) }
	q.GitDestroys = func() bool { return r.gitDestroys(f) }
	q.SetsUp = func() bool { return setsUp(path.Base(f.Path), f.Args) }
	q.OwnWords = r.ownWords
	q.SaysOffline = func() bool { return offline.MatchString(r.description(f.Tool)) }
	q.Stuck = func() bool { return r.outcomes.stuck[f.Call] }
	q.Waits = func() bool { return r.waits(f) }
	q.Annotated = func(name string, value bool) bool { return r.annotated(f, name, value) }
	q.UsersFile = func() bool { return r.usersFile(f) }
	q.Existed = func() bool { return r.existed(f) }
	q.Again = func() bool { return r.again(f) }
	q.SignIn = f.signIn
	q.OutOfRoots = func() bool { return r.outsideRoots(f) }
	q.Nth = func() int { return r.nth(f) }
	q.Fact, q.FactText, q.FactFile = r.fact, r.factText, r.factFile
}
