package assess

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/cache"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/agents/agent"
	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/judge"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Progress is told what is going on. Its methods are called from several
// goroutines. A step that fails is not ended here: the error tells of it.
type Progress interface {
	Step(name, text string)
	Update(text string)
	Done(text string)
	Warn(text string)
}

// Options of an assessment.
type Options struct {
	Target mcpsf.Target
	Seed   uint64
	// Profile is how hard the server is pressed.
	Profile Profile
	// Agents use the server, one after the other; none for none.
	Agents []agent.Runner
	// Conversations takes what they said, as lines of JSON; nil: nobody wants
	// it.
	Conversations func(runID string) (io.WriteCloser, error)
	// Payloads proposes inputs that attack the tools; nil: nobody is asked.
	Payloads llm.Model
	// Boxes is how many sandboxes there may be at a time.
	Boxes int
	// Wall is how long the server may be driven.
	Wall time.Duration
	// InstallWall is how long the installation may take; 0 is a quarter of an
	// hour.
	InstallWall time.Duration
	// InstallDisk bounds what an installation leaves behind; 0 is 3 GiB.
	InstallDisk int64
	// Linger is how long to stay with the server after its last answer.
	Linger   time.Duration
	Limits   box.Limits
	Platform string
	// NoEnvHooks leaves Python and Node alone: which variables are read is not
	// told then.
	NoEnvHooks bool
	// HostPath is the caller's PATH, searched for language runtimes.
	HostPath string
	// Network is what the server's network leads to.
	Network Network
	// Registry is the way to package registries; nil for none.
	Registry *registry.Client
	// Image is an image to run the server on, "" for this machine's own
	// runtimes; Images are those to fall back on where it has none.
	Image  string
	Images map[mcpsf.Runtime]string
	// PublicOnly refuses images of this machine's own network: who names them
	// is not its user.
	PublicOnly bool
	// Cache keeps what was downloaded and installed; nil keeps nothing.
	Cache *cache.Cache
	// TempDir is where runs keep their files while they last.
	TempDir string
	// Events takes the trace as it grows; it is opened once the target has
	// been found good.
	Events func(runID string) (io.WriteCloser, error)
	// Traffic takes the packets of the run at its end, as pcapng; nil: nobody
	// wants them.
	Traffic func(runID string) (io.WriteCloser, error)
	Rules   *rules.Set
	// Judge is asked for a second opinion on what the rules found; nil: nobody is.
	Judge llm.Model
	// Inspect says how the package is read; nil leaves it unread.
	Inspect *Inspection
	// NoRepository leaves the repository alone that a package names.
	NoRepository bool
	// NoInstall has a package read without what it depends on.
	NoInstall bool
	// Remote is set for a server that runs elsewhere.
	Remote   *Remote
	Progress Progress
	Logger   *slog.Logger
	Version  string
	Now      func() time.Time
	// Keep leaves the run's directory in place.
	Keep bool
}

// Result is a finished assessment.
type Result struct {
	Report *mcpsf.Report
	Events []mcpsf.Event
	// Kept is the run's directory if it was kept.
	Kept string
}

// Assess runs every stage. The error is always ours or the user's; whatever
// the target does is in the result.
func Assess(ctx context.Context, opts *Options) (*Result, error) {
	if opts.Remote != nil {
		return assessRemote(ctx, opts)
	}
	started := opts.Now()
	run, remove, err := opts.runDir(started)
	if err != nil {
		return nil, err
	}
	defer remove()

	artifact, facts, err := resolve(ctx, opts, opts.source(), run)
	if err != nil {
		return nil, err
	}
	if artifact.Release != nil {
		defer artifact.Release()
	}
	st := &stage{opts: opts, run: run, artifact: artifact, facts: facts, untold: facts, began: nanotime()}
	if st.equipment, err = equip(ctx, opts, artifact); err != nil {
		return nil, err
	}
	st.repository = st.fetchRepository(ctx)
	defer st.end()
	home, err := decoys.Mint(opts.Seed, started)
	if err != nil {
		return nil, fmt.Errorf("minting the decoys: %w", err)
	}
	if st.net, err = newInternet(opts, &home, run.Path); err != nil {
		return nil, err
	}
	defer st.net.close()
	sink, err := opts.Events(run.ID)
	if err != nil {
		return nil, err
	}
	defer sink.Close()
	log := trace.NewLog(trace.Create(sink))

	st.home, st.log = &home, log
	about, err := st.install(ctx, time.Time{})
	if err != nil {
		return nil, err
	}
	st.reading = st.read(ctx)
	d, given, about, err := st.assess(ctx, about)
	if err != nil {
		return nil, err
	}
	if err := st.press(ctx, d, given); err != nil {
		return nil, err
	}
	if err := log.Close(); err != nil {
		return nil, err
	}
	if err := st.saveTraffic(log.Events()); err != nil {
		return nil, err
	}
	result, err := st.judge(ctx, given, about, d, started)
	if err == nil && opts.Keep {
		result.Kept, err = run.Keep()
	}
	return result, err
}

// end gives up what is under way and what is held.
func (st *stage) end() {
	st.reading.stop()
	st.repository.stop()
	st.release()
	st.equipment.release()
}

// runDir makes the directory of a run; remove leaves nothing of it.
func (o *Options) runDir(started time.Time) (run *box.RunDir, remove func(), err error) {
	run, err = box.NewRunDir(o.TempDir, started)
	if err != nil {
		return nil, nil, err
	}
	return run, func() {
		if err := run.Remove(); err != nil {
			o.Logger.Warn("cleaning up", "error", err)
		}
	}, nil
}

// judge applies the rules to what happened.
func (st *stage) judge(ctx context.Context, given *launch, about *mcpsf.Installation, d *detonation, started time.Time) (*Result, error) {
	opts := st.opts
	st.reread(ctx)
	read := st.reading.wait()
	opts.Progress.Step("judge", "applying the rules")
	events := st.log.Events()
	r := st.outline(given, about, d.session)
	r.Run = mcpsf.Run{ID: st.run.ID, Seed: opts.Seed, Started: started.UTC(), Duration: opts.Now().Sub(started).Seconds()}
	r.Coverage = coverage(opts.Profile, opts.Network, d, st.totals, events)
	r.Coverage.Gaps = append(r.Coverage.Gaps, st.undone...)
	r.Agents, r.Payloads = st.agents, st.payloads
	if err := st.writeConversations(); err != nil {
		return nil, err
	}
	inspected(r, read, events, append([]observed{observedOf(d)}, st.totals...))
	if err := judge.Apply(r, events, opts.Rules); err != nil {
		return nil, err
	}
	opts.Progress.Done(wording.Count(len(r.Findings), "finding") + " in " + wording.Count(len(events), "event"))
	opts.consult(ctx, r, events)
	return &Result{Report: r, Events: events}, nil
}

// outline is the report as far as it says what was run. Of the command line and
// environment only what the user wrote can explain an access: what the package
// wrote cannot excuse it.
func (st *stage) outline(given *launch, about *mcpsf.Installation, s *mcpsf.Session) *mcpsf.Report {
	return &mcpsf.Report{
		SchemaVersion: mcpsf.SchemaVersion,
		Tool:          mcpsf.ToolInfo{Name: "mcpsf", Version: st.opts.Version},
		Target:        st.opts.Target,
		Artifact:      *st.artifact,
		Installation:  about,
		Facts:         st.facts,
		Session:       *s,
		Declared: mcpsf.Declared{
			Command: given.given, Env: append(slices.Clone(given.vars), st.opts.Target.Env...),
			Name: st.artifact.Name + " " + s.Name, Hosts: declaredHosts(st.artifact), Inputs: attackplan.Inputs(s),
		},
	}
}

func shortDigest(digest string) string {
	const keep = len("sha256:") + 12
	return digest[:min(len(digest), keep)]
}
