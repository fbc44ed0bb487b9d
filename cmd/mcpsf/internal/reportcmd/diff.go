package reportcmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/assesscmd"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/runresult"
	"github.com/mcpsf/mcpsf/internal/judge/compare"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// diffFlags are the command line of diff.
type diffFlags struct {
	format string
	failOn runresult.FailOn
	source assesscmd.SourceOptions
}

// Diff shows what is new between two runs of a server.
func Diff(p *program.Program) *cobra.Command {
	var f diffFlags
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Tell what is new in the behaviour of a server between two runs",
		Long: `OLD and NEW are two versions of a server as a rule: directories that runs were
written to, or sources, which are assessed with the same seed. What the new one
does, offers and is found to do that the old one was not is told, and what is
gone. How often something happened does not count, and neither does what every
program does.

Exit codes: 0 nothing new at or above --fail-on; 1 a new finding at or above
it, or one that became more severe; 2 usage; 3 the new run was inconclusive, or
below --min-confidence.`,
		Example: `  mcpsf diff npm:some-server@1.0.15 npm:some-server@1.0.16
  mcpsf diff reports/old reports/new --format markdown --fail-on medium`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return program.Usage(errors.New("diff needs two runs; try: mcpsf diff reports/<old> reports/<new>"))
			}
			return runDiff(cmd.Context(), p, args[0], args[1], &f)
		},
	}
	cmd.Flags().StringVar(&f.format, "format", string(compare.FormatText), "output format: "+diffFormats())
	f.failOn.Register(cmd.Flags(), "high", "a new finding")
	cmd.Flags().StringVar(&f.source.Profile, "profile", "balanced", "how hard a server is attacked: safe, balanced or aggressive")
	cmd.Flags().StringArrayVar(&f.source.Env, "env", nil, "variable for the servers, K=V; may be given again")
	cmd.Flags().Uint64Var(&f.source.Seed, "seed", 1, "seed for decoys and inputs")
	cmd.Flags().BoolVarP(&f.source.Quiet, "quiet", "q", false, "show no progress")
	return cmd
}

func runDiff(ctx context.Context, p *program.Program, older, newer string, f *diffFlags) error {
	if !slices.Contains(compare.All(), compare.Format(f.format)) {
		return program.Usage(fmt.Errorf("--format is one of %s, not %q", diffFormats(), f.format))
	}
	if err := f.failOn.Check(); err != nil {
		return err
	}
	old, err := reportOf(ctx, p, older, &f.source)
	if err != nil {
		return err
	}
	now, err := reportOf(ctx, p, newer, &f.source)
	if err != nil {
		return err
	}
	c := compare.Runs(old, now)
	if err := compare.Write(p.Stdout, compare.Format(f.format), c); err != nil {
		return err
	}
	introduced := &mcpsf.Report{Findings: c.Counting(), Verdict: mcpsf.Verdict{Confidence: now.Verdict.Confidence}}
	return f.failOn.Decide(introduced)
}

// reportOf is the report of an argument: a stored run, or a source, which is
// assessed.
func reportOf(ctx context.Context, p *program.Program, arg string, opts *assesscmd.SourceOptions) (*mcpsf.Report, error) {
	r, err := report.Load(arg)
	if !errors.Is(err, os.ErrNotExist) {
		return r, err
	}
	r, dir, err := assesscmd.Source(ctx, p, arg, opts)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(p.Stderr, safetext.Clean(arg)+" is in "+safetext.Clean(dir))
	return r, nil
}

func diffFormats() string {
	var names []string
	for _, f := range compare.All() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}
