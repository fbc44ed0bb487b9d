package rulescmd

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/rulefiles"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Detectors lists the rules.
func Detectors(p *program.Program) *cobra.Command {
	var asJSON bool
	var own []string
	cmd := &cobra.Command{
		Use:   "detectors",
		Short: "List the detectors with id, severity, grade, title and taxonomy ids",
		Long: `Each detector is a rule. assess uses all of them, or those that --detectors
names; rules of your own come beside them with --rules, here as there.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			set, err := rulefiles.All(p.Stderr, own, nil)
			if err != nil {
				return err
			}
			if asJSON {
				return detectorsJSON(p.Stdout, set)
			}
			for _, r := range set.Rules() {
				head := fmt.Sprintf("%-26s %-8s %-9s ", r.ID, r.Severity, r.Grade)
				hang(p.Stdout, head, safetext.Clean(r.Title))
				hang(p.Stdout, strings.Repeat(" ", 27), taxonomy(r.Maps))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringArrayVar(&own, "rules", nil, "directory with your own rules; repeatable")
	return cmd
}

// hang writes s behind head, wrapped at 80 columns with a hanging indent.
func hang(out io.Writer, head, s string) {
	const width = 80
	line, indent := head, strings.Repeat(" ", len(head))
	for word := range strings.FieldsSeq(s) {
		if len(line) > len(indent) && len(line)+len(word) > width {
			fmt.Fprintln(out, strings.TrimRight(line, " "))
			line = indent
		}
		line += word + " "
	}
	if line != indent {
		fmt.Fprintln(out, strings.TrimRight(line, " "))
	}
}

func detectorsJSON(out io.Writer, set *rules.Set) error {
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	if err := enc.Encode(set.Rules()); err != nil {
		return fmt.Errorf("writing the detectors: %w", err)
	}
	return nil
}

func taxonomy(m mcpsf.Maps) string {
	var ids []string
	for _, list := range [][]string{m.OWASPMCP, m.CWE, m.ATTACK, m.ATLAS, m.SAFEMCP} {
		ids = append(ids, list...)
	}
	return strings.Join(ids, " ")
}
