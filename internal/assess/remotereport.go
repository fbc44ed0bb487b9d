package assess

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/remote"
	"github.com/mcpsf/mcpsf/internal/judge"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// judge applies the rules to what was seen, and puts the report together.
func (e *faraway) judge(ctx context.Context, artifact *mcpsf.Artifact, session *mcpsf.Session, started time.Time) (*Result, error) {
	opts := e.opts
	opts.Progress.Step("judge", "applying the rules")
	events := e.log.Events()
	target := opts.Target
	target.Source = e.shown
	r := &mcpsf.Report{
		SchemaVersion: mcpsf.SchemaVersion,
		Tool:          mcpsf.ToolInfo{Name: "mcpsf", Version: opts.Version},
		Run:           mcpsf.Run{ID: e.run.ID, Seed: opts.Seed, Started: started.UTC(), Duration: opts.Now().Sub(started).Seconds()},
		Target:        target,
		Artifact:      *artifact,
		Coverage:      e.coverage(session, events),
		Session:       *session,
		Declared:      mcpsf.Declared{Name: artifact.Name + " " + session.Name},
	}
	if err := judge.Apply(r, events, opts.Rules); err != nil {
		return nil, err
	}
	opts.Progress.Done(wording.Count(len(r.Findings), "finding") + " in " + wording.Count(len(events), "event"))
	if err := remote.Purge(opts.Remote.Secrets, r); err != nil {
		return nil, fmt.Errorf("keeping the credentials out of the report: %w", err)
	}
	judge.Conclude(r)
	opts.consult(ctx, r, events) // who gets to see no credentials
	return &Result{Report: r, Events: events}, nil
}

// coverage states what was looked at: what the server says, and how it can be
// reached.
func (e *faraway) coverage(s *mcpsf.Session, events []mcpsf.Event) mcpsf.Coverage {
	d := &detonation{session: s, wall: e.opts.Wall}
	n := int64(len(events))
	c := mcpsf.Coverage{
		Phases: phases(events), Events: mcpsf.EventTotals{Produced: n, Received: n, Complete: true},
		Monitors: []mcpsf.MonitorStatus{{Name: "mcp", Alive: true}},
		Limits:   limits(d, events), Calls: calls(s), Remote: true,
		Sandbox: mcpsf.SandboxStatus{Engine: "none", Network: "the real one"},
		Gaps:    []string{"everything that it does where it runs: files, programs, connections, variables"},
	}
	if left := uncalled(s); len(left) > 0 {
		c.Gaps = append(c.Gaps, "tools that may change something and were not called: "+strings.Join(left, ", "))
	}
	if e.opts.Profile != Aggressive || !e.opts.Remote.Allowed {
		c.Gaps = append(c.Gaps, "attacks through arguments: they are not made on a server of somebody else without their leave")
	} else {
		c.Gaps = append(c.Gaps, "attacks whose success the answer does not show")
	}
	c.Gaps = append(c.Gaps, "what it says to others, from elsewhere, or on another day")
	c.Gaps = append(c.Gaps, e.undone...)
	return c
}

// uncalled are the tools that were listed and not called, a few of them.
func uncalled(s *mcpsf.Session) []string {
	const most = 20
	called := map[string]bool{}
	for _, c := range s.Calls {
		called[c.Tool] = true
	}
	var left []string
	for _, t := range s.Tools {
		if !called[t.Name] {
			left = append(left, t.Name)
		}
	}
	if more := len(left) - most; more > 0 {
		left = append(left[:most], fmt.Sprintf("and %d more", more))
	}
	return left
}
