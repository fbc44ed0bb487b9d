package runresult

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/report"
)

// Print holds the flags that choose what is printed of a run.
type Print struct {
	Format           string
	Details, Explain bool
}

// Register defines the flags that every command with a report has.
func (p *Print) Register(flags *pflag.FlagSet) {
	flags.StringVar(&p.Format, "format", string(report.FormatSummary), "output format: "+Formats())
	flags.BoolVar(&p.Details, "details", false, "show everything: evidence, timeline, coverage and limits")
}

// RegisterExplain defines the flag of the commands that run a server.
func (p *Print) RegisterExplain(flags *pflag.FlagSet) {
	flags.BoolVar(&p.Explain, "explain", false, "show why each access was allowed (with --details)")
}

// Check refuses an unknown format, and maps --details and --explain to their
// formats.
func (p *Print) Check() error {
	if !slices.Contains(report.All(), report.Format(p.Format)) {
		return program.Usage(fmt.Errorf("--format is one of %s, not %q", Formats(), p.Format))
	}
	if !p.Details && !p.Explain {
		return nil
	}
	switch report.Format(p.Format) {
	case report.FormatSummary, report.FormatTimeline:
		p.Format = string(report.FormatTimeline)
		return nil
	}
	if p.Details {
		return program.Usage(errors.New("--details is for the terminal; --format " + p.Format + " has all details already"))
	}
	return nil
}

// Formats names all formats of a report.
func Formats() string {
	var names []string
	for _, f := range report.All() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}
