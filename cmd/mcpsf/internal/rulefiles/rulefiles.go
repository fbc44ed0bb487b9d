// Package rulefiles loads the rules that commands judge by.
//
// In: directories with the user's own rules. Out: these and the built-in rules
// as one set, or the problems in the files, a line each.
package rulefiles

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// All are the built-in rules and those of the user's directories, limited to
// the named detectors if there are any. Problems in files go to stderr.
func All(stderr io.Writer, dirs, detectors []string) (*rules.Set, error) {
	set, err := Builtin()
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		own, err := Load(dir)
		if err == nil {
			set, err = set.With(own)
		}
		if problems, ok := errors.AsType[*rules.BrokenError](err); ok {
			PrintProblems(stderr, dir, problems)
			return nil, program.Usage(fmt.Errorf("--rules %s has %s; fix them and try again", dir, wording.Count(len(problems.Problems), "problem")))
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

// Builtin are the rules that come with mcpsf.
func Builtin() (*rules.Set, error) {
	set, err := rules.Builtin()
	if err != nil {
		return nil, fmt.Errorf("loading the built-in rules: %w", err)
	}
	return set, nil
}

// Load reads the rules of a directory.
func Load(dir string) (*rules.Set, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, program.Usage(fmt.Errorf("%s is not a directory with rules in it", dir))
	}
	set, err := rules.Load(os.DirFS(dir))
	if err != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: dir, Err: err}
	}
	return set, nil
}

// PrintProblems writes one problem per line, with its file and line.
func PrintProblems(w io.Writer, dir string, broken *rules.BrokenError) {
	for _, problem := range broken.Problems {
		fmt.Fprintln(w, safetext.Clean(strings.TrimSuffix(dir, "/")+"/"+problem.Error()))
	}
}
