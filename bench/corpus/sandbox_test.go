//go:build linux

package main

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/installation"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
	"github.com/mcpsf/mcpsf/internal/assess/progress"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/sandboxtest"
)

func TestMain(m *testing.M) {
	box.Dispatch() // this binary also starts the sandbox's processes
	if len(os.Args) == 2 && os.Args[1] == busyLoop {
		spin()
		return
	}
	os.Exit(m.Run())
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// A few of the examples; "make corpus" tries them all.
func TestHandful(t *testing.T) {
	sandboxtest.Require(t)
	set, err := rules.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"https-json", "shell-pipes", "ok-weather-json", "turn-restart", "vuln-command-injection-1-py", "fixed-command-injection-1-py"}
	if os.Getenv("MCPSF_NIGHTLY") != "" {
		names = append(names, "dns-labels", "enc-xor", "ok-github-config", "turn-calls", "turn-client", "turn-alarm", "vuln-protocol-1-js", "fixed-protocol-1-js")
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := read(filepath.Join(corpusDir, name))
			if err != nil {
				t.Fatal(err)
			}
			dir, err := stage(e, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			result, err := assess.Assess(t.Context(), &assess.Options{
				Target: mcpsf.Target{Source: dir, Command: command(e), Env: e.Env}, Seed: 1, Profile: plan.Profile(e.profile()), Rules: set,
				Sandbox: assess.Sandbox{Boxes: 3, Wall: 2 * time.Minute, Linger: 2 * time.Second, Platform: "systrap"},
				Sources: installation.Sources{HostPath: os.Getenv("PATH")},
				Output:  assess.Output{Events: func(string) (io.WriteCloser, error) { return nopCloser{io.Discard}, nil }},
				Caller: assess.Caller{
					Progress: progress.Silent{}, Logger: slog.New(slog.DiscardHandler), Now: time.Now, Version: "test",
					TempDir: filepath.Join(t.TempDir(), "runs"),
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := judge(e, result.Report, result.Events); !got.outcome.good() {
				t.Errorf("%s: %q", got.outcome, got.reasons)
			}
		})
	}
}
