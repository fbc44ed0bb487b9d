package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/report/evidence"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

func (a *app) verify() *cobra.Command {
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
				return usage(fmt.Errorf("--format is text or json, not %q", format))
			}
			return a.runVerify(cmd.Context(), args[0], key, format == "json")
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "output format: text, json")
	cmd.Flags().StringVar(&key, "key", "", "public key (PEM) of the required signature")
	return cmd
}

func (a *app) runVerify(ctx context.Context, name, key string, asJSON bool) error {
	set, err := rules.Builtin()
	if err != nil {
		return fmt.Errorf("loading the built-in rules: %w", err)
	}
	opts := &evidence.VerifyOptions{Rules: set, Version: versionOf()}
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
		err = a.verifiedJSON(result)
	} else {
		a.verified(result)
	}
	if err == nil && !result.OK() {
		return &outcome{exitFindings}
	}
	return err
}

func (a *app) verified(r *evidence.Result) {
	for _, c := range r.Checks {
		fmt.Fprintf(a.stdout, "%-6s  %-10s  %s\n", c.Status, c.Name, safetext.Clean(c.Text))
	}
	failed, notes := r.Count(evidence.StatusFailed), r.Count(evidence.StatusNote)
	switch {
	case failed > 0:
		fmt.Fprintf(a.stdout, "\n%s, %s; do not rely on it\n", count(failed, "failure", "failures"), count(notes, "note", "notes"))
	default:
		fmt.Fprintf(a.stdout, "\nnothing contradicts itself, %s\n", count(notes, "note", "notes"))
	}
}

func (a *app) verifiedJSON(r *evidence.Result) error {
	doc := struct {
		OK bool `json:"ok"`
		*evidence.Result
	}{r.OK(), r}
	data, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the checks: %w", err)
	}
	_, err = fmt.Fprintln(a.stdout, asciiJSON(string(data)))
	return err
}
