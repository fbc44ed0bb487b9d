package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/internal/report"
)

// printFlags say what of a run is printed.
type printFlags struct {
	format           string
	details, explain bool
}

func (f *printFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", string(report.FormatSummary), "output format: "+formats())
	flags.BoolVar(&f.details, "details", false, "show everything: evidence, timeline, coverage and limits")
}

// addExplain defines the flag of the commands that run a server.
func (f *printFlags) addExplain(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.explain, "explain", false, "show why each access was allowed (with --details)")
}

// settle takes --details and --explain as the format that has what they ask for.
func (f *printFlags) settle() error {
	if !f.details && !f.explain {
		return nil
	}
	switch report.Format(f.format) {
	case report.FormatSummary, report.FormatTimeline:
		f.format = string(report.FormatTimeline)
		return nil
	}
	if f.details {
		return usage(errors.New("--details is for the terminal; --format " + f.format + " has all details already"))
	}
	return nil
}
