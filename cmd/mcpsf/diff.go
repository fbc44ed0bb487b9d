package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/compare"
	"github.com/mcpsf/mcpsf/internal/report"
)

// diffFlags are the command line of diff.
type diffFlags struct {
	format, failOn string
}

func (a *app) diff() *cobra.Command {
	var f diffFlags
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Tell what is new in the behaviour of a server between two runs",
		Long: `OLD and NEW are directories that runs were written to, of two versions of a
server as a rule. What the new one does, offers and is found to do that the old
one was not is told, and what is gone. How often something happened does not
count, and neither does what every program does.

Exit codes: 0 nothing new at or above --fail-on; 1 a new finding at or above
it, or one that became graver; 2 usage; 3 the new run was inconclusive.`,
		Example: "  mcpsf diff reports/old reports/new\n  mcpsf diff reports/old reports/new --format markdown --fail-on medium",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage(errors.New("diff needs two runs; try: mcpsf diff reports/<old> reports/<new>"))
			}
			return a.runDiff(cmd.Context(), args[0], args[1], &f)
		},
	}
	cmd.Flags().StringVar(&f.format, "format", string(compare.FormatText), "what to print: "+diffFormats())
	cmd.Flags().StringVar(&f.failOn, "fail-on", "high", "exit 1 from this severity on: low, medium, high, critical, never")
	return cmd
}

func (a *app) runDiff(ctx context.Context, older, newer string, f *diffFlags) error {
	if !slices.Contains(compare.All(), compare.Format(f.format)) {
		return usage(fmt.Errorf("--format is one of %s, not %q", diffFormats(), f.format))
	}
	if _, ok := gates()[f.failOn]; !ok {
		return usage(fmt.Errorf("--fail-on is low, medium, high, critical or never, not %q", f.failOn))
	}
	old, err := a.sideOf(ctx, older)
	if err != nil {
		return err
	}
	now, err := a.sideOf(ctx, newer)
	if err != nil {
		return err
	}
	c := compare.Runs(old, now)
	if err := compare.Write(a.stdout, compare.Format(f.format), c); err != nil {
		return err
	}
	introduced := &mcpsf.Report{Findings: c.Counting()}
	if now.Verdict.Band == mcpsf.BandInconclusive {
		introduced.Verdict = now.Verdict
	}
	return gate(introduced, f.failOn)
}

// sideOf is the report that an argument stands for.
func (a *app) sideOf(_ context.Context, arg string) (*mcpsf.Report, error) {
	r, err := report.Load(arg)
	if errors.Is(err, os.ErrNotExist) {
		return nil, usage(fmt.Errorf("%s is no stored run; assess it first: mcpsf assess %s --output DIR", report.Clean(arg), report.Clean(arg)))
	}
	return r, err
}

func diffFormats() string {
	var names []string
	for _, f := range compare.All() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}
