// Command added measures what the fake network, and the hooks that record which
// variables are read, cost a run that does not use them. It prints a table of the
// same assessment with and without each.
//
//	go run ./bench/added              nine rounds
//	go run ./bench/added -rounds 21
//
// The ways take turns, so that a busy moment of the machine affects all of them,
// and differences are taken within a turn.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/bench/command"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/installation"
	"github.com/mcpsf/mcpsf/internal/assess/internet"
	"github.com/mcpsf/mcpsf/internal/assess/progress"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

func main() {
	box.Dispatch() // this binary is the sandbox's processes, too
	rounds := flag.Int("rounds", 9, "how often everything is measured; the table shows medians")
	flag.Parse()
	os.Exit(command.Run("added", func(ctx context.Context) error {
		return run(ctx, max(*rounds, 1), os.Stdout)
	}))
}

// way is one setting of the assessment.
type way struct {
	name, network string
	noHooks       bool
}

func run(ctx context.Context, rounds int, w io.Writer) error {
	ways := []way{
		{"no network, no hooks", "none", true},
		{"no network", "none", false},
		{"everything", "sinkhole", false},
	}
	dir, err := os.MkdirTemp("", "mcpsf-added-")
	if err != nil {
		return fmt.Errorf("making a place for the runs: %w", err)
	}
	defer os.RemoveAll(dir)
	set, err := rules.Builtin()
	if err != nil {
		return err
	}
	took := make([][]float64, len(ways))
	for round := range rounds + 1 {
		for i, way := range ways {
			seconds, err := way.assess(ctx, dir, set)
			if err != nil {
				return fmt.Errorf("%s: %w", way.name, err)
			}
			if round > 0 { // the first one warms up
				took[i] = append(took[i], seconds)
			}
		}
	}
	fmt.Fprintf(w, "%-24s %10s %14s %8s\n", "examples/notes-node", "seconds", "more than", "ratio")
	fmt.Fprintf(w, "%-24s %10s %14s %8s\n", "", "", "the row above", "")
	for i, way := range ways {
		fmt.Fprintf(w, "%-24s %10.3f", way.name, median(took[i]))
		if i > 0 {
			var more, ratio []float64
			for n := range took[i] {
				more = append(more, took[i][n]-took[i-1][n])
				ratio = append(ratio, took[i][n]/took[i-1][n])
			}
			fmt.Fprintf(w, " %11.0f ms %8.2f", 1000*median(more), median(ratio))
		}
		fmt.Fprintln(w)
	}
	return nil
}

func (y way) assess(ctx context.Context, dir string, set *rules.Set) (float64, error) {
	network, err := internet.ParseMode(y.network, true)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	r, err := assess.Assess(ctx, &assess.Options{
		Target: mcpsf.Target{Source: "examples/notes-node"}, Seed: 1, Rules: set, Network: network,
		Sandbox: assess.Sandbox{Wall: time.Minute, Platform: "systrap", NoEnvHooks: y.noHooks},
		Sources: installation.Sources{HostPath: os.Getenv("PATH")},
		Output:  assess.Output{Events: func(string) (io.WriteCloser, error) { return nothing{}, nil }},
		Caller: assess.Caller{
			Progress: progress.Silent{}, Logger: slog.New(slog.DiscardHandler), Version: "bench", Now: time.Now, TempDir: filepath.Join(dir, "runs"),
		},
	})
	if err == nil && !r.Report.Session.Initialized {
		err = errors.New("the server did not start")
	}
	return time.Since(began).Seconds(), err
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}

type nothing struct{}

func (nothing) Write(p []byte) (int, error) { return len(p), nil }
func (nothing) Close() error                { return nil }
