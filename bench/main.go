// Command bench measures what the sandbox costs. It runs the example servers and a
// program that only makes system calls in three ways, and prints a table that
// compares them: natively, in gVisor without our observer, and in gVisor with it.
//
//	go run ./bench            from the top folder of the repository
//	go run ./bench --json     the same with every single measurement
//
// The ways take turns, so that a busy moment of the machine affects all of
// them, and ratios are taken within a turn. docs/benchmarks.md explains the rows.
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
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

func main() {
	box.Dispatch() // this binary is the sandbox's processes, too
	os.Exit(command.Run("bench", func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Getenv)
	}))
}

// settings say how much is measured.
type settings struct {
	rounds int
	calls  int
	preads int
	opens  int
	only   string
	json   bool
}

func parse(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&s.rounds, "rounds", 7, "how often everything is measured; the table shows medians")
	flags.IntVar(&s.calls, "calls", 2000, "tool calls per measurement")
	flags.IntVar(&s.preads, "preads", 200_000, "one-byte reads per measurement")
	flags.IntVar(&s.opens, "opens", 20_000, "opened files per measurement")
	flags.StringVar(&s.only, "only", "", "measure only this: start, calls or syscalls")
	flags.BoolVar(&s.json, "json", false, "print JSON with every measurement")
	if err := flags.Parse(args); err != nil {
		return s, flag.ErrHelp
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("%q: there are only flags", flags.Arg(0))
	}
	if min(s.rounds, s.calls, s.preads, s.opens) < 1 {
		return s, errors.New("every count has to be at least 1")
	}
	if s.only != "" && !slices.ContainsFunc(parts(), func(p part) bool { return p.name == s.only }) {
		return s, fmt.Errorf("--only %q: there is no such part; use start, calls or syscalls", s.only)
	}
	return s, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer, getenv func(string) string) error {
	set, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if runtime.GOOS != "linux" {
		return errors.New("unavailable: the local sandbox needs Linux")
	}
	l, err := newLab(ctx, set, getenv("PATH"), os.TempDir(), stderr)
	if err != nil {
		return err
	}
	defer l.close()

	results := &results{Date: time.Now().UTC().Format(time.DateOnly), Machine: machine(), Rounds: set.rounds}
	for _, p := range parts() {
		if set.only != "" && set.only != p.name {
			continue
		}
		rows, err := p.measure(ctx, l)
		switch {
		case ctx.Err() != nil:
			return errors.New("interrupted")
		case err != nil:
			return err
		}
		for _, r := range rows {
			r.finish()
		}
		results.Rows = append(results.Rows, rows...)
	}
	if set.json {
		return results.writeJSON(stdout)
	}
	return results.writeTable(stdout)
}

// part is a group of measurements made together.
type part struct {
	name    string
	measure func(context.Context, *lab) ([]*row, error)
}

func parts() []part { return []part{{"start", start}, {"calls", calls}, {"syscalls", syscalls}} }

func machine() string {
	return fmt.Sprintf("%s/%s, %d processors, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), kernel())
}

func kernel() string {
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return "unknown kernel"
	}
	return "kernel " + string(release[:max(len(release)-1, 0)])
}
