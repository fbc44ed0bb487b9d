package reportcmd

import (
	"cmp"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/rulefiles"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/runresult"
	"github.com/mcpsf/mcpsf/internal/judge"
	"github.com/mcpsf/mcpsf/internal/report"
)

// reportFlags are the command line of report.
type reportFlags struct {
	print   runresult.Print
	output  string
	failOn  runresult.FailOn
	rejudge bool
	waivers runresult.Waivers
}

// Report shows a stored run, or judges it again.
func Report(p *program.Program) *cobra.Command {
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
				return program.Usage(errors.New("report needs the directory of one RUN; try: mcpsf report reports/<run>"))
			}
			return runReport(p, args[0], &f)
		},
	}
	flags := cmd.Flags()
	f.print.Register(flags)
	f.print.RegisterExplain(flags)
	flags.StringVarP(&f.output, "output", "o", "", "with --rejudge: directory for the new report")
	f.failOn.Register(flags, "never", "a finding")
	flags.BoolVar(&f.rejudge, "rejudge", false, "apply the current rules to the recorded events")
	f.waivers.Register(flags)
	return cmd
}

func runReport(p *program.Program, dir string, f *reportFlags) error {
	if err := f.print.Check(); err != nil {
		return err
	}
	if err := f.failOn.Check(); err != nil {
		return err
	}
	if f.output != "" && !f.rejudge {
		return program.Usage(errors.New("--output is for the new report of --rejudge"))
	}
	if err := f.waivers.Read(p.Stderr, dir); err != nil {
		return err
	}
	r, events, err := runresult.Load(dir)
	if err != nil {
		return err
	}
	if f.rejudge {
		if err := rejudge(r, events, p.Version); err != nil {
			return err
		}
	}
	if err := f.waivers.Apply(p.Stderr, r); err != nil {
		return err
	}
	if f.output != "" {
		if err := save(f.output, r); err != nil {
			return err
		}
	}
	style := p.Style(p.Stdout)
	style.Explain, style.Dir = f.print.Explain, cmp.Or(f.output, dir)
	if !f.failOn.Unset() {
		style.Gate = f.failOn.Gate()
	}
	if err := report.Write(p.Stdout, report.Format(f.print.Format), r, events, style); err != nil {
		return err
	}
	if f.failOn.Unset() {
		return nil
	}
	return f.failOn.Decide(r)
}

// rejudge applies the built-in rules to the recorded events.
func rejudge(r *mcpsf.Report, events []mcpsf.Event, version string) error {
	set, err := rulefiles.Builtin()
	if err != nil {
		return err
	}
	if err := judge.Apply(r, events, set); err != nil {
		return err
	}
	r.Tool.Version = version
	return nil
}

func save(dir string, r *mcpsf.Report) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "cannot make the output directory; choose another with --output", Err: err}
	}
	return report.Save(dir, r)
}
