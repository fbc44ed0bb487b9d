package assess

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/agents/agent"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/observe/leak"
	"github.com/mcpsf/mcpsf/internal/observe/monitor"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// maxOutput is how much the server may write to each of its streams.
const maxOutput = 64 << 20

// maxWritten is how much of what the server writes to files is searched for
// planted secrets.
const maxWritten = 16 << 20

// stage is what every start of the server has in common.
type stage struct {
	opts     *Options
	run      *box.RunDir
	artifact *mcpsf.Artifact
	facts    []mcpsf.Fact
	// untold are those that no event tells of yet.
	untold    []mcpsf.Fact
	equipment *equipment
	home      *decoys.Home
	net       *internet
	log       *trace.Log
	// archive is what was installed, "" if nothing was.
	archive string
	// began is the clock at the beginning of the run.
	began int64
	// released gives up what was installed.
	released func()
	// totals say how well each box was watched.
	totals []observed
	// box tells the sandboxes of lanes apart.
	box string
	// calls is how many were made in all boxes so far.
	calls int
	// undone is what the profile asks for and did not come about.
	undone []string
	// agents are those that used the server, and conversations what was said.
	agents        []mcpsf.AgentRun
	conversations []agent.Conversation
	// reading is the inspection of the package, nil if there is none.
	reading *reading
	// repository is what the package says it was made of, on its way; nil if
	// there is none.
	repository *fetching
	// shots are the attacks there were to be made, and more those that a model
	// proposed.
	shots, more []attackplan.AttackCall
	// payloads are what a model proposed to attack it with, nil if none was
	// asked.
	payloads *mcpsf.PayloadRun
	// planned is how many attacks there were to be made, unmade how many of
	// these were not.
	planned, unmade int
}

// detonation is what is known after the server has run.
type detonation struct {
	session  *mcpsf.Session
	status   mcpsf.SandboxStatus
	limits   []mcpsf.LimitStatus
	kernel   wire.Totals
	received monitor.Totals
	// unlooked says that not everything was searched for what was planted.
	unlooked bool
	// watch is the failure of the kernel monitor, nil if it saw the end.
	watch error
	exit  box.Exit
	// wall and linger are how long the run might take and did wait.
	wall, linger time.Duration
	// said is the end of what it wrote that was no message.
	said string
	// kept is set if what it left behind was kept.
	kept bool
	// listening is where the server has accepted connections.
	listening []netip.AddrPort
}

// detonate starts the server in the sandbox by the given command, drives it,
// and stops it, with the monitor listening all the while.
func (st *stage) detonate(ctx context.Context, try *launch, say *talk) (*detonation, error) {
	opts := st.opts
	clock := &boxTime{still: opts.Network.timeIsReal()}
	finder, mon, err := st.watchers(try, clock)
	if err != nil {
		return nil, err
	}
	opts.Progress.Step("start", commandLine(try.command))
	mon.Note(mcpsf.KindSandboxStart, "gVisor "+opts.Platform)
	options := st.boxOptions(try, say)
	var kept func()
	if options.Export, kept, err = say.keeping(); err != nil {
		return nil, err
	}
	defer kept()
	running, err := box.Start(ctx, options)
	if err != nil {
		return nil, err
	}
	defer func() { _ = running.Stop() }() // its error is told below
	sink, err := st.net.connect(ctx, running, mon, finder, clock)
	if err != nil {
		return nil, err
	}
	clock.watch(running, sink)
	disconnect := sync.OnceFunc(sink.Close)
	defer disconnect()

	d := &detonation{wall: opts.Wall, linger: opts.Linger, status: running.Status(opts.Platform), limits: running.Held()}
	watching := watched(ctx, running, mon)
	var late atomic.Bool
	alarm := time.AfterFunc(opts.Wall, func() {
		late.Store(true)
		mon.Limit(mcpsf.LimitDetail{
			Name: mcpsf.LimitWall, Limit: int64(opts.Wall.Seconds()), Value: int64(opts.Wall.Seconds()), Action: "killed",
		})
		_ = running.Signal(ctx, syscall.SIGKILL)
	})
	words := newListener(mon)
	talk, over := st.reaching(st.conversation(mon, clock, try, say), try, say, running, mon, words)
	d.session, err = session.Drive(ctx, running, words, talk)
	over()
	d.listening = mon.Listening()
	st.calls += len(d.session.Calls)
	d.said = words.text()
	alarm.Stop()
	left := mon.Working()
	disconnect() // while the link is there
	if stopErr := running.Stop(); stopErr != nil {
		opts.Logger.Warn("stopping the sandbox", "error", stopErr)
	}
	d.watch = <-watching
	d.finish(running, mon, left)
	st.began -= clock.skipped() // the next one begins after this one
	d.received.Suppressed += uint64(sink.Missed())
	d.unlooked, d.kept = finder.Exhausted(), say.keep != "" && running.Exported() == nil
	if late.Load() {
		d.session.Closed, d.session.Ending = "limit", "the run took longer than it may"
	}
	if err != nil {
		return nil, fmt.Errorf("the assessment was interrupted: %w", err)
	}
	conclude(opts.Progress, d.session)
	return d, nil
}

// watched hands everything the kernel tells to the monitor. How that ended is
// sent when the sandbox has.
func watched(ctx context.Context, running *box.Box, mon *monitor.Monitor) <-chan error {
	end := make(chan error, 1)
	go func() {
		// Reading goes on after an interrupt: the sandbox ends, then this.
		err := running.Each(context.WithoutCancel(ctx), func(r *wire.Record) error { return mon.Record(ctx, r) })
		if err != nil {
			_ = running.Signal(ctx, syscall.SIGKILL) // nobody watches any more
		}
		end <- err
	}()
	return end
}

// watchers are who looks on: one for planted secrets, one for everything.
func (st *stage) watchers(try *launch, clock *boxTime) (*leak.Finder, *monitor.Monitor, error) {
	finder, err := st.net.finder(configured(try.given, append(slices.Clone(try.vars), st.opts.Target.Env...)))
	if err != nil {
		return nil, nil, err
	}
	mon, err := monitor.New(&monitor.Options{
		Decoys: st.home.Decoys, Variables: variables(st.home), Leaks: finder, NameOf: st.net.book.Name, StartNanos: st.began, Now: clock.nanos, Emit: st.log.Append,
		After: int64(len(st.log.Events())),
	})
	if err != nil {
		return nil, nil, err
	}
	for _, f := range st.untold {
		if f.Kind == archive.FactRefused {
			mon.Refused(f.Path, f.Text)
		}
	}
	st.untold = nil
	return finder, mon, nil
}

func (st *stage) boxOptions(try *launch, say *talk) *box.Options {
	opts := st.opts
	artifact := *st.artifact
	artifact.Command, artifact.Env = try.command, try.env
	return &box.Options{
		Artifact: &artifact, Run: st.run, Name: st.box, Limits: opts.Limits, Interpreter: st.equipment.interpreter.Program,
		Content: box.Content{
			Files: append(furniture(st.home), say.files...), Installed: st.archive, Kept: say.kept, Mounts: st.equipment.mounts,
		},
		Network:     box.Network{Link: opts.Network.connected(), PortForward: try.reach == byHTTP, Roots: st.net.authority.PEM()},
		Machine:     box.Machine{Seed: opts.Seed, Now: opts.Now(), Later: say.guise.later},
		Observation: box.Observation{Written: maxWritten, EnvHooks: !opts.NoEnvHooks},
		Engine:      box.Engine{Platform: opts.Platform},
	}
}

// finish takes down how the sandbox ended.
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

// furniture is everything of the lived-in home, in the sandbox's terms.
func furniture(home *decoys.Home) []box.File {
	files := make([]box.File, 0, len(home.Decoys)+len(home.Scenery))
	for _, d := range home.Decoys {
		files = append(files, box.File{Path: d.Path, Mode: d.Mode, Content: d.Content})
	}
	for _, f := range home.Scenery {
		files = append(files, box.File{Path: f.Path, Mode: f.Mode, Content: f.Content})
	}
	return files
}

// conclude ends the step with what came of it.
func conclude(p Progress, s *mcpsf.Session) {
	text := fmt.Sprintf("%s, %s, ended %s",
		wording.Count(len(s.Tools), "tool"), wording.Count(len(s.Calls), "call"), s.Closed)
	if !s.Initialized || s.Closed == "crashed" || s.Closed == "killed" || s.Closed == "limit" {
		p.Warn(text)
		return
	}
	p.Done(text)
}

// progressOf turns the driver's steps into ours.
func progressOf(p Progress) func(string, int, int) {
	var drive atomic.Bool
	return func(step string, done, total int) {
		switch {
		case step == "start":
			return
		case step != "stop" && !drive.Swap(true):
			p.Done("answered initialize")
			p.Step("drive", "listing")
		}
		switch step {
		case "wait":
			p.Update("watching what goes on without being asked")
		case "stop":
			p.Update("stopping the server")
		default:
			p.Update(fmt.Sprintf("%s %d of %d", step, min(done+1, total), total))
		}
	}
}

// ending says how the session ended and what had to be ended with it.
func ending(closed string, left int) string {
	if left > 0 {
		return fmt.Sprintf("%s; %d processes that calls had started were still running", closed, left)
	}
	return closed
}
