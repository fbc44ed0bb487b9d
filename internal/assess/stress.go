package assess

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/boxwatch"
	"github.com/mcpsf/mcpsf/internal/assess/launch"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
	"github.com/mcpsf/mcpsf/internal/assess/progress"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// restarts is how often a server that stores something is started again: a
// server that keeps a start counter may wait for the third start.
const restarts = 2

// stress continues with a server after the first session: it is restarted with the files it
// left, used by another client, started in other environments, fuzzed and attacked.
func (p *parallelRun) stress(ctx context.Context) error {
	s, started := p.server, p.server.first.session.Initialized
	p.noteFakePrograms()
	switch {
	case s.opts.Profile.Rounds() <= 1 && started:
		return p.inParallel(ctx, s.agentTasks()...)
	case s.opts.Profile.Rounds() <= 1:
		return nil
	case !started:
		return p.inParallel(ctx, s.probeTasks()...)
	}
	target, err := p.withStubPrograms(ctx)
	if err != nil {
		return err
	}
	if s.attacks, err = p.planAttacks(ctx, target); err != nil {
		return err
	}
	starts, tell := len(p.ledger.boxes), p.progress
	tell.Step("stress", "starting it again")
	p.progress = progress.WithinStep{Reporter: tell}
	defer func() { p.progress = tell }()
	if err := p.inParallel(ctx, s.stressTasks(target)...); err != nil {
		if ctx.Err() != nil {
			return err
		}
		p.ledger.boxes = append(p.ledger.boxes, boxwatch.Observed{Trouble: err.Error()}) // makes the verdict inconclusive
	}
	l := p.ledger
	if l.unmade > 0 {
		l.gap(gap.New(gap.AttacksNotMade, int64(l.planned), int64(l.unmade)))
	}
	if err := p.shrink(ctx, target); err != nil {
		return err
	}
	tell.Done(fmt.Sprintf("%s, %s", wording.Count(l.planned-l.unmade, "attack"), wording.Count(len(l.boxes)-starts, "further start")))
	return nil
}

// stressTasks are the tasks of the stress phase, the longest first.
func (s *sandboxedServer) stressTasks(target *attackTarget) []task {
	another := &sessionPlan{known: s.first.session, since: mcpsf.SinceClient, client: anotherClient()}
	tasks := append([]task{changeSecrets}, s.attackTasks(target)...)
	tasks = append(tasks, s.followCodeTasks()...)
	tasks = append(tasks, restart, startAgain(s.chosen, another), fuzzServer)
	tasks = append(tasks, s.agentTasks()...)
	tasks = append(tasks, s.probeTasks()...)
	for _, e := range s.opts.Profile.Environments() {
		tasks = append(tasks, s.inEnvironment(e))
	}
	return tasks
}

// anotherClient is the client of the second session.
func anotherClient() session.Client { return session.Client{Name: "cursor-vscode", Version: "1.0.0"} }

// restart starts the server again with the files that it left the last time.
func restart(ctx context.Context, p *parallelRun) error {
	s := p.server
	last := s.first
	for n := range restarts {
		plan := &sessionPlan{known: s.first.session, since: mcpsf.SinceRestart}
		if last.kept {
			plan.kept, plan.keep = s.keptFile(n), s.keptFile(n+1)
		}
		d, err := p.startAgain(ctx, s.chosen, plan)
		if err != nil || !d.kept || isEmptyArchive(plan.keep) || areEqual(plan.kept, plan.keep) {
			return err
		}
		last = d
	}
	return nil
}

// areEqual tells whether two archives are: the server left what it found.
func areEqual(a, b string) bool {
	one, err := digestOf(a)
	other, err2 := digestOf(b)
	return err == nil && err2 == nil && one == other
}

// digestOf reads a file, which may be large, in pieces.
func digestOf(name string) (sum [sha256.Size]byte, err error) {
	file, err := os.Open(name)
	if err != nil {
		return sum, err
	}
	defer file.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return [sha256.Size]byte(hash.Sum(nil)), err
}

// isEmptyArchive tells whether an archive contains no file.
func isEmptyArchive(archive string) bool {
	file, err := os.Open(archive)
	if err != nil {
		return true
	}
	defer file.Close()
	for entries := tar.NewReader(file); ; {
		entry, err := entries.Next()
		if err != nil {
			return true
		}
		if entry.Typeflag != tar.TypeDir {
			return false
		}
	}
}

// startAgain starts the server again to find out what it lists differently.
func startAgain(try *launch.Launch, plan *sessionPlan) task {
	return func(ctx context.Context, p *parallelRun) error {
		_, err := p.startAgain(ctx, try, plan)
		return err
	}
}

func (p *parallelRun) startAgain(ctx context.Context, try *launch.Launch, plan *sessionPlan) (*detonation, error) {
	d, err := p.detonate(ctx, try, plan)
	if err != nil {
		return nil, fmt.Errorf("starting the server again: %w", err)
	}
	if !d.session.Initialized {
		p.ledger.gap(gap.Detailed(gap.NotStartedAgain, fmt.Sprintf("what it says differently (%s): it did not start again", plan.since)))
	}
	return d, nil
}

// inEnvironment starts the server in another environment or at another date.
func (s *sandboxedServer) inEnvironment(e plan.Environment) task {
	session := &sessionPlan{known: s.first.session, since: e.Since, environment: e}
	changed := *s.chosen
	changed.Env = append(append([]string{}, s.chosen.Env...), e.Env...)
	return func(ctx context.Context, p *parallelRun) error {
		if e.Later() > 0 {
			today := p.net
			later, err := today.Later(e.Later())
			if err != nil {
				return err
			}
			p.net = later
			defer func() { p.net = today }()
		}
		_, err := p.startAgain(ctx, &changed, session)
		return err
	}
}
