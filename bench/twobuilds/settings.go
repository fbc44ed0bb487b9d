// Package twobuilds assesses servers with two builds of mcpsf, one after another,
// for benchmarks that show what a change did.
//
// In: two binaries, the sources of servers and a folder with the results of
// earlier runs. Out: for each server the result of either build.
package twobuilds

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/atomicfile"
)

// Settings say what is run and where the files are.
type Settings struct {
	// List, Work and Page are the files: the servers, the folder of the results and
	// the page, which is printed if it is "".
	List, Work, Page string
	// Before and After are the binaries. A file that ends in .jsonl has the results
	// of a binary, made elsewhere; it is not run.
	Before, After string
	// Only selects the servers whose source contains one of these, separated by
	// commas.
	Only string
	// Profile and Timeout are those of the assessments.
	Profile string
	Timeout time.Duration
	// Render is set if nothing is to be run.
	Render bool
}

// Parse reads the flags of a benchmark; s has the defaults.
func (s *Settings) Parse(name string, args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.List, "list", s.List, "the servers")
	flags.StringVar(&s.Before, "before", s.Before, "the binary to compare with, or a .jsonl file with its results")
	flags.StringVar(&s.After, "after", s.After, "the binary to try, or a .jsonl file with its results")
	flags.StringVar(&s.Work, "work", s.Work, "the folder for results and reports")
	flags.StringVar(&s.Page, "page", s.Page, "a file for the page; printed if empty")
	flags.StringVar(&s.Only, "only", s.Only, "only servers whose source contains one of these, separated by commas")
	flags.StringVar(&s.Profile, "profile", s.Profile, "the profile of the assessments")
	flags.DurationVar(&s.Timeout, "timeout", s.Timeout, "how long a server may be driven")
	flags.BoolVar(&s.Render, "render", s.Render, "run nothing, only write the page")
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%q: there are only flags", flags.Arg(0))
	}
	if s.Before == "" || s.After == "" {
		return errors.New("-before and -after name the two binaries")
	}
	return nil
}

// chosen tells whether a source is selected.
func (s *Settings) chosen(source string) bool {
	return slices.ContainsFunc(strings.Split(s.Only, ","), func(part string) bool { return strings.Contains(source, part) })
}

// Write writes the page.
func (s *Settings) Write(text string, stdout io.Writer) error {
	if s.Page == "" {
		_, err := io.WriteString(stdout, text)
		return err
	}
	return atomicfile.Write(s.Page, []byte(text), 0o644)
}
