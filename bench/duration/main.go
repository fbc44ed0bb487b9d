// Command duration compares how long two builds of mcpsf take for the same
// assessments, with everything in the cache.
//
//	go run ./bench/duration -before OLD -after NEW [-profile balanced] [-turns 3] [SOURCE...]
//
// The builds take turns, and the ratio is taken within a turn, so that a machine
// that grows slower slows both. The first assessment of each build fills its cache
// and does not count.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf/bench/binary"
	"github.com/mcpsf/mcpsf/bench/command"
)

func main() {
	os.Exit(command.Run("duration", func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout)
	}))
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("duration", flag.ContinueOnError)
	before := flags.String("before", "", "the first binary")
	after := flags.String("after", "", "the second binary; without it, the repository in the current directory is built")
	profile := flags.String("profile", "balanced", "the profile of the assessments")
	turns := flags.Int("turns", 3, "how often each build assesses each source")
	if err := flags.Parse(args); err != nil {
		return err
	}
	sources := flags.Args()
	if len(sources) == 0 {
		sources = []string{"npm:@modelcontextprotocol/server-everything"}
	}
	if *before == "" || *turns < 1 {
		return errors.New("give a binary with -before, and at least one turn")
	}
	var builds [2]*binary.Binary
	for i, path := range []string{*before, *after} {
		b, err := binary.New(ctx, "duration", path, os.Environ())
		if err != nil {
			return err
		}
		defer b.Close()
		builds[i] = b
	}
	fmt.Fprintf(out, "%-50s %9s %9s %7s %15s\n", "source, median seconds", "before", "after", "ratio", "attacks")
	for _, source := range sources {
		if err := compare(ctx, out, builds, source, *profile, *turns); err != nil {
			return fmt.Errorf("%s: %w", source, err)
		}
	}
	return nil
}

func compare(ctx context.Context, out io.Writer, builds [2]*binary.Binary, source, profile string, turns int) error {
	var took [2][]float64
	var attacks [2]int
	var ratios []float64
	for turn := range turns + 1 {
		var now [2]float64
		for i, b := range builds {
			var err error
			if now[i], attacks[i], err = assess(ctx, b, source, profile); err != nil {
				return err
			}
		}
		if turn == 0 {
			continue
		}
		took[0], took[1] = append(took[0], now[0]), append(took[1], now[1])
		ratios = append(ratios, now[1]/now[0])
	}
	_, err := fmt.Fprintf(out, "%-50s %7.1f s %7.1f s %7.2f %7d %7d\n", source,
		median(took[0]), median(took[1]), median(ratios), attacks[0], attacks[1])
	return err
}

// assess returns the seconds of an assessment and the attacks it made.
func assess(ctx context.Context, b *binary.Binary, source, profile string) (seconds float64, attacks int, err error) {
	dir := filepath.Join(b.Dir, "report")
	defer os.RemoveAll(dir)
	began := time.Now()
	said, status, err := b.Exit(ctx, nil, "assess", source, "--profile", profile, "--output", dir)
	seconds = time.Since(began).Seconds()
	if err != nil {
		return 0, 0, err
	}
	report, err := binary.Report(filepath.Join(dir, "report.json"))
	if err != nil {
		return 0, 0, fmt.Errorf("exit status %d: %w\n%s", status, err, said)
	}
	if !report.Session.Initialized {
		return 0, 0, fmt.Errorf("the server was not driven: %s", report.Session.Ending)
	}
	if report.Coverage.Attacks != nil {
		attacks = report.Coverage.Attacks.Made
	}
	return seconds, attacks, nil
}

func median(list []float64) float64 {
	return slices.Sorted(slices.Values(list))[len(list)/2]
}
