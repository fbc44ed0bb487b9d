package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/assesscmd"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/jobcmd"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/machinecmd"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/reportcmd"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/rulescmd"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/savedcmd"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/servicecmd"
	"github.com/mcpsf/mcpsf/internal/drive/remote"
)

// run is the program without its process: nothing below it exits or reads the
// environment by itself.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, getenv func(string) string) int {
	p := &program.Program{
		Stdin: stdin, Stdout: stdout, Stderr: stderr, Getenv: getenv, Secrets: &remote.Secrets{}, Version: program.VersionOf(version),
	}
	root := newRoot(p)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return p.ExitCode(ctx, explain(root, root.ExecuteContext(ctx)))
}

// newRoot is mcpsf with all its commands.
func newRoot(p *program.Program) *cobra.Command {
	root := &cobra.Command{
		Use:   "mcpsf",
		Short: "Run an untrusted MCP server where it can do no harm and see what it does",
		Long: `mcpsf runs an untrusted MCP server inside an embedded gVisor sandbox, drives
it over MCP, records every action in the sandbox's kernel, ties each one to the
call that caused it, and says with evidence whether to let it near an agent.

No Docker, no root, no account.`,
		Example:       "  mcpsf assess ./my-server\n  mcpsf assess ./dir -- node server.js --verbose\n  mcpsf assess ./dir --format json --fail-on high",
		Version:       p.VersionLine(),
		SilenceErrors: true,
		SilenceUsage:  true,
		// explain suggests commands, in one line.
		DisableSuggestions:         true,
		SuggestionsMinimumDistance: 2,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpCommand(help())
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return program.Usage(flagError(cmd, err)) })
	root.AddCommand(assesscmd.Assess(p, nil), assesscmd.Scan(p, nil), assesscmd.ReadSource(p))
	root.AddCommand(reportcmd.Report(p), reportcmd.Diff(p), reportcmd.Policy(p), reportcmd.Flows(p), reportcmd.Verify(p), reportcmd.Keys(p))
	root.AddCommand(savedcmd.List(p), savedcmd.Show(p), savedcmd.Delete(p))
	root.AddCommand(rulescmd.Detectors(p), rulescmd.Rules(p))
	root.AddCommand(machinecmd.Cache(p), machinecmd.DB(p), machinecmd.Doctor(p), machinecmd.Version(p))
	root.AddCommand(servicecmd.Serve(p), servicecmd.Worker(p), jobcmd.Job(p))
	return root
}
