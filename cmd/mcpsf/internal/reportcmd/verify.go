package reportcmd

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/rulefiles"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/report/evidence"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Verify verifies the evidence of a run and its findings.
func Verify(p *program.Program) *cobra.Command {
	var format, key string
	cmd := &cobra.Command{
		Use:   "verify FILE|DIR",
		Short: "Verify the evidence of a run and its findings",
		Long: `FILE is an evidence.tar.zst, DIR the directory of a run. Every hash is computed
again, the events are read and judged once more, and what the report says is
compared with them. Nothing is unpacked, nothing is run.

A statement that was signed is looked for beside the bundle. With --key it must
be there and signed with that key; without, anybody may have made all of it.

Exit codes: 0 nothing contradicts itself; 1 something does, a line for each; 2
usage. A note is something that could not be checked.`,
		Example: "  mcpsf verify reports/20260101-120000-1a2b3c4d\n  mcpsf verify evidence.tar.zst --key signer.pub",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return program.Usage(fmt.Errorf("--format is text or json, not %q", format))
			}
			return runVerify(cmd.Context(), p, args[0], key, format == "json")
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "output format: text, json")
	cmd.Flags().StringVar(&key, "key", "", "public key (PEM) of the required signature")
	return cmd
}

func runVerify(ctx context.Context, p *program.Program, name, key string, asJSON bool) error {
	set, err := rulefiles.Builtin()
	if err != nil {
		return err
	}
	opts := &evidence.VerifyOptions{Rules: set, Version: p.Version, Render: report.Again}
	if key != "" {
		if opts.Key, err = evidence.LoadPublicKey(key); err != nil {
			return err
		}
	}
	result, err := evidence.Verify(ctx, name, opts)
	if err != nil {
		return err
	}
	if asJSON {
		err = printChecksJSON(p.Stdout, result)
	} else {
		printChecks(p.Stdout, result)
	}
	if err == nil && !result.OK() {
		return &program.Outcome{Code: program.ExitFindings}
	}
	return err
}

func printChecks(out io.Writer, r *evidence.Result) {
	for _, c := range r.Checks {
		fmt.Fprintf(out, "%-6s  %-10s  %s\n", c.Status, c.Name, safetext.Clean(c.Text))
	}
	failed, notes := r.Count(evidence.StatusFailed), r.Count(evidence.StatusNote)
	switch {
	case failed > 0:
		fmt.Fprintf(out, "\n%s, %s; do not rely on it\n", wording.Count(failed, "failure"), wording.Count(notes, "note"))
	default:
		fmt.Fprintf(out, "\nnothing contradicts itself, %s\n", wording.Count(notes, "note"))
	}
}

func printChecksJSON(out io.Writer, r *evidence.Result) error {
	doc := struct {
		OK bool `json:"ok"`
		*evidence.Result
	}{r.OK(), r}
	data, err := safetext.JSON(doc)
	if err != nil {
		return fmt.Errorf("writing the checks: %w", err)
	}
	_, err = out.Write(data)
	return err
}
