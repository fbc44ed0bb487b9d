package assess

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/launch"
	"github.com/mcpsf/mcpsf/internal/assess/noninterference"
	"github.com/mcpsf/mcpsf/internal/assess/virtualclock"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/observe/leak"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// changeSecrets starts the server with the same inputs and other secrets. What it
// then sends or returns differently depends on them, however it is written (ADR
// 25). A request to the service of a secret may depend on it: it is compared once
// more with the secrets of that service as they are.
func changeSecrets(ctx context.Context, p *parallelRun) error {
	if isStolen(p.server.ledger.log.Events(), append(slices.Clip(p.server.chosen.Given), p.server.opts.Target.Env...)) {
		return nil
	}
	if ranInstallScript(p.server.ledger.log.Events()) {
		p.ledger.gap(gap.New(gap.InstallNotCompared, 0, 0))
	}
	c := &secretChange{run: p, first: p.server.first.events}
	services := p.server.home.Services()
	elsewhere := func(f noninterference.Flow) bool { return !leak.Belongs(f.Detail.Host, services) }
	all, err := c.compare(ctx, func([]string) bool { return false }, elsewhere)
	if err != nil || all == nil {
		return err
	}
	if own := ownServices(all.Flows, services); len(own) > 0 {
		others, err := c.compare(ctx, func(services []string) bool {
			return slices.ContainsFunc(services, func(h string) bool { return slices.Contains(own, h) })
		}, func(noninterference.Flow) bool { return true })
		if err != nil || others == nil {
			return err
		}
		all = withoutOwn(all, others, own)
	}
	c.record(all)
	return nil
}

// ownServices returns the services that flows go to, among those that secrets
// belong to.
func ownServices(flows []noninterference.Flow, services []string) []string {
	return slices.DeleteFunc(slices.Clone(services), func(service string) bool {
		return !slices.ContainsFunc(flows, func(f noninterference.Flow) bool {
			return leak.Belongs(f.Detail.Host, []string{service})
		})
	})
}

// withoutOwn returns what both comparisons show, but of the first one nothing that
// goes to a service whose secrets were changed: that may depend on them.
func withoutOwn(all, others *noninterference.Comparison, own []string) *noninterference.Comparison {
	out := *others
	for i := range all.Flows {
		f := &all.Flows[i]
		told := slices.ContainsFunc(others.Flows, func(o noninterference.Flow) bool {
			return o.Detail.Host == f.Detail.Host && o.Detail.Tool == f.Detail.Tool
		})
		if f.Detail.Host != "" && !told && !leak.Belongs(f.Detail.Host, own) {
			out.Flows = append(out.Flows, *f)
		}
	}
	return &out
}

// secretChange compares starts of a server with different secrets.
type secretChange struct {
	run *parallelRun
	// first are the events of the first session, which was made with the usual secrets.
	first []mcpsf.Event
	// usual are the messages of starts with the usual secrets.
	usual [4]noninterference.Messages
	// starts counts the starts.
	starts atomic.Int64
}

// compare starts the server with the usual and with other secrets, and once more
// with both if there is any difference. Secrets of the services for which keep is
// true stay as they are. If it shows a flow that matters, it is confirmed by as many
// starts again. It returns nil if the server does not start.
func (c *secretChange) compare(ctx context.Context, keep func(services []string) bool, matters func(noninterference.Flow) bool) (*noninterference.Comparison, error) {
	home, replaced := c.run.server.home.OtherSecrets(c.run.server.opts.Seed+1, keep)
	pair := func(r *noninterference.Runs, i, n int) (bool, error) {
		other, err := c.pair(ctx, home, replaced, n)
		r.Usual[i], r.Other[i] = c.usual[n], other
		return other != nil, err
	}
	before := noninterference.Read(c.first)
	first := &noninterference.Runs{Replace: replaced.Text, Before: before}
	if ok, err := pair(first, 0, 0); !ok || err != nil {
		return nil, err
	}
	if first.Same() {
		return &noninterference.Comparison{}, nil
	}
	if early, settled := first.Early(); settled {
		return &early, nil
	}
	if ok, err := pair(first, 1, 1); !ok || err != nil {
		return nil, err
	}
	compared := first.Compare().WithoutRaces()
	if !slices.ContainsFunc(compared.Flows, matters) {
		return &compared, nil
	}
	again := &noninterference.Runs{Replace: replaced.Text, Before: before}
	for i := range again.Usual {
		if ok, err := pair(again, i, i+len(first.Usual)); !ok || err != nil {
			return nil, err
		}
	}
	compared = noninterference.Confirm(first, again)
	return &compared, nil
}

// pair starts the server with other secrets, and beside it for the n-th time with the
// usual ones unless that was done before. It returns nil if it does not start.
func (c *secretChange) pair(ctx context.Context, home *decoys.Home, replaced *decoys.Substitution, n int) (noninterference.Messages, error) {
	other, usual := &comparedStarts{}, &comparedStarts{}
	both := []task{func(ctx context.Context, p *parallelRun) error {
		changed := *p
		changed.home, changed.net = home, p.net.WithHome(home)
		return c.start(ctx, &changed, withSecrets(p.server.chosen, replaced), other)
	}}
	if c.usual[n] == nil {
		both = append(both, func(ctx context.Context, p *parallelRun) error { return c.usually(ctx, p, n, usual) })
	}
	before := len(c.run.ledger.log.Events())
	if err := c.run.inParallel(ctx, both...); err != nil || other.failed || usual.failed {
		return nil, err
	}
	sent, events := other.read(c.run.ledger.log.Events()[before:])
	if c.usual[n] == nil {
		c.usual[n], _ = usual.read(events)
	}
	return sent, nil
}

// comparedStarts are starts with the same secrets, the second with the files of the
// first.
type comparedStarts struct {
	// known are the events of starts that were made before, lengths how many events
	// each of the new ones has.
	known   [][]mcpsf.Event
	lengths []int
	// kept is the archive of what the last of them left.
	kept   string
	failed bool
}

// read returns what was sent and returned, and the events after these starts.
// Calls have other numbers in the ledger of one task than beside those of others,
// so it is read from the merged one.
func (s *comparedStarts) read(events []mcpsf.Event) (sent noninterference.Messages, rest []mcpsf.Event) {
	starts := slices.Clone(s.known)
	for _, n := range s.lengths {
		starts, events = append(starts, events[:n]), events[n:]
	}
	return noninterference.Read(starts...), events
}

func (c *secretChange) record(found *noninterference.Comparison) {
	if found.Noisy > 0 {
		c.run.ledger.gap(gap.New(gap.NotCompared, 0, int64(found.Noisy)))
	}
	for i := range found.Flows {
		f := &found.Flows[i]
		c.run.ledger.add(&mcpsf.Event{
			T: float64(virtualclock.Nanotime()-c.run.began) / 1e9, Phase: mcpsf.PhaseDrive, Call: f.Call,
			Kind: mcpsf.KindSecretFlow, SecretFlow: &f.Detail,
		})
	}
}

// usually starts the server with the usual secrets. If it sends nothing, the first
// start has already told: times and ports, for which a start of the same kind is
// needed, do not matter.
func (c *secretChange) usually(ctx context.Context, p *parallelRun, i int, to *comparedStarts) error {
	first := noninterference.Read(c.first)
	if i == 0 && len(first) > 0 && !first.Sends() {
		to.known = [][]mcpsf.Event{c.first}
		if to.kept = p.server.keptFile(0); !p.server.first.kept || isEmptyArchive(to.kept) {
			return nil
		}
	}
	return c.start(ctx, p, p.server.chosen, to)
}

// start starts the server, and again if it leaves files, and calls everything.
func (c *secretChange) start(ctx context.Context, p *parallelRun, try *launch.Launch, to *comparedStarts) error {
	for len(to.known)+len(to.lengths) < 2 {
		before := len(p.ledger.log.Events())
		rounds := p.server.opts.Profile.Rounds()
		if to.kept != "" {
			rounds = 1 // it has to find its files, not to be called often
		}
		plan := &sessionPlan{rounds: rounds, words: p.words(), kept: to.kept, keep: filepath.Join(p.server.run.Path, fmt.Sprintf("compared-%d.tar", c.starts.Add(1)))}
		d, err := p.detonate(ctx, try, plan)
		if err != nil {
			return err
		}
		if !d.session.Initialized {
			p.ledger.gap(gap.New(gap.NotCompared, 0, int64(len(p.server.first.session.Tools))))
			to.failed = true
			return nil
		}
		to.lengths = append(to.lengths, len(p.ledger.log.Events())-before)
		if !d.kept || isEmptyArchive(plan.keep) {
			break
		}
		to.kept = plan.keep
	}
	return nil
}

// withSecrets returns the same way to start the server with other secrets in its
// environment.
func withSecrets(try *launch.Launch, replaced *decoys.Substitution) *launch.Launch {
	changed := *try
	changed.Env = make([]string, len(try.Env))
	for i, kv := range try.Env {
		changed.Env[i] = replaced.Text(kv)
	}
	return &changed
}
