package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
	"github.com/mcpsf/mcpsf/internal/report"
)

// reportFlags are the command line of report.
type reportFlags struct {
	print          printFlags
	output, failOn string
	rejudge        bool
	decided        decisions
}

func (a *app) report() *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report RUN",
		Short: "Show a stored run, or judge it again by the current rules",
		Long: `RUN is the directory that an assessment was written to, ./reports/<run> unless
--output said otherwise.

--details shows everything: each finding with its evidence, the timeline, the
coverage and its limits.

--rejudge applies the rules of this mcpsf to the recorded events. The server is
not run again. The stored report is not changed; --output writes the new one.`,
		Example: `  mcpsf report reports/20261116-024501-5c1f09a2
  mcpsf report reports/20261116-024501-5c1f09a2 --rejudge --explain`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(errors.New("report needs the directory of one RUN; try: mcpsf report reports/<run>"))
			}
			return a.runReport(args[0], &f)
		},
	}
	flags := cmd.Flags()
	f.print.add(cmd)
	f.print.addExplain(cmd)
	flags.StringVarP(&f.output, "output", "o", "", "with --rejudge: directory for the new report")
	flags.StringVar(&f.failOn, "fail-on", "never", "exit 1 if a finding has at least this severity: low, medium, high, critical, never")
	flags.BoolVar(&f.rejudge, "rejudge", false, "apply the current rules to the recorded events")
	f.decided.add(cmd)
	return cmd
}

func (a *app) runReport(dir string, f *reportFlags) error {
	if !slices.Contains(report.All(), report.Format(f.print.format)) {
		return usage(fmt.Errorf("--format is one of %s, not %q", formats(), f.print.format))
	}
	if err := f.print.settle(); err != nil {
		return err
	}
	if _, ok := gates()[f.failOn]; !ok {
		return usage(fmt.Errorf("--fail-on is low, medium, high, critical or never, not %q", f.failOn))
	}
	if f.output != "" && !f.rejudge {
		return usage(errors.New("--output is for the new report of --rejudge"))
	}
	if err := f.decided.read(a, dir); err != nil {
		return err
	}
	r, events, err := stored(dir)
	if err != nil {
		return err
	}
	if f.rejudge {
		set, err := rules.Builtin()
		if err != nil {
			return fmt.Errorf("loading the built-in rules: %w", err)
		}
		if err := judge.Apply(r, events, set); err != nil {
			return err
		}
		r.Tool.Version = versionOf()
	}
	if err := f.decided.apply(a, r); err != nil {
		return err
	}
	if f.output != "" {
		if err := os.MkdirAll(f.output, 0o755); err != nil {
			return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "cannot make the output directory; choose another with --output", Err: err}
		}
		if err := report.Save(f.output, r); err != nil {
			return err
		}
	}
	style := a.style(a.stdout)
	style.Explain, style.Dir = f.print.explain, cmp.Or(f.output, dir)
	if err := report.Write(a.stdout, report.Format(f.print.format), r, events, style); err != nil {
		return err
	}
	if f.failOn == "never" {
		return nil
	}
	return gate(r, f.failOn)
}

// stored reads a run back.
func stored(dir string) (*mcpsf.Report, []mcpsf.Event, error) {
	r, err := report.Load(dir)
	if err != nil {
		return nil, nil, err
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	f, err := os.Open(filepath.Join(dir, report.EventsName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf("there is no %s beside the report; both are needed", report.EventsName), Err: err}
	}
	if err != nil {
		return nil, nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "cannot read the run's events", Err: err}
	}
	defer f.Close()
	var events []mcpsf.Event
	if err := trace.Read(f, func(e mcpsf.Event) error { events = append(events, e); return nil }); err != nil {
		return nil, nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "the run's events cannot be read; assess it again", Err: err}
	}
	return r, events, nil
}
