package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/remote"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Exit codes. They are part of the interface.
const (
	exitOK           = 0
	exitFindings     = 1
	exitUsage        = 2
	exitInconclusive = 3
	exitFailure      = 4
)

// app is what the commands share.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	// secrets must not be written anywhere.
	secrets *remote.Secrets
	// watch is told what an assessment does, instead of a terminal; nil: there
	// is nobody but the terminal.
	watch *listener
	// publicOnly is set if who names a source is not the user of this machine.
	publicOnly bool
}

// outcome is returned by a command that worked but whose answer asks for an
// exit code of its own.
type outcome struct{ code int }

func (o *outcome) Error() string { return fmt.Sprintf("exit %d", o.code) }

// run is the program without its process: nothing below it exits or reads the
// environment by itself.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, getenv func(string) string) int {
	a := &app{stdin: stdin, secrets: &remote.Secrets{}, stdout: stdout, stderr: stderr, getenv: getenv}
	root := a.root()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return a.exitCode(ctx, explain(root, root.ExecuteContext(ctx)))
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "mcpsf",
		Short: "Run an untrusted MCP server where it can do no harm and see what it does",
		Long: `mcpsf runs an untrusted MCP server inside an embedded gVisor sandbox, drives
it over MCP, records every action in the sandbox's kernel, ties each one to the
call that caused it, and says with evidence whether to let it near an agent.

No Docker, no root, no account.`,
		Example:       "  mcpsf assess ./my-server\n  mcpsf assess ./dir -- node server.js --verbose\n  mcpsf assess ./dir --format json --fail-on high",
		Version:       versionLine(),
		SilenceErrors: true,
		SilenceUsage:  true,
		// explain makes them, in one line.
		DisableSuggestions:         true,
		SuggestionsMinimumDistance: 2,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpCommand(help())
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage(flagError(cmd, err)) })
	root.AddCommand(a.assess(), a.scan(), a.source(), a.report(), a.diff(), a.policy(), a.flows(), a.verify(), a.keys())
	root.AddCommand(a.list(), a.show(), a.remove())
	root.AddCommand(a.detectors(), a.rules(), a.cache(), a.db(), a.doctor(), a.version())
	root.AddCommand(a.serve(), a.work(), a.job())
	return root
}

func usage(err error) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: err.Error()}
}

// exitCode is the one place that turns an error into a message and a code.
func (a *app) exitCode(ctx context.Context, err error) int {
	if err == nil {
		return exitOK
	}
	if o, ok := errors.AsType[*outcome](err); ok {
		return o.code
	}
	if ctx.Err() != nil {
		fmt.Fprintln(a.stderr, "mcpsf: interrupted; the sandbox and everything in it was removed")
		return exitFailure
	}
	fmt.Fprintln(a.stderr, "mcpsf: "+safetext.Clean(a.secrets.Hide(err.Error())))
	if _, ok := errors.AsType[*mcpsf.Error](err); !ok && isCobraUsage(err) {
		return exitUsage
	}
	switch mcpsf.ErrorCode(err) {
	case mcpsf.CodeUsage:
		return exitUsage
	default:
		return exitFailure
	}
}
