package assess

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/assess/boxwatch"
	"github.com/mcpsf/mcpsf/internal/assess/internet"
	"github.com/mcpsf/mcpsf/internal/assess/launch"
	"github.com/mcpsf/mcpsf/internal/assess/listener"
	"github.com/mcpsf/mcpsf/internal/assess/localservice"
	"github.com/mcpsf/mcpsf/internal/assess/planted"
	"github.com/mcpsf/mcpsf/internal/assess/virtualclock"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/observe/leak"
	"github.com/mcpsf/mcpsf/internal/observe/monitor"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// maxWritten is how much of what the server writes to files is searched for canaries.
// no gap: a secret in a file is a finding only on its way out, and everything sent is searched
const maxWritten = 16 << 20

// detonation is the result of one start of the server.
type detonation struct {
	session  *mcpsf.Session
	status   mcpsf.SandboxStatus
	limits   []mcpsf.LimitStatus
	kernel   wire.Totals
	received monitor.Totals
	// unsearched says that not everything was searched for canaries.
	unsearched bool
	// gaps are the bounds that were reached in observing it.
	gaps []mcpsf.Gap
	// watch is the error of the kernel monitor, nil if it observed everything.
	watch error
	exit  box.Exit
	// wall is the limit of the run's time, linger how long it was observed after the last
	// answer.
	wall, linger time.Duration
	// said is the end of the server's output that was not a message.
	said string
	// texts is how many texts of the server were scanned.
	texts int
	// kept is set if the files that it left were kept.
	kept bool
	// listening are the addresses at which the server accepted connections.
	listening []netip.AddrPort
	// local is what was learned about services at localhost, nil if nothing is.
	local *localservice.Start
	// resume is how far the session came, nil if it cannot go on; events are those of
	// all its starts.
	resume *session.Resume
	events []mcpsf.Event
}

// observed says how completely the sandbox was observed.
func (d *detonation) observed() boxwatch.Observed {
	return boxwatch.Observed{Kernel: d.kernel, Received: d.received, Trouble: boxwatch.Trouble(d.watch, &d.exit), Unsearched: d.unsearched, Gaps: d.gaps}
}

// exitCode is the server's exit code, -1 if unknown.
func (d *detonation) exitCode() int {
	if !d.exit.Known {
		return -1
	}
	return d.exit.Code
}

// startOnce starts the server in the sandbox by the given command, drives it, and
// stops it, while the monitor records everything. If it is interrupted, the result
// is there as far as it came.
func (p *parallelRun) startOnce(ctx context.Context, try *launch.Launch, plan *sessionPlan, resume *session.Resume) (*detonation, error) {
	opts := p.server.opts
	clock := virtualclock.New(opts.Network.RealTime())
	finder, mon, err := p.watchers(try, clock)
	if err != nil {
		return nil, err
	}
	if plan.code != nil {
		mon.Preload(box.NodeScript)
	}
	p.progress.Step("start", strings.Join(try.Command, " "))
	mon.Started(opts.Sandbox.Platform, plan.kept != "", p.server.browser.program())
	options, err := p.boxOptions(try, plan)
	if err != nil {
		return nil, err
	}
	var exported func()
	if options.Export, exported, err = plan.export(); err != nil {
		return nil, err
	}
	defer exported()
	running, err := box.Start(ctx, options)
	if err != nil {
		return nil, err
	}
	defer func() { _ = running.Stop() }() // its error is reported below
	network, err := p.net.Connect(ctx, running, internet.Observer{Monitor: mon, Finder: finder, Now: clock.Nanos})
	if err != nil {
		return nil, err
	}
	clock.Attach(running, network)
	disconnect := sync.OnceFunc(network.Close)
	defer disconnect()

	d := &detonation{
		wall: opts.Sandbox.Wall, linger: opts.Sandbox.Linger, status: running.Status(opts.Sandbox.Platform), limits: running.Held(),
	}
	watching := boxwatch.Watch(ctx, running, mon)
	late := endAfter(ctx, opts.Sandbox.Wall, running, mon)
	heard := listener.New(mon)
	err = p.drive(ctx, d, try, plan, &connection{running: running, mon: mon, clock: clock, heard: heard, resume: resume})
	tooLate := late()
	left := mon.Working()
	disconnect() // before the link is gone
	p.stop(running)
	d.watch = <-watching
	d.finish(running, mon, left)
	p.began -= clock.Advanced() // the next start continues after this one
	d.received.Suppressed += uint64(network.Missed())
	d.unsearched, d.gaps = finder.Exhausted(), append(finder.Gaps(), p.net.Gaps(d.session.Tools)...)
	if plan.keep != "" {
		d.kept, d.gaps = running.Exported() == nil, append(d.gaps, notKept(running.Exported())...)
	}
	if tooLate {
		d.session.Closed, d.session.Ending = "limit", "the run took longer than it may"
	}
	p.ledger.boxes = append(p.ledger.boxes, d.observed())
	if err != nil {
		return d, fmt.Errorf("the assessment was interrupted: %w", err)
	}
	conclude(p.progress, d.session)
	return d, nil
}

// stop ends a sandbox. That it did not end well is no failure of the run.
func (p *parallelRun) stop(running *box.Box) {
	if err := running.Stop(); err != nil {
		p.server.opts.Caller.Logger.Warn("stopping the sandbox", "error", err)
	}
}

// drive runs the session with a started server.
func (p *parallelRun) drive(ctx context.Context, d *detonation, try *launch.Launch, plan *sessionPlan, c *connection) (err error) {
	if plan.first && p.server.opts.Network.ServesLocalhost() {
		d.local = p.server.world.local.Of(c.running, c.mon, p.net.Silent)
		c.local = d.local
	}
	options, over := c.options(p, try, plan)
	d.session, err = session.Drive(ctx, c.running, c.heard, options)
	over()
	d.listening = c.mon.Listening()
	d.said, d.texts = c.heard.Text(), c.heard.Texts()
	p.ledger.calls += len(d.session.Calls)
	p.ledger.gaps = append(append(p.ledger.gaps, d.session.Gaps...), c.heard.Gaps()...)
	return err
}

// endAfter kills a sandbox when its time is up. The returned function stops that
// timer and tells whether it fired.
func endAfter(ctx context.Context, wall time.Duration, running *box.Box, mon *monitor.Monitor) func() bool {
	var late atomic.Bool
	alarm := time.AfterFunc(wall, func() {
		late.Store(true)
		mon.Limit(wallLimit(wall, "killed"))
		_ = running.Signal(ctx, syscall.SIGKILL)
	})
	return func() bool {
		alarm.Stop()
		return late.Load()
	}
}

func wallLimit(wall time.Duration, action string) mcpsf.LimitDetail {
	return mcpsf.LimitDetail{Name: mcpsf.LimitWall, Limit: int64(wall.Seconds()), Value: int64(wall.Seconds()), Action: action}
}

// watchers returns the finder for canaries and the monitor for everything.
func (p *parallelRun) watchers(try *launch.Launch, clock *virtualclock.Clock) (*leak.Finder, *monitor.Monitor, error) {
	finder, err := p.net.Finder(planted.Configured(try.Given, append(slices.Clone(try.Vars), p.server.opts.Target.Env...)))
	if err != nil {
		return nil, nil, err
	}
	home := p.home
	mon, err := monitor.New(&monitor.Options{
		Decoys: home.Decoys, Variables: planted.VariableIDs(home), Leaks: finder, NameOf: p.net.NameOf, StartNanos: p.began,
		Now: clock.Nanos, Emit: p.ledger.log.Append, After: int64(len(p.ledger.log.Events())),
	})
	if err != nil {
		return nil, nil, err
	}
	for _, f := range p.unreported {
		if f.Kind == archive.FactRefused {
			mon.Refused(f.Path, f.Text)
		}
	}
	p.unreported = nil
	return finder, mon, nil
}

func (p *parallelRun) boxOptions(try *launch.Launch, plan *sessionPlan) (*box.Options, error) {
	s, opts := p.server, p.server.opts
	artifact := *s.artifact
	artifact.Command, artifact.Env = try.Command, try.Env
	programs, dir, err := s.fakePrograms.files(p.home)
	if err != nil {
		return nil, err
	}
	chrome, err := s.browser.files(p.net.Roots())
	if err != nil {
		return nil, err
	}
	artifact.Env = append(chrome.env, artifact.Env...)
	return &box.Options{
		Artifact: &artifact, Run: s.run, Name: p.name, Limits: opts.Sandbox.Limits, Interpreter: s.toolchain.Interpreter.Program,
		Content: box.Content{
			Files: slices.Concat(planted.Files(p.home), programs, chrome.files, plan.files), Installed: s.archive, Kept: plan.kept, Mounts: slices.Concat(s.toolchain.Mounts, chrome.mounts),
			Programs: dir,
		},
		Network:     box.Network{Link: opts.Network.Connected(), PortForward: try.Via == launch.HTTP, Local: s.world.local.Ports(), Roots: p.net.Roots()},
		Machine:     box.Machine{Seed: opts.Seed, Now: opts.Caller.Now(), Later: plan.environment.Later()},
		Observation: box.Observation{Written: maxWritten, EnvHooks: !opts.Sandbox.NoEnvHooks, Code: plan.code},
		Engine:      box.Engine{Platform: opts.Sandbox.Platform},
	}, nil
}

// finish records how the sandbox ended.
func (d *detonation) finish(running *box.Box, mon *monitor.Monitor, left int) {
	d.exit = running.Exit()
	if d.exit.Limit != "" {
		mon.Limit(mcpsf.LimitDetail{Name: d.exit.Limit, Limit: d.exit.Max, Value: d.exit.Value, Action: "killed"})
	}
	if d.exit.Error != "" {
		mon.Note(mcpsf.KindSandboxError, d.exit.Error)
	}
	mon.Note(mcpsf.KindSandboxStop, ending(d.session.Closed, left))
	d.received = mon.Close()
	d.kernel = running.Totals()
}

// ending says how the session ended and how many processes were still running.
func ending(closed string, left int) string {
	if left > 0 {
		return fmt.Sprintf("%s; %d processes that calls had started were still running", closed, left)
	}
	return closed
}
