package assess

import (
	"context"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/launch"
	"github.com/mcpsf/mcpsf/internal/assess/noninterference"
	"github.com/mcpsf/mcpsf/internal/assess/virtualclock"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// comparedRounds is how often each tool is called in the starts that are compared.
const comparedRounds = 2

// changeSecretsTasks returns the task that compares starts with other secrets, if
// the server has sent anything so far.
func (s *sandboxedServer) changeSecretsTasks() []task {
	if len(noninterference.Sent(s.ledger.log.Events())) == 0 {
		return nil
	}
	return []task{changeSecrets}
}

// changeSecrets starts the server with the same inputs and other secrets. What it
// then sends differently depends on them, however it is written (ADR 25). A
// request to the service of a secret may depend on it: it is compared once more
// with the secrets of that service as they are.
func changeSecrets(ctx context.Context, p *parallelRun) error {
	c := &secretChange{run: p}
	all, err := c.compare(ctx, func([]string) bool { return false })
	if err != nil || len(all) == 0 {
		return err
	}
	own := ownServices(all, p.server.home.Services())
	if len(own) == 0 {
		c.record(all)
		return nil
	}
	others, err := c.compare(ctx, func(services []string) bool {
		return slices.ContainsFunc(services, func(h string) bool { return slices.Contains(own, h) })
	})
	c.record(others)
	return err
}

// ownServices returns the services that flows go to, among those that secrets
// belong to.
func ownServices(flows []noninterference.Flow, services []string) []string {
	return slices.DeleteFunc(slices.Clone(services), func(service string) bool {
		return !slices.ContainsFunc(flows, func(f noninterference.Flow) bool {
			return f.Detail.Host == service || strings.HasSuffix(f.Detail.Host, "."+service)
		})
	})
}

// secretChange compares starts of a server with different secrets.
type secretChange struct {
	run *parallelRun
	// usual are the messages of two starts with the usual secrets.
	usual [2]noninterference.Messages
}

// compare starts the server twice with other secrets and returns what depends on
// them. Those of the services for which keep is true stay as they are.
func (c *secretChange) compare(ctx context.Context, keep func(services []string) bool) ([]noninterference.Flow, error) {
	home, replaced := c.run.server.home.OtherSecrets(c.run.server.opts.Seed+1, keep)
	r := &noninterference.Runs{Replace: replaced.Text}
	var err error
	for i := range c.usual {
		if c.usual[i] == nil {
			if c.usual[i], err = c.run.sends(ctx, c.run.server.home, nil); err != nil || c.usual[i] == nil {
				return nil, err
			}
		}
		if r.Other[i], err = c.run.sends(ctx, home, replaced); err != nil || r.Other[i] == nil {
			return nil, err
		}
	}
	r.Usual = c.usual
	flows, unstable := r.Compare()
	if unstable > 0 {
		c.run.ledger.gap(gap.New(gap.NotCompared, 0, int64(unstable)))
	}
	return flows, nil
}

func (c *secretChange) record(flows []noninterference.Flow) {
	for i := range flows {
		c.run.ledger.add(&mcpsf.Event{
			T: float64(virtualclock.Nanotime()-c.run.began) / 1e9, Phase: mcpsf.PhaseDrive, Call: flows[i].Call,
			Kind: mcpsf.KindSecretFlow, SecretFlow: &flows[i].Detail,
		})
	}
}

// sends starts the server in a decoy home, calls everything, and returns what it
// sent; nil if it did not start.
func (p *parallelRun) sends(ctx context.Context, home *decoys.Home, replaced *decoys.Substitution) (noninterference.Messages, error) {
	usualHome, usualNet, try := p.home, p.net, p.server.chosen
	defer func() { p.home, p.net = usualHome, usualNet }()
	if replaced != nil {
		p.home, p.net, try = home, p.net.WithHome(home), withSecrets(try, replaced)
	}
	before := len(p.ledger.log.Events())
	d, err := p.detonate(ctx, try, &sessionPlan{rounds: comparedRounds})
	if err != nil {
		return nil, err
	}
	if !d.session.Initialized {
		p.ledger.gap(gap.New(gap.NotCompared, 0, int64(len(p.server.first.session.Tools))))
		return nil, nil
	}
	return noninterference.Sent(p.ledger.log.Events()[before:]), nil
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
