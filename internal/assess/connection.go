package assess

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/launch"
	"github.com/mcpsf/mcpsf/internal/assess/listener"
	"github.com/mcpsf/mcpsf/internal/assess/localservice"
	"github.com/mcpsf/mcpsf/internal/assess/portforward"
	"github.com/mcpsf/mcpsf/internal/assess/progress"
	"github.com/mcpsf/mcpsf/internal/assess/virtualclock"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/observe/monitor"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// connection is the connection of a session to a server in the sandbox.
type connection struct {
	running *box.Box
	mon     *monitor.Monitor
	clock   *virtualclock.Clock
	heard   *listener.Listener
	// local is what is learned about services at localhost, nil for nothing.
	local *localservice.Start
	// resume is what the session goes on with.
	resume *session.Resume
}

// options returns the options of a session, and a function that releases what it needs.
func (c *connection) options(p *parallelRun, try *launch.Launch, plan *sessionPlan) (*session.Options, func()) {
	opts := p.server.opts
	inputs := launch.Inputs(p.server.artifact, try.Given, p.server.home)
	o := plan.options(opts, inputs, p.progress, p.ledger.calls)
	t := &o.Timing
	t.Clock, t.Busy, t.Alarm = c.clock, func() bool { return c.mon.Working() > 0 }, c.mon.Alarm
	if t.Patience, t.Endure = opts.Profile.Patience(); c.clock.RealTime() {
		t.Patience, t.Endure = opts.Profile.RealPatience(), 0
	}
	o.Earlier.Resume = c.resume
	plan.restrict(o)
	if plan.first {
		o.Inputs.World = learningWorld{p.server.world, c.local}
	}
	switch try.Via {
	case launch.HTTP:
		c.overHTTP(o, plan)
	case launch.Streams:
		found, over := portforward.WatchListening(c.mon.Listening, c.clock)
		o.Endpoint.Elsewhere = found
		return o, over
	}
	return o, func() {}
}

// overHTTP makes the session use the address where the server listens.
func (c *connection) overHTTP(o *session.Options, plan *sessionPlan) {
	t := portforward.New(c.running.PortForward(), c.mon.Listening)
	o.Endpoint.Wire = t
	o.Endpoint.Locate = func(ctx context.Context) (string, error) { return t.Locate(ctx, c.heard.Text) }
	if plan.probe != nil {
		o.Endpoint.Locate = t.WaitListening
		plan.probe.Places = t.Addresses
	}
	if plan.first {
		o.Endpoint.Look = func(ctx context.Context, url string) { t.CheckAccess(ctx, url, c.mon) }
	}
}

// conclude ends the step with its result.
func conclude(tell progress.Reporter, s *mcpsf.Session) {
	text := fmt.Sprintf("%s, %s, ended %s",
		wording.Count(len(s.Tools), "tool"), wording.Count(len(s.Calls), "call"), s.Closed)
	if !s.Initialized || s.Closed == "crashed" || s.Closed == "killed" || s.Closed == "limit" {
		tell.Warn(text)
		return
	}
	tell.Done(text)
}

// driverProgress reports the driver's steps as ours.
func driverProgress(tell progress.Reporter) func(string, int, int) {
	var drive atomic.Bool
	return func(step string, done, total int) {
		switch {
		case step == "start":
			return
		case step != "stop" && !drive.Swap(true):
			tell.Done("answered initialize")
			tell.Step("drive", "listing")
		}
		switch step {
		case "wait":
			tell.Update("watching what goes on without being asked")
		case "stop":
			tell.Update("stopping the server")
		default:
			tell.Update(fmt.Sprintf("%s %d of %d", step, min(done+1, total), total))
		}
	}
}
