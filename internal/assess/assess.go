package assess

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/remote"
	"github.com/mcpsf/mcpsf/internal/judge"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
	"github.com/mcpsf/mcpsf/internal/sandbox/samples"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Result is a finished assessment.
type Result struct {
	Report *mcpsf.Report
	Events []mcpsf.Event
	// Kept is the run's directory if it was kept.
	Kept string
}

// Assess runs a server and judges what it did. An error is never caused by the
// target: whatever the target does is in the result.
func Assess(ctx context.Context, opts *Options) (*Result, error) {
	if opts.Remote != nil {
		return assessSubject(ctx, opts, func(a *assessment) subject { return &remoteServer{assessment: a} })
	}
	return assessSubject(ctx, opts, newSandboxedServer)
}

// Scan reads a package. The server is not started. Its dependencies are installed in a
// sandbox, unless the options say otherwise, because only then are they known.
func Scan(ctx context.Context, opts *Options) (*Result, error) {
	return assessSubject(ctx, opts, newPackageScan)
}

// subject is what is assessed: a server in the sandbox, a server that runs
// elsewhere, or a package that is only read.
type subject interface {
	// prepare resolves the target and makes what its run needs. If it succeeds,
	// the target is valid.
	prepare(ctx context.Context) error
	// observe records what the target does.
	observe(ctx context.Context) error
	// report returns everything except the results of the rules.
	report(ctx context.Context) (*mcpsf.Report, error)
	// release stops background work and frees resources, also after an error.
	release()
}

// assessment is the state that every kind of subject shares.
type assessment struct {
	opts    *Options
	run     *box.RunDir
	started time.Time
	home    *decoys.Home
	// ledger records the run; it has a log once the target is known to be valid.
	ledger *ledger
	// files are those that the run has written.
	files []*runFile
	// cut says why the run was ended before it was done, "" if it was not.
	cut string
}

// assessSubject does one assessment from beginning to end.
func assessSubject(ctx context.Context, opts *Options, newSubject func(*assessment) subject) (*Result, error) {
	a := &assessment{opts: opts, started: opts.Caller.Now(), ledger: &ledger{}}
	var err error
	if a.run, err = box.NewRunDir(opts.Caller.TempDir, a.started); err != nil {
		return nil, err
	}
	defer a.removeRunDir()
	if a.home, err = furnishedHome(opts, a.started); err != nil {
		return nil, err
	}
	s := newSubject(a)
	defer s.release()
	work, stop := a.within(ctx)
	defer stop()
	if err := s.prepare(work); err != nil {
		return nil, a.tooEarly(ctx, work, err)
	}
	file, err := a.create(eventsFile, opts.Output.Events)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := a.record(work, s, file); err != nil {
		return nil, err
	}
	// A run that was ended leaves the report of what it saw.
	result, err := a.judge(context.WithoutCancel(ctx), s)
	if err == nil && opts.Caller.Keep {
		result.Kept, err = a.run.Keep()
	}
	return result, err
}

// furnishedHome returns the home directory with its decoys, with samples for tools,
// and with what the user brought.
func furnishedHome(opts *Options, now time.Time) (*decoys.Home, error) {
	home, err := decoys.Mint(opts.Seed, now)
	if err != nil {
		return nil, fmt.Errorf("minting the decoys: %w", err)
	}
	files, err := samples.Files()
	if err != nil {
		return nil, fmt.Errorf("making sample files: %w", err)
	}
	for _, f := range files {
		home.Scenery = append(home.Scenery, decoys.File{Path: f.Path, Mode: f.Mode, Content: f.Content})
	}
	if err := home.Bring(opts.Sandbox.World); err != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "--world: " + err.Error()}
	}
	return &home, nil
}

// record observes the subject and writes its events to a file.
func (a *assessment) record(ctx context.Context, s subject, file io.Writer) error {
	a.ledger.log = trace.NewLog(trace.Create(file))
	return a.unlessCut(ctx, s.observe(ctx))
}

// judge applies the rules to the events.
func (a *assessment) judge(ctx context.Context, s subject) (*Result, error) {
	r, err := s.report(ctx)
	if err != nil {
		return nil, err
	}
	opts, events := a.opts, a.ledger.log.Events()
	opts.Caller.Progress.Step("judge", "applying the rules")
	r.Run = mcpsf.Run{ID: a.run.ID, Seed: opts.Seed, Started: a.started.UTC(), Duration: opts.Caller.Now().Sub(a.started).Seconds()}
	a.tellCut(r)
	if r, err = asWritten(r); err != nil {
		return nil, err
	}
	if err := judge.Apply(r, events, opts.Rules); err != nil {
		return nil, err
	}
	opts.Caller.Progress.Done(wording.Count(len(r.Findings), "finding") + " in " + wording.Count(len(events), "event"))
	if opts.Remote != nil {
		if err := remote.Purge(opts.Remote.Secrets, r); err != nil {
			return nil, fmt.Errorf("keeping the credentials out of the report: %w", err)
		}
		judge.Conclude(r)
	}
	if a.cut == "" {
		a.review(ctx, r, events) // after redaction: the model sees no credentials
	}
	if err := a.finishFiles(r); err != nil {
		return nil, err
	}
	return &Result{Report: r, Events: a.ledger.log.Events()}, nil
}

// asWritten returns the report as a reader of report.json gets it. What is judged
// is what is written: a name that is not UTF-8, or half a surrogate pair in a
// schema, would otherwise be judged in one way and be read in another.
func asWritten(r *mcpsf.Report) (*mcpsf.Report, error) {
	text, err := safetext.JSONLine(r)
	if err != nil {
		return nil, fmt.Errorf("encoding the report: %w", err)
	}
	var back mcpsf.Report
	if err := json.Unmarshal(text, &back); err != nil {
		return nil, fmt.Errorf("reading the report back: %w", err)
	}
	return &back, nil
}

// newReport returns a report that says what was assessed, and nothing else yet.
func (a *assessment) newReport(artifact *mcpsf.Artifact, s *mcpsf.Session) *mcpsf.Report {
	return &mcpsf.Report{
		SchemaVersion: mcpsf.SchemaVersion,
		Tool:          mcpsf.ToolInfo{Name: "mcpsf", Version: a.opts.Caller.Version},
		Target:        a.opts.Target,
		Artifact:      *artifact,
		Session:       *s,
		Declared:      mcpsf.Declared{Name: artifact.Name + " " + s.Name},
	}
}

func (a *assessment) removeRunDir() {
	if err := a.run.Remove(); err != nil {
		a.opts.Caller.Logger.Warn("cleaning up", "error", err)
	}
}
