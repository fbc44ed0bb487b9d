package rulescmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/rulefiles"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Rules checks rule files, runs the tests inside them, and explains why a rule
// fired or not.
func Rules(p *program.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "Check rule files, run the tests inside them, explain what a rule saw",
		Long: `A rule is one YAML file with tests in it; docs/adding-a-rule.md tells how to
write one. assess --rules DIR uses those of a directory beside the built-in
ones.

Exit code 1 says that something is wrong with the files.`,
		Example: "  mcpsf rules lint ./rules\n  mcpsf rules test ./rules\n  mcpsf rules explain ssrf reports/<run>",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return program.Usage(fmt.Errorf("rules has no command %q; it has lint, test and explain", args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		checkRules(p, "lint", "Check the files, without running their tests", func(*rules.Set) (string, error) {
			return "no problem", nil
		}),
		checkRules(p, "test", "Check the files and run the tests inside them", func(s *rules.Set) (string, error) {
			return "all passed", s.Test()
		}),
		explain(p),
	)
	return cmd
}

// checkRules is a command that checks folders of rules.
func checkRules(p *program.Program, name, short string, check func(*rules.Set) (string, error)) *cobra.Command {
	return &cobra.Command{
		Use:   name + " DIR...",
		Short: short,
		RunE: func(_ *cobra.Command, dirs []string) error {
			if len(dirs) == 0 {
				return program.Usage(fmt.Errorf("rules %s needs a directory; try: mcpsf rules %s ./rules", name, name))
			}
			all, err := rulefiles.Builtin()
			if err != nil {
				return err
			}
			wrong := false
			for _, dir := range dirs {
				set, err := rulefiles.Load(dir)
				good := ""
				if err == nil {
					good, err = check(set)
				}
				if err == nil {
					all, err = beside(all, set)
				}
				if problems, ok := errors.AsType[*rules.BrokenError](err); ok {
					rulefiles.PrintProblems(p.Stdout, dir, problems)
					wrong = true
					continue
				}
				if err != nil {
					return err
				}
				fmt.Fprintf(p.Stdout, "%s: %s, %s, %s\n", safetext.Clean(dir), wording.Count(len(set.Rules()), "rule"), wording.Count(set.Tests(), "test"), good)
			}
			if wrong {
				return &program.Outcome{Code: program.ExitFindings}
			}
			return nil
		},
	}
}

// beside adds the rules of a directory to the others, which stay unchanged if
// that fails.
func beside(all, own *rules.Set) (*rules.Set, error) {
	both, err := all.With(own)
	if err != nil {
		return all, err
	}
	return both, nil
}
