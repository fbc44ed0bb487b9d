// Command network measures the fake network: how many DNS queries, requests and
// bytes per second it handles, and how fast outgoing data is searched. It prints a
// table that compares every row with the simplest equivalent: the kernel's loopback
// and net/http for traffic, bytes.Index for searching.
//
//	go run ./bench/network           everything, about a minute
//	go run ./bench/network --json    the same with every single measurement
//
// No sandbox is needed: a network stack like the sandbox's is at the other end
// of the link. The two ways take turns, so that a busy moment of the machine
// affects both, and ratios are taken within a turn.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf/bench/command"
)

func main() {
	os.Exit(command.Run("network", func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	}))
}

// settings say how much is measured.
type settings struct {
	rounds int
	each   time.Duration
	only   string
	json   bool
}

func parse(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("network", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&s.rounds, "rounds", 5, "how often everything is measured; the table shows medians")
	flags.DurationVar(&s.each, "each", 500*time.Millisecond, "how long one measurement takes")
	flags.StringVar(&s.only, "only", "", "measure only this: dns, http, stream or matcher")
	flags.BoolVar(&s.json, "json", false, "print JSON with every measurement")
	if err := flags.Parse(args); err != nil {
		return s, flag.ErrHelp
	}
	if flags.NArg() > 0 || s.rounds < 1 || s.each <= 0 {
		return s, errors.New("there are only flags, and every count has to be at least 1")
	}
	if s.only != "" && !slices.ContainsFunc(parts(), func(p part) bool { return p.name == s.only }) {
		return s, fmt.Errorf("--only %q: there is no such part; use dns, http, stream or matcher", s.only)
	}
	return s, nil
}

// part is a group of rows that need the same.
type part struct {
	name string
	rows func(context.Context, *lab) ([]*row, error)
}

func parts() []part {
	return []part{{"dns", questions}, {"http", requests}, {"stream", streams}, {"matcher", searches}}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	set, err := parse(args, stderr)
	if err != nil {
		return err
	}
	l, err := newLab(ctx)
	if err != nil {
		return err
	}
	defer l.close()
	all := &results{
		Date: time.Now().UTC().Format(time.DateOnly), Rounds: set.rounds,
		Machine: fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
	}
	for _, p := range parts() {
		if set.only != "" && set.only != p.name {
			continue
		}
		rows, err := p.rows(ctx, l)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if err := r.measure(ctx, set.rounds, set.each); err != nil {
				return fmt.Errorf("%s: %w", r.Name, err)
			}
		}
		all.Rows = append(all.Rows, rows...)
	}
	if set.json {
		return all.writeJSON(stdout)
	}
	return all.writeTable(stdout)
}
