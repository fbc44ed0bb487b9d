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
	"github.com/mcpsf/mcpsf/internal/assess/boxwatch"
	"github.com/mcpsf/mcpsf/internal/assess/inspection"
	"github.com/mcpsf/mcpsf/internal/assess/launch"
	"github.com/mcpsf/mcpsf/internal/assess/virtualclock"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/static/inspect"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// packageScan is a package that is only read: its server is not started.
type packageScan struct {
	*sandboxedServer

	found *inspect.Result
}

var _ subject = (*packageScan)(nil)

func newPackageScan(a *assessment) subject {
	return &packageScan{sandboxedServer: &sandboxedServer{assessment: a}}
}

// noInstall says that the package is read without its dependencies.
func (s *packageScan) noInstall() bool { return s.opts.Inspect != nil && s.opts.Inspect.NoInstall }

func (s *packageScan) prepare(ctx context.Context) error {
	how := s.opts.fetcher().SourceOptions()
	how.Unstarted, how.InPlace = true, s.noInstall()
	if err := s.resolve(ctx, how); err != nil {
		return err
	}
	s.fetchRepository(ctx)
	return nil
}

func (s *packageScan) observe(ctx context.Context) error {
	if err := s.installDependencies(ctx); err != nil {
		return err
	}
	tell := s.opts.Caller.Progress
	tell.Step("inspect", "reading the package")
	s.reading = s.read(ctx)
	s.found = s.reading.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if s.found == nil {
		return errors.New("of this source there is nothing to read; use mcpsf assess")
	}
	in := &s.found.Inspection
	tell.Done(fmt.Sprintf("%s, %s", wording.Count(len(in.Packages), "package"), wording.Count(in.Files.Source, "source file")))
	s.scanTexts(in.Tools)
	return nil
}

// installDependencies installs the package's dependencies, in the same kind of
// sandbox as in an assessment, because install scripts run.
func (s *packageScan) installDependencies(ctx context.Context) error {
	if s.noInstall() || s.artifact.Install == nil {
		return nil
	}
	if err := s.equip(ctx); err != nil {
		return err
	}
	if err := s.connect(ctx); err != nil {
		return err
	}
	return s.install(ctx, time.Time{})
}

// scanTexts looks for prompt injection in the tool descriptions of the source.
func (s *packageScan) scanTexts(tools []mcpsf.SourceTool) {
	names := promptscan.NamesOf()
	for i := range tools {
		for name := range promptscan.NamesOf(tools[i].Tool.Name) {
			names[name] = true
		}
	}
	for i := range tools {
		raw, err := json.Marshal(map[string]any{
			"name": tools[i].Tool.Name, "description": tools[i].Tool.Description, "inputSchema": tools[i].Tool.InputSchema,
		})
		if err != nil {
			continue
		}
		details, _ := promptscan.Scan("tool", tools[i].Tool.Name, raw, names)
		for _, d := range details {
			s.ledger.add(&mcpsf.Event{
				T: seconds(virtualclock.Nanotime() - s.main.began), Phase: mcpsf.PhaseInspect, Kind: mcpsf.KindMCPText, Text: &d,
			})
		}
	}
}

func seconds(nanos int64) float64 { return float64(nanos) / 1e9 }

func (s *packageScan) report(context.Context) (*mcpsf.Report, error) {
	events := s.ledger.log.Events()
	if s.found == nil { // it was ended before
		s.found = &inspect.Result{Inspection: mcpsf.Inspection{Gaps: []string{"the package was not read: " + s.cut}}}
	}
	session := &mcpsf.Session{}
	for _, tool := range s.found.Inspection.Tools {
		session.Tools = append(session.Tools, tool.Tool)
	}
	r := s.newReport(&launch.Launch{}, session)
	r.Coverage = scanCoverage(s.found, s.ledger.boxes, events)
	inspection.AddTo(r, s.found, &inspection.Shown{Events: events, Boxes: s.ledger.boxes})
	return r, nil
}

// scanCoverage states what was read, and that nothing was run.
func scanCoverage(found *inspect.Result, seen []boxwatch.Observed, events []mcpsf.Event) mcpsf.Coverage {
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
		Texts:   len(in.Tools),
		Limits:  []mcpsf.LimitStatus{},
		Sandbox: mcpsf.SandboxStatus{Engine: "none"},
		Gaps:    slices.Concat([]mcpsf.Gap{gap.New(gap.NotRun, 0, 0)}, inspection.Uncompared(in), gap.All(gap.SourceNotRead, in.Gaps)),
	}
}
