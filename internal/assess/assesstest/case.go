//go:build linux

package assesstest

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/installation"
	"github.com/mcpsf/mcpsf/internal/assess/progress"
	"github.com/mcpsf/mcpsf/internal/drive/fairtime"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/sandboxtest"
)

// Setting changes the options of a case.
type Setting func(*assess.Options)

// Within sets the time that a run may take.
func Within(wall time.Duration) Setting { return func(o *assess.Options) { o.Sandbox.Wall = wall } }

// Holding sets limits; zero values keep the default.
func Holding(l box.Limits) Setting { return func(o *assess.Options) { o.Sandbox.Limits = l } }

// Python assesses a server made of the test prelude and body.
func Python(t *testing.T, body string, settings ...Setting) *assess.Result {
	t.Helper()
	settings = append([]Setting{func(o *assess.Options) { o.Target.Command = []string{"python3", "server.py"} }}, settings...)
	return Assess(t, PythonServer(t, body), settings...)
}

// PythonServer returns a directory with a server made of the test prelude and
// body.
func PythonServer(t *testing.T, body string) string {
	t.Helper()
	return Directory(t, Files{
		"mcp.py":    Script(t, "mcp.py"),
		"server.py": "from mcp import *\nimport os, sys, time, threading, ctypes, subprocess\n" + body + "\nserve()\n",
	})
}

// Assess runs the real pipeline on source.
func Assess(t *testing.T, source string, settings ...Setting) *assess.Result {
	t.Helper()
	sandboxtest.Require(t)
	result, err := assess.Assess(t.Context(), Options(t, source, settings...))
	if err != nil {
		t.Fatalf("assessing: %v", err)
	}
	return result
}

// builtinRules caches the rules, because reading them takes a while.
var builtinRules = sync.OnceValues(rules.Builtin)

// Options are those of every case, changed by settings.
func Options(t testing.TB, source string, settings ...Setting) *assess.Options {
	t.Helper()
	set, err := builtinRules()
	if err != nil {
		t.Fatal(err)
	}
	opts := &assess.Options{
		Target: mcpsf.Target{Source: source}, Seed: 1, Rules: set,
		Sandbox: assess.Sandbox{Wall: 2 * time.Minute, Platform: "systrap"},
		Sources: installation.Sources{HostPath: environment("PATH")},
		Output:  assess.Output{Events: func(string) (io.WriteCloser, error) { return NopCloser{Writer: io.Discard}, nil }},
		Caller: assess.Caller{
			Progress: progress.Silent{}, Logger: slog.New(slog.DiscardHandler), Now: time.Now, Version: "test",
			Fair:    fairtime.New(), // other tests run beside this one
			TempDir: filepath.Join(t.TempDir(), "runs"),
		},
	}
	for _, s := range settings {
		s(opts)
	}
	return opts
}

// NopCloser is a writer that need not be closed.
type NopCloser struct{ io.Writer }

// Close does nothing.
func (NopCloser) Close() error { return nil }

// Files are the contents of a directory or an archive by name.
type Files map[string]string

// Directory returns a directory of the test's own with those files.
func Directory(t *testing.T, content Files) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range content {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
