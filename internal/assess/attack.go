package assess

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/launch"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
	"github.com/mcpsf/mcpsf/internal/assess/stubprograms"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// gap: attacks-not-made
const (
	// maxAttackStarts bounds how often a server that crashes under attack is started again.
	maxAttackStarts = 8
	// programDir is on every PATH.
	programDir = "/usr/local/bin"
)

// attackTarget is the server under attack.
type attackTarget struct {
	// session holds what the server offers, try is how it is started, and inputs are values that
	// its tools accept.
	session *mcpsf.Session
	try     *launch.Launch
	inputs  meaning.Values
	world   *attack.World
	// files are planted: programs and files that only a successful attack runs or opens, and
	// stub programs.
	files []box.File
}

// newTarget returns the attack target for a server that is started by try.
func (s *sandboxedServer) newTarget(session *mcpsf.Session, try *launch.Launch, stubs []box.File) *attackTarget {
	inputs := launch.Inputs(s.artifact, try.Given, s.home)
	world := attack.New(s.opts.Seed, inputs.Dir, cmp.Or(s.artifact.WorkDir, mcpsf.WorkDir))
	return &attackTarget{session: session, try: try, inputs: inputs, world: world, files: append(tripwires(world), stubs...)}
}

// withStubPrograms starts the server again with stubs for the programs that it looked
// for and this machine lacks, and returns it as the target of attacks. Its tools are
// not compared with those of the first session, because the programs may change them.
func (p *parallelRun) withStubPrograms(ctx context.Context) (*attackTarget, error) {
	s := p.server
	plain := s.newTarget(s.first.session, s.chosen, nil)
	names := stubprograms.Missing(p.ledger.log.Events())
	if len(names) == 0 {
		return plain, nil
	}
	stubs := stubprograms.Files(names)
	with := *s.chosen
	with.Env = append(slices.Clone(with.Env), "PATH="+stubprograms.SearchPath(with.Env)+":"+stubprograms.Dir)
	d, err := p.detonate(ctx, &with, &sessionPlan{rounds: 2, files: stubs})
	if err != nil {
		return nil, fmt.Errorf("starting the server with stub programs: %w", err)
	}
	if !d.session.Initialized {
		return plain, nil
	}
	p.ledger.gap(gap.Detailed(gap.StubPrograms, "what "+strings.Join(names, ", ")+" would have done: not installed, and for the attacks programs that do nothing stood in"))
	return s.newTarget(d.session, &with, stubs), nil
}

// planAttacks decides which attack calls are made.
func (p *parallelRun) planAttacks(ctx context.Context, target *attackTarget) (attacks, error) {
	opts := p.server.opts
	most, _ := opts.Profile.Attacks()
	if most == 0 {
		return attacks{}, nil
	}
	all := attacks{planned: attackCalls(opts, target.session, target.inputs, target.world, most)}
	err := p.propose(ctx, target, &all)
	attackplan.Arrange(all.proposed)
	return all, err
}

// attackCalls plans our own attack calls on the tools of a session, here or elsewhere.
func attackCalls(opts *Options, sess *mcpsf.Session, inputs meaning.Values, world *attack.World, most int) []attackplan.AttackCall {
	p := attackplan.Plan{World: world, Values: inputs, Seed: opts.Seed, All: opts.Profile == plan.Aggressive && opts.Remote == nil, Most: most}
	return p.Calls(sess)
}

// attackTasks make the attack calls. All calls on one tool are made in one
// sandbox, one after another. Calls that a model proposed have their own starts
// and time: if one crashes the server, none of our own calls is lost.
func (s *sandboxedServer) attackTasks(target *attackTarget) []task {
	newTask := func(calls []attackplan.AttackCall, long time.Duration) task {
		return func(ctx context.Context, p *parallelRun) error {
			session := &sessionPlan{known: target.session, since: mcpsf.SinceCalls, attacks: calls, files: target.files}
			return p.attack(ctx, target.try, session, s.opts.Caller.Now().Add(long))
		}
	}
	_, long := s.opts.Profile.Attacks()
	var tasks []task
	for _, calls := range plan.Deal(s.attacks.planned, s.opts.Sandbox.Boxes) {
		tasks = append(tasks, newTask(calls, long))
	}
	if n := len(s.attacks.proposed); n > 0 {
		tasks = append(tasks, newTask(s.attacks.proposed, proposedStarts+time.Duration(n)*proposedTime))
	}
	return tasks
}

// attack makes attack calls. Each start of the server continues where the last one ended.
func (p *parallelRun) attack(ctx context.Context, try *launch.Launch, session *sessionPlan, end time.Time) error {
	now, wall := p.server.opts.Caller.Now, p.server.opts.Sandbox.Wall
	calls := slices.Clone(session.attacks)
	p.ledger.planned += len(calls)
	retries := plan.Retries{}
	fair := p.server.opts.Caller.Fair
	lost := fair.Lost()
	for range maxAttackStarts {
		more := fair.Lost() - lost // what others took of the processors does not count
		end, lost = end.Add(more), lost+more
		if len(calls) == 0 || now().After(end) {
			break
		}
		p.progress.Step("attack", wording.Count(len(calls), "call"))
		until := now().Add(wall / 2) // stop before the wall limit ends the sandbox
		if until.After(end) {
			until = end
		}
		next := *session
		next.attacks, next.until = calls, until
		d, err := p.detonate(ctx, try, &next)
		if err != nil {
			return fmt.Errorf("attacking the server: %w", err)
		}
		made := min(plan.AttacksMade(d.session), len(calls))
		if made == 0 && !plan.WithoutState(calls, d.session) {
			break
		}
		if plan.Hangs(d.session) {
			end = end.Add(plan.HangAllowance)
		}
		calls = append(retries.Of(calls[:made], d.session), calls[made:]...)
	}
	p.ledger.unmade += len(calls)
	return nil
}

// tripwires returns the programs and files that only a successful attack runs or opens.
func tripwires(w *attack.World) []box.File {
	var files []box.File
	for _, name := range w.Programs() {
		files = append(files, box.File{Path: path.Join(programDir, name), Mode: 0o755, Content: []byte("#!/bin/sh\n"), System: true})
	}
	for _, f := range w.Files() {
		mode := uint32(0o644)
		if f.Dir {
			mode = 0o755
		}
		files = append(files, box.File{Path: f.Path, Mode: mode, Content: f.Content, Link: f.Link, Dir: f.Dir})
	}
	return files
}
