package reportcmd

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/acquire/source/clientconfig"
	"github.com/mcpsf/mcpsf/internal/judge/flows"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/report/flowchart"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// flowsFlags are the command line of flows.
type flowsFlags struct {
	format, failOn  string
	config, reports string
}

// Flows finds toxic flows between the servers of one agent.
func Flows(p *program.Program) *cobra.Command {
	var f flowsFlags
	cmd := &cobra.Command{
		Use:   "flows RUN...",
		Short: "Find toxic flows: untrusted input, private data and an exfiltration path together",
		Long: `RUN is the directory of a stored run, its report.json, or a directory with runs
in it; all of them together are the servers of one agent. An agent that reads
what strangers write, reaches private data and has a way out can be talked into
sending the second by the third. Told is which tools were seen to do which of
these, and which servers make a flow alone or together:

  open       the calls choose where text comes from and where it goes
  seen       all of it was seen; at least one end cannot be chosen
  declared   a part is only what a tool or its source says of itself

That is a property of powerful servers, honest ones too, and changes no verdict.

With --config the servers are those of a client's configuration, and --reports
is where their runs are looked for.

Exit codes: 0 nothing at or above --fail-on; 1 a flow that is; 2 usage; 3 no
such flow, but something was not looked at. Without --fail-on it is 0.`,
		Example: `  mcpsf flows reports/fetch reports/files
  mcpsf flows --config .mcp.json --reports reports --fail-on open
  mcpsf flows reports --format svg > flows.svg`,
		RunE: func(_ *cobra.Command, args []string) error { return runFlows(p, args, &f) },
	}
	cmd.Flags().StringVar(&f.format, "format", string(flowchart.FormatText), "output format: "+flowchart.Names())
	cmd.Flags().StringVar(&f.failOn, "fail-on", "never", "exit 1 for flows of this level or above: any, seen, open, never")
	cmd.Flags().StringVar(&f.config, "config", "", "client's configuration that names the servers")
	cmd.Flags().StringVar(&f.reports, "reports", "", "directory with runs of the servers in --config (./reports unless given)")
	return cmd
}

func runFlows(p *program.Program, args []string, f *flowsFlags) error {
	if !slices.Contains(flowchart.All(), flowchart.Format(f.format)) {
		return program.Usage(fmt.Errorf("--format is one of %s, not %q", flowchart.Names(), f.format))
	}
	if _, ok := flowGates()[f.failOn]; !ok && f.failOn != "never" {
		return program.Usage(fmt.Errorf("--fail-on is any, seen, open or never, not %q", f.failOn))
	}
	servers, err := flowServers(p, args, f)
	if err != nil {
		return err
	}
	g := flows.OfServers(servers...)
	if err := flowchart.Write(p.Stdout, flowchart.Format(f.format), g); err != nil {
		return err
	}
	return gateFlows(g, f.failOn)
}

// flowGates are the levels that --fail-on can name.
func flowGates() map[string]flows.Level {
	return map[string]flows.Level{"any": flows.Declared, "seen": flows.Seen, "open": flows.Open}
}

// gateFlows decides the exit code. A server that was not assessed counts
// neither as a flow nor as safe.
func gateFlows(g *flows.Graph, failOn string) error {
	limit, ok := flowGates()[failOn]
	switch {
	case !ok:
		return nil
	case g.Worst().Reaches(limit):
		return &program.Outcome{Code: program.ExitFindings}
	case g.Unsure():
		return &program.Outcome{Code: program.ExitInconclusive}
	}
	return nil
}

// flowServers are the servers of the agent: those of a configuration, or those
// of the named runs.
func flowServers(p *program.Program, args []string, f *flowsFlags) ([]flows.Named, error) {
	switch {
	case f.config == "" && f.reports != "":
		return nil, program.Usage(errors.New("--reports is where the runs of the servers in --config are; name runs without it"))
	case f.config == "" && len(args) == 0:
		return nil, program.Usage(errors.New("flows needs runs; try: mcpsf flows reports/fetch reports/files"))
	case f.config == "":
		return namedRuns(p.Stderr, args)
	}
	if f.reports == "" && len(args) == 0 {
		f.reports = "reports"
	}
	if f.reports != "" {
		args = append(slices.Clip(args), f.reports)
	}
	configured, err := clientconfig.Servers(f.config, clientconfig.Options{Seed: 1, Home: p.Getenv("HOME"), Path: p.Getenv("PATH")})
	if err != nil {
		return nil, err
	}
	var have []*mcpsf.Report
	for _, arg := range args {
		found, unread, err := report.Find(arg)
		if err != nil {
			return nil, err
		}
		for _, s := range unread[:min(len(unread), maxUnread)] {
			fmt.Fprintln(p.Stderr, s)
		}
		have = append(have, found...)
	}
	var wanted []flows.Wanted
	for _, s := range configured {
		wanted = append(wanted, flows.Wanted{Name: s.Name, Source: s.Target.Source, Problem: s.Problem})
	}
	return flows.Match(wanted, have), nil
}

// maxUnread bounds the lines about files that are no reports.
// no gap: bounds what a command shows or runs at once
const maxUnread = 10

// namedRuns are the runs that arguments name. A directory may have several runs
// of one server, of which the latest counts.
func namedRuns(stderr io.Writer, args []string) ([]flows.Named, error) {
	var servers []flows.Named
	for _, arg := range args {
		found, unread, err := report.Find(arg)
		if err != nil {
			return nil, err
		}
		kept, aside := flows.Newest(found)
		if aside > 0 {
			fmt.Fprintf(stderr, "%s has earlier runs of the same servers, which are left aside: %d\n", safetext.Clean(arg), aside)
		}
		for _, r := range kept {
			servers = append(servers, flows.Named{Report: r})
		}
		for _, s := range unread { // their server is unknown
			servers = append(servers, flows.Named{Name: "not readable", Missing: s})
		}
	}
	return servers, nil
}
