package assess

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
	"github.com/mcpsf/mcpsf/internal/judge"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
	"github.com/mcpsf/mcpsf/internal/static/inspect"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Scan reads a package. The server is not started; unless NoInstall is set, its
// dependencies are installed in a sandbox, because only then it is known what
// they are.
func Scan(ctx context.Context, opts *Options) (*Result, error) {
	started := opts.Now()
	run, remove, err := opts.runDir(started)
	if err != nil {
		return nil, err
	}
	defer remove()
	how := opts.source()
	how.Unstarted, how.InPlace = true, opts.NoInstall
	artifact, facts, err := resolve(ctx, opts, how, run)
	if err != nil {
		return nil, err
	}
	if artifact.Release != nil {
		defer artifact.Release()
	}
	st := &stage{opts: opts, run: run, artifact: artifact, facts: facts, untold: facts, began: nanotime()}
	st.repository = st.fetchRepository(ctx)
	defer st.repository.stop()
	sink, err := opts.Events(run.ID)
	if err != nil {
		return nil, err
	}
	defer sink.Close()
	st.log = trace.NewLog(trace.Create(sink))
	about, release, err := st.installOnly(ctx, started)
	defer release()
	if err != nil {
		return nil, err
	}
	opts.Progress.Step("inspect", "reading the package")
	found := st.read(ctx).wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if found == nil {
		return nil, errors.New("of this source there is nothing to read; use mcpsf assess")
	}
	opts.Progress.Done(fmt.Sprintf("%s, %s", wording.Count(len(found.Inspection.Packages), "package"), wording.Count(found.Inspection.Files.Source, "source file")))
	st.tell(found.Inspection.Tools)
	if err := st.log.Close(); err != nil {
		return nil, err
	}
	return st.judgeRead(ctx, about, found, started)
}

// installOnly installs what the package depends on. The sandbox is the one of
// an assessment: scripts run in it.
func (st *stage) installOnly(ctx context.Context, started time.Time) (about *mcpsf.Installation, release func(), err error) {
	release = func() {}
	if st.opts.NoInstall || st.artifact.Install == nil {
		return nil, release, nil
	}
	if st.equipment, err = equip(ctx, st.opts, st.artifact); err != nil {
		return nil, release, err
	}
	release = func() {
		st.release()
		st.equipment.release()
	}
	home, err := decoys.Mint(st.opts.Seed, started)
	if err != nil {
		return nil, release, fmt.Errorf("minting the decoys: %w", err)
	}
	if st.net, err = newInternet(st.opts, &home, st.run.Path); err != nil {
		return nil, release, err
	}
	defer st.net.close()
	st.home = &home
	about, err = st.install(ctx, time.Time{})
	return about, release, err
}

// tell notes what the texts of tools in the source say to a model.
func (st *stage) tell(tools []mcpsf.SourceTool) {
	names := promptscan.NamesOf()
	for i := range tools {
		for name := range promptscan.NamesOf(tools[i].Tool.Name) {
			names[name] = true
		}
	}
	seq := int64(len(st.log.Events()))
	for i := range tools {
		raw, err := json.Marshal(map[string]any{
			"name": tools[i].Tool.Name, "description": tools[i].Tool.Description, "inputSchema": tools[i].Tool.InputSchema,
		})
		if err != nil {
			continue
		}
		for _, d := range promptscan.Scan("tool", tools[i].Tool.Name, raw, names) {
			seq++
			st.log.Append(mcpsf.Event{Seq: seq, T: seconds(nanotime() - st.began), Phase: mcpsf.PhaseInspect, Kind: mcpsf.KindMCPText, Text: &d})
		}
	}
}

func seconds(nanos int64) float64 { return float64(nanos) / 1e9 }

// judgeRead applies the rules to what was read.
func (st *stage) judgeRead(ctx context.Context, about *mcpsf.Installation, found *inspect.Result, started time.Time) (*Result, error) {
	opts := st.opts
	opts.Progress.Step("judge", "applying the rules")
	events := st.log.Events()
	session := &mcpsf.Session{}
	for _, tool := range found.Inspection.Tools {
		session.Tools = append(session.Tools, tool.Tool)
	}
	r := st.outline(&launch{}, about, session)
	r.Run = mcpsf.Run{ID: st.run.ID, Seed: opts.Seed, Started: started.UTC(), Duration: opts.Now().Sub(started).Seconds()}
	r.Coverage = coverageOfReading(found, st.totals, events)
	inspected(r, found, events, st.totals)
	if err := judge.Apply(r, events, opts.Rules); err != nil {
		return nil, err
	}
	opts.Progress.Done(wording.Count(len(r.Findings), "finding"))
	opts.consult(ctx, r, events)
	return &Result{Report: r, Events: events}, nil
}

// coverageOfReading states what was read, and that nothing was run.
func coverageOfReading(found *inspect.Result, seen []observed, events []mcpsf.Event) mcpsf.Coverage {
	in := &found.Inspection
	totals := mcpsf.EventTotals{Complete: true}
	for _, o := range seen {
		totals.Produced += int64(o.Kernel.Produced)
		totals.Received += int64(o.Received.Records)
	}
	totals.Lost = totals.Produced - totals.Received
	return mcpsf.Coverage{
		Static: true, Phases: phases(events), Events: totals,
		Monitors: []mcpsf.MonitorStatus{
			{Name: "source", Alive: in.Files.Source > 0 || in.Files.Seen > 0, Note: fmt.Sprintf("%d of %d source files understood as a whole", in.Files.Parsed, in.Files.Source)},
			{Name: "advisories", Alive: in.Lookup.Missing == "", Note: in.Lookup.Missing},
		},
		Limits:  []mcpsf.LimitStatus{},
		Sandbox: mcpsf.SandboxStatus{Engine: "none"},
		Gaps:    slices.Concat([]string{"everything the server does when it runs"}, uncompared(in), in.Gaps),
	}
}
