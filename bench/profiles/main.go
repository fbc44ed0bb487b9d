// Command profiles measures how long an assessment takes, by profile, with
// everything in the cache, and what it gains by using several sandboxes at a
// time. The server is the reference server that has one of everything.
//
//	go run ./bench/profiles     from the top folder of the repository
//
// The first assessment fills a cache of the benchmark's own and needs the npm
// registry. The ways take turns; the ratio is taken within a turn.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/bench/command"
	"github.com/mcpsf/mcpsf/internal/acquire/cache"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/installation"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
	"github.com/mcpsf/mcpsf/internal/assess/progress"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

func main() {
	box.Dispatch()
	source := flag.String("source", "npm:@modelcontextprotocol/server-everything", "what to assess")
	turns := flag.Int("turns", 3, "how often each profile is measured; aggressive once")
	flag.Parse()
	os.Exit(command.Run("profiles", func(ctx context.Context) error {
		return measure(ctx, *source, *turns)
	}))
}

// way is one row of the table.
type way struct {
	profile plan.Profile
	// target is the promised time in seconds.
	target float64
}

func measure(ctx context.Context, source string, turns int) error {
	b, err := newBench(source)
	if err != nil {
		return err
	}
	defer b.close()
	fmt.Fprintln(os.Stderr, "installing")
	if _, _, err := b.assess(ctx, plan.Safe, 1); err != nil {
		return err
	}
	several := max(2, min(runtime.NumCPU(), 4))
	fmt.Printf("%-12s %10s %18s %8s %10s %8s\n", "profile", "one box", fmt.Sprintf("%d boxes at a time", several), "ratio", "calls/s", "target")
	for _, w := range []way{{plan.Safe, 5}, {plan.Balanced, 20}, {plan.Aggressive, 120}} {
		n := turns
		if w.profile == plan.Aggressive {
			n = 1
		}
		var alone, together, ratio, rate []float64
		for range n {
			a, _, err := b.assess(ctx, w.profile, 1)
			if err != nil {
				return err
			}
			t, calls, err := b.assess(ctx, w.profile, several)
			if err != nil {
				return err
			}
			alone, together, ratio, rate = append(alone, a), append(together, t), append(ratio, a/t), append(rate, float64(calls)/t)
		}
		met := "met"
		if median(together) > w.target {
			met = "MISSED"
		}
		fmt.Printf("%-12s %8.1f s %16.1f s %8.2f %10.1f %4.0f s %s\n",
			w.profile, median(alone), median(together), median(ratio), median(rate), w.target, met)
	}
	return nil
}

type bench struct {
	source, dir string
	cache       *cache.Cache
	registry    *registry.Client
	rules       *rules.Set
}

func newBench(source string) (*bench, error) {
	dir, err := os.MkdirTemp("", "mcpsf-profiles-")
	if err != nil {
		return nil, err
	}
	b := &bench{source: source, dir: dir}
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, err
	}
	if b.cache, err = cache.Open(filepath.Join(dir, "cache"), nil); err != nil {
		return nil, err
	}
	if b.rules, err = rules.Builtin(); err != nil {
		return nil, err
	}
	b.registry, err = registry.New(&registry.Options{
		Getenv: os.Getenv, Home: os.Getenv("HOME"), UserAgent: "mcpsf-bench", Logger: slog.New(slog.DiscardHandler),
	})
	return b, err
}

func (b *bench) close() {
	_ = b.cache.Close()
	_ = os.RemoveAll(b.dir)
}

// assess returns the seconds an assessment took and the calls it made.
func (b *bench) assess(ctx context.Context, profile plan.Profile, boxes int) (seconds float64, calls int, err error) {
	began := time.Now()
	result, err := assess.Assess(ctx, &assess.Options{
		Target: mcpsf.Target{Source: b.source}, Seed: 1, Profile: profile, Rules: b.rules,
		Sandbox: assess.Sandbox{Boxes: boxes, Wall: 5 * time.Minute, Linger: 2 * time.Second, Platform: "systrap"},
		Sources: installation.Sources{HostPath: os.Getenv("PATH"), Registry: b.registry, Cache: b.cache},
		Output:  assess.Output{Events: func(string) (io.WriteCloser, error) { return discard{}, nil }},
		Caller: assess.Caller{
			Progress: progress.Silent{}, Logger: slog.New(slog.DiscardHandler), Version: "bench", Now: time.Now, TempDir: filepath.Join(b.dir, "runs"),
		},
	})
	if err != nil {
		return 0, 0, err
	}
	if !result.Report.Session.Initialized {
		return 0, 0, fmt.Errorf("the server was not driven: %s", result.Report.Session.Ending)
	}
	for i := range result.Events {
		if e := &result.Events[i]; e.Kind == mcpsf.KindMCPRequest && e.MCP != nil && !e.MCP.FromServer {
			calls++
		}
	}
	return time.Since(began).Seconds(), calls, nil
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }
