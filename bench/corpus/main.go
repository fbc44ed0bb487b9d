// Command corpus assesses the examples in the folder corpus with the binary of
// mcpsf, one after another, and compares what comes out with what the case
// files expect. A table goes to the standard output: what was proved, missed,
// or taken for something it is not, and why. Another one follows for the pairs
// of a vulnerable server and its fixed twin: how many were told apart.
//
//	go run ./bench/corpus                  from the top folder of the repository
//	go run ./bench/corpus -only dns        those whose name contains this
//	go run ./bench/corpus -mcpsf PATH      with another binary
//	go run ./bench/corpus -kept            look at the reports of the last run again
//	go run ./bench/corpus -table FILE      write the table of the pairs into a document
//
// It exits with 1 if anything did not come out as expected.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

type settings struct {
	corpus, mcpsf, reports, only, table string

	seed uint64
	kept bool
}

func parse(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("corpus", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.corpus, "corpus", "corpus", "the folder of examples")
	flags.StringVar(&s.mcpsf, "mcpsf", "bin/mcpsf", "the binary to try")
	flags.StringVar(&s.reports, "reports", "reports/corpus", "where reports and events are kept")
	flags.StringVar(&s.only, "only", "", "only examples whose name contains one of these, separated by commas")
	flags.StringVar(&s.table, "table", "", "a document that the table of the pairs is written into")
	flags.BoolVar(&s.kept, "kept", false, "run nothing; judge the reports that are there")
	flags.Uint64Var(&s.seed, "seed", 1, "seed of decoys and inputs")
	if err := flags.Parse(args); err != nil {
		return s, flag.ErrHelp
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("%q: there are only flags", flags.Arg(0))
	}
	return s, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	set, err := parse(args, stderr)
	if err != nil {
		return err
	}
	list, err := load(set.corpus)
	if err != nil {
		return err
	}
	binary, err := filepath.Abs(set.mcpsf)
	if err != nil {
		return err
	}
	if _, err := os.Stat(binary); err != nil && !set.kept {
		return fmt.Errorf("%s is not there; try: make build", set.mcpsf)
	}
	l := &lab{mcpsf: binary, temp: os.TempDir(), reports: set.reports, seed: set.seed}
	var results []*result
	for _, e := range list {
		if !chosen(e.Name, set.only) {
			continue
		}
		var r *result
		if set.kept {
			r = l.kept(e)
		} else if r, err = l.assess(ctx, e); err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		results = append(results, r)
		row(stdout, r)
	}
	pairs(stdout, results)
	if set.table != "" {
		if err := publish(set.table, results); err != nil {
			return err
		}
	}
	return total(stdout, results)
}

// chosen tells whether the name is among those that are asked for.
func chosen(name, only string) bool {
	for part := range strings.SplitSeq(only, ",") {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
