package assess

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// guise is a place, or a day, that a server may be waiting for.
type guise struct {
	since mcpsf.ChangeCause
	// env are the variables by which it is known.
	env []string
	// later is by how much the date is ahead.
	later time.Duration
}

// later is more than a year: whoever waits for a day of the year, or for a
// while after the installation, has seen it come.
const later = 400 * 24 * time.Hour

// guises are the most likely first.
func guises() []guise {
	return []guise{
		{since: mcpsf.SinceCI, env: []string{
			"CI=true", "GITHUB_ACTIONS=true", "GITHUB_WORKFLOW=build", "GITHUB_REPOSITORY=example/project", "GITHUB_REF=refs/heads/main",
			"GITHUB_EVENT_NAME=push", "GITHUB_RUN_ID=9120348817", "GITHUB_ACTOR=dev", "RUNNER_OS=Linux", "RUNNER_NAME=runner-4", "RUNNER_TEMP=/tmp",
		}},
		{since: mcpsf.SinceLater, later: later},
		{since: mcpsf.SinceCloud, env: []string{
			"AWS_EXECUTION_ENV=AWS_ECS_EC2", "AWS_REGION=eu-central-1", "AWS_DEFAULT_REGION=eu-central-1",
			"ECS_CONTAINER_METADATA_URI_V4=http://169.254.170.2/v4/0b69d5c0-d655-4695-98cd-5d2d526d9d5a",
			"KUBERNETES_SERVICE_HOST=10.100.0.1", "KUBERNETES_SERVICE_PORT=443", "KUBERNETES_PORT=tcp://10.100.0.1:443",
		}},
	}
}

// disguised starts the server where it believes to be somewhere else.
func disguised(first *detonation, try *launch, g guise) job {
	say := &talk{known: first.session, since: g.since, guise: g}
	changed := *try
	changed.env = append(slices.Clone(try.env), g.env...)
	return func(ctx context.Context, st *stage) error {
		if g.later == 0 {
			return meet(&changed, say)(ctx, st)
		}
		ahead := *st
		net, err := st.net.ahead(st.opts, st.home, g.later)
		if err != nil {
			return err
		}
		ahead.net = net
		err = meet(&changed, say)(ctx, &ahead)
		st.calls, st.totals, st.undone = ahead.calls, ahead.totals, ahead.undone
		return err
	}
}

// ahead is the same Internet at a later date: its certificates are good then.
func (n *internet) ahead(opts *Options, home *decoys.Home, by time.Duration) (*internet, error) {
	changed := &internet{book: n.book, spool: n.spool, marks: n.marks, told: n.told}
	then := func() time.Time { return opts.Now().Add(by) }
	var err error
	if changed.authority, err = newAuthority(opts.Seed, then()); err != nil {
		return nil, fmt.Errorf("at a later date: %w", err)
	}
	changed.host, changed.store = changed.hosts(opts, home, attack.New(opts.Seed), then)
	changed.out = newEgress(changed, opts)
	return changed, nil
}
