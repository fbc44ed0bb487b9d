package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

func (a *app) rules() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "Check rule files and run their tests",
		Long: `A rule is one YAML file with tests in it; docs/adding-a-rule.md tells how to
write one. assess --rules DIR uses those of a directory beside the built-in
ones.

Exit code 1 says that something is wrong with the files.`,
		Example: "  mcpsf rules lint ./rules\n  mcpsf rules test ./rules",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Errorf("rules has no command %q; it has lint and test", args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		a.checkRules("lint", "Check the files, without running their tests", func(*rules.Set) (string, error) {
			return "no problem", nil
		}),
		a.checkRules("test", "Check the files and run the tests inside them", func(s *rules.Set) (string, error) {
			return "all passed", s.Test()
		}),
	)
	return cmd
}

// checkRules is a command that looks at folders of rules.
func (a *app) checkRules(name, short string, check func(*rules.Set) (string, error)) *cobra.Command {
	return &cobra.Command{
		Use:   name + " DIR...",
		Short: short,
		RunE: func(_ *cobra.Command, dirs []string) error {
			if len(dirs) == 0 {
				return usage(fmt.Errorf("rules %s needs a directory; try: mcpsf rules %s ./rules", name, name))
			}
			all, err := rules.Builtin()
			if err != nil {
				return fmt.Errorf("loading the built-in rules: %w", err)
			}
			wrong := false
			for _, dir := range dirs {
				set, err := loadRules(dir)
				good := ""
				if err == nil {
					good, err = check(set)
				}
				if err == nil {
					err = add(&all, set)
				}
				if problems, ok := errors.AsType[*rules.BrokenError](err); ok {
					tellProblems(a.stdout, dir, problems)
					wrong = true
					continue
				}
				if err != nil {
					return err
				}
				fmt.Fprintf(a.stdout, "%s: %s, %s, %s\n", safetext.Clean(dir), count(len(set.Rules()), "rule", "rules"), count(set.Tests(), "test", "tests"), good)
			}
			if wrong {
				return &outcome{exitFindings}
			}
			return nil
		},
	}
}

// ruleSet are the built-in rules and those of the user's folders; of them the
// detectors that are named, or all if none is.
func (a *app) ruleSet(dirs, detectors []string) (*rules.Set, error) {
	set, err := rules.Builtin()
	if err != nil {
		return nil, fmt.Errorf("loading the built-in rules: %w", err)
	}
	for _, dir := range dirs {
		own, err := loadRules(dir)
		if err == nil {
			err = add(&set, own)
		}
		if problems, ok := errors.AsType[*rules.BrokenError](err); ok {
			tellProblems(a.stderr, dir, problems)
			return nil, usage(fmt.Errorf("--rules %s has %s; fix them and try again", dir, count(len(problems.Problems), "problem", "problems")))
		}
		if err != nil {
			return nil, err
		}
	}
	if len(detectors) == 0 {
		return set, nil
	}
	return set.Only(detectors)
}

func loadRules(dir string) (*rules.Set, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, usage(fmt.Errorf("%s is not a directory with rules in it", dir))
	}
	set, err := rules.Load(os.DirFS(dir))
	if err != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: dir, Err: err}
	}
	return set, nil
}

// add puts the rules of a folder beside the others.
func add(all **rules.Set, own *rules.Set) error {
	both, err := (*all).With(own)
	if err == nil {
		*all = both
	}
	return err
}

// tellProblems writes one problem a line, each with its file and line.
func tellProblems(w io.Writer, dir string, broken *rules.BrokenError) {
	for _, problem := range broken.Problems {
		fmt.Fprintln(w, safetext.Clean(strings.TrimSuffix(dir, "/")+"/"+problem.Error()))
	}
}
