// Command corpus assesses the examples in the folder corpus with the mcpsf
// binary, one after another, and compares the results with the case files. It
// prints a table of what was proved, missed or wrongly reported, and why; a table
// of the pairs of a vulnerable server and its fixed twin, and how many were told
// apart; the total figures; and a table of the source samples in corpus/static,
// which are read as by "mcpsf scan" and never run.
//
//	go run ./bench/corpus                  from the top folder of the repository
//	go run ./bench/corpus -only dns        those whose name contains this
//	go run ./bench/corpus -mcpsf PATH      with another binary
//	go run ./bench/corpus -kept            look at the reports of the last run again
//	go run ./bench/corpus -resume          go on with an interrupted run
//	go run ./bench/corpus -store DIR       keep the runs, to judge them again
//	go run ./bench/corpus -traces DIR      run nothing; judge the kept runs by today's rules
//	go run ./bench/corpus -traces DIR -store DIR
//	                                       pack the kept runs anew, with a new dictionary
//	go run ./bench/corpus -traces DIR -part 2/3
//	                                       run the second third; judge the kept runs of the rest
//	go run ./bench/corpus -repeat 20       assess each 20 times and compare
//	go run ./bench/corpus -load 8          assess each idle and beside 8 busy loops, and compare
//	go run ./bench/corpus -table FILE      write the table of the pairs into a document
//	go run ./bench/corpus -page FILE       write the figures as a document
//	go run ./bench/corpus -floors FILE     fail if a figure is worse than it says
//
// It exits with 1 if a figure is below its floor or, without floors, if
// any result is unexpected.
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
	"runtime"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sync/errgroup"

	"github.com/mcpsf/mcpsf/internal/static/code"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == busyLoop {
		spin()
		return
	}
	if len(os.Args) == 2 && os.Args[1] == readSource {
		if err := code.Child(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
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
	corpus, mcpsf, reports, only string
	store, traces                string
	table, page, floors          string

	part   part
	seed   uint64
	repeat int
	load   int
	kept   bool
	resume bool
}

func parse(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("corpus", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.corpus, "corpus", "corpus", "the folder of examples")
	flags.StringVar(&s.mcpsf, "mcpsf", "bin/mcpsf", "the binary to try")
	flags.StringVar(&s.reports, "reports", "reports/corpus", "where reports and events are kept")
	flags.StringVar(&s.only, "only", "", "only examples whose name contains one of these, separated by commas")
	flags.StringVar(&s.store, "store", "", "a folder to keep the runs in")
	flags.StringVar(&s.traces, "traces", "", "run nothing; judge the runs in this folder again")
	flags.StringVar(&s.table, "table", "", "a document that the table of the pairs is written into")
	flags.StringVar(&s.page, "page", "", "a document that is written with the figures")
	flags.StringVar(&s.floors, "floors", "", "a file of figures that must not get worse")
	share := flags.String("part", "", "with -traces: run this part of the examples, as in 2/3, and judge the kept runs of the others")
	flags.BoolVar(&s.kept, "kept", false, "run nothing; judge the reports that are there")
	flags.BoolVar(&s.resume, "resume", false, "take what the last run has finished from its reports, and run the rest")
	flags.IntVar(&s.repeat, "repeat", 0, "assess each so many times and compare")
	flags.IntVar(&s.load, "load", 0, "assess each idle and beside so many busy loops, and compare")
	flags.Uint64Var(&s.seed, "seed", 1, "seed of decoys and inputs")
	if err := flags.Parse(args); err != nil {
		return s, flag.ErrHelp
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("%q: there are only flags", flags.Arg(0))
	}
	var err error
	if s.part, err = parsePart(*share); err == nil && *share != "" && s.traces == "" {
		err = errors.New("-part needs -traces: the kept runs of the other parts")
	}
	return s, err
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
	list = slices.DeleteFunc(list, func(e *example) bool { return !chosen(e.Name, set.only) })
	if set.repeat > 0 {
		return repeat(ctx, &set, list, stdout)
	}
	if set.load > 0 {
		return underLoad(ctx, &set, list, stdout)
	}
	if set.traces != "" && set.store != "" && set.part.of == 1 {
		return repack(set.traces, set.store, list)
	}
	var results []*result
	switch {
	case set.part.of > 1:
		results, err = assessPart(ctx, &set, list, stdout)
	case set.traces != "":
		results, err = rejudge(set.traces, list, stdout)
	default:
		results, err = assessOne(ctx, &set, list, stdout)
	}
	if err != nil {
		return err
	}
	pairs(stdout, results)
	figures := summarise(stdout, results)
	purchases := summariseIntegrity(stdout, results)
	samples, err := readSamples(ctx, filepath.Join(set.corpus, staticDir), set.only)
	if err != nil {
		return err
	}
	source := summariseSource(stdout, samples)
	if err := set.write(results, samples); err != nil {
		return err
	}
	if set.floors == "" {
		return total(stdout, results)
	}
	floors, err := readFloors(set.floors)
	if err != nil {
		return err
	}
	return errors.Join(floors.hold(figures), floors.holdSource(source), floors.holdIntegrity(purchases))
}

// write writes the results into the documents that were asked for.
func (s *settings) write(results []*result, samples []*sample) error {
	if s.table != "" {
		if err := publish(s.table, results); err != nil {
			return err
		}
	}
	if s.page != "" {
		return writePage(s.page, page(results)+sourcePage(samples))
	}
	return nil
}

// assessOne runs one example after another.
func assessOne(ctx context.Context, set *settings, list []*example, stdout io.Writer) ([]*result, error) {
	binary, err := filepath.Abs(set.mcpsf)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(binary); err != nil && !set.kept {
		return nil, fmt.Errorf("%s is not there; try: make build", set.mcpsf)
	}
	l := &lab{mcpsf: binary, temp: os.TempDir(), reports: set.reports, seed: set.seed}
	if !set.kept && !set.resume {
		if err := l.begin(list); err != nil {
			return nil, err
		}
	}
	var results []*result
	for _, e := range list {
		var r *result
		if set.kept || set.resume && l.finished(e) {
			r = l.kept(e)
		} else if r, err = l.assess(ctx, e); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name, err)
		}
		if set.store != "" && r.band != "" {
			if err := l.keep(set.store, e); err != nil {
				return nil, fmt.Errorf("%s: keeping the run: %w", e.Name, err)
			}
		}
		results = append(results, r)
		row(stdout, r)
	}
	return results, nil
}

// rejudge judges the kept runs, and prints those with an unexpected result.
func rejudge(dir string, list []*example, stdout io.Writer) ([]*result, error) {
	shelf, err := newShelf(dir)
	if err != nil {
		return nil, err
	}
	all := len(list)
	list = slices.DeleteFunc(list, func(e *example) bool { return !shelf.has(e.Name) })
	if missing := all - len(list); missing > 0 {
		fmt.Fprintf(stdout, "%d of %d have no kept run and are left out\n", missing, all)
	}
	results := make([]*result, len(list))
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for i, e := range list {
		group.Go(func() error { results[i] = shelf.judge(e); return nil })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, r := range results {
		if !r.outcome.good() {
			row(stdout, r)
		}
	}
	return results, nil
}

// chosen tells whether the name is selected.
func chosen(name, only string) bool {
	for part := range strings.SplitSeq(only, ",") {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
