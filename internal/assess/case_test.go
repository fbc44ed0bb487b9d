//go:build linux

package assess

import (
	"flag"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/installation"
	"github.com/mcpsf/mcpsf/internal/assess/progress"
	"github.com/mcpsf/mcpsf/internal/drive/fairtime"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/sandboxtest"
	"github.com/mcpsf/mcpsf/internal/static/code"
)

func TestMain(m *testing.M) {
	box.Dispatch() // this binary also starts the sandbox's processes
	if len(os.Args) > 1 && os.Args[1] == readSource {
		if err := code.Child(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	flag.Parse()
	if err := overlap(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// overlap runs more tests in parallel than there are processors, unless
// -parallel is set: a sandbox that starts or waits for a limit uses no
// processor.
func overlap() error {
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return nil
	}
	return flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0)))
}

// nightly says that tests may take long: in make nightly, not on every push.
func nightly() bool { return os.Getenv("MCPSF_NIGHTLY") != "" }

// readSource is the argument with which the tests start themselves to read source.
const readSource = "read-source"

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// sometimes skips a case that does not run on every push: it is similar to
// others, and each costs a sandbox.
func sometimes(t *testing.T, name string, always ...string) {
	t.Helper()
	if !nightly() && !slices.Contains(always, name) {
		t.Skip("one of many that are alike: make nightly")
	}
}

// setting changes the options of a case.
type setting func(*Options)

func within(wall time.Duration) setting { return func(o *Options) { o.Sandbox.Wall = wall } }

// pythonCase assesses a server made of the test prelude and body.
func pythonCase(t *testing.T, body string, settings ...setting) *Result {
	t.Helper()
	prelude, err := os.ReadFile("testdata/mcp.py")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	source := "from mcp import *\nimport os, sys, time, threading, ctypes, subprocess\n" + body + "\nserve()\n"
	for name, content := range map[string][]byte{"mcp.py": prelude, "server.py": []byte(source)} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	settings = append([]setting{func(o *Options) { o.Target.Command = []string{"python3", "server.py"} }}, settings...)
	return assess(t, dir, settings...)
}

// assess runs the real pipeline on dir.
func assess(t *testing.T, dir string, settings ...setting) *Result {
	t.Helper()
	sandboxtest.Require(t)
	result, err := Assess(t.Context(), testOptions(t, dir, settings...))
	if err != nil {
		t.Fatalf("assessing: %v", err)
	}
	return result
}

// builtinRules caches the rules, because reading them takes a while.
var builtinRules = sync.OnceValues(rules.Builtin)

func testOptions(t testing.TB, dir string, settings ...setting) *Options {
	t.Helper()
	set, err := builtinRules()
	if err != nil {
		t.Fatal(err)
	}
	opts := &Options{
		Target: mcpsf.Target{Source: dir}, Seed: 1, Rules: set,
		Sandbox: Sandbox{Wall: 2 * time.Minute, Platform: "systrap"},
		Sources: installation.Sources{HostPath: os.Getenv("PATH")},
		Output:  Output{Events: func(string) (io.WriteCloser, error) { return nopCloser{io.Discard}, nil }},
		Caller: Caller{
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

// eventsOf selects events.
func eventsOf(r *Result, keep func(*mcpsf.Event) bool) []mcpsf.Event {
	var out []mcpsf.Event
	for i := range r.Events {
		if keep(&r.Events[i]) {
			out = append(out, r.Events[i])
		}
	}
	return out
}

// callOf returns the id of the nth call of a tool, from 1.
func callOf(t *testing.T, r *Result, tool string) string {
	t.Helper()
	for _, c := range r.Report.Session.Calls {
		if c.Tool == tool {
			return c.ID
		}
	}
	s := r.Report.Session
	t.Fatalf("%s was not among %d calls; %s", tool, len(s.Calls), explain(r))
	return ""
}

// complete fails the test if any part of the run was not observed.
func complete(t *testing.T, r *Result) {
	t.Helper()
	e := r.Report.Coverage.Events
	if e.Lost != 0 || !e.Complete || e.Produced == 0 {
		t.Errorf("events: %+v", e)
	}
	for _, m := range r.Report.Coverage.Monitors {
		if !m.Alive {
			t.Errorf("monitor %s did not see the end: %s", m.Name, m.Note)
		}
	}
}

func hasFinding(r *Result, id string) bool {
	for _, f := range r.Report.Findings {
		if f.ID == id {
			return true
		}
	}
	return false
}

// explain says how a session ended, for failures.
func explain(r *Result) string {
	s := r.Report.Session
	text := s.Closed + ": " + s.Ending
	for _, m := range r.Report.Coverage.Monitors {
		text += "; " + m.Name + " " + m.Note
	}
	for _, e := range eventsOf(r, func(e *mcpsf.Event) bool { return e.Limit != nil || e.Sandbox != nil }) {
		if e.Limit != nil {
			text += "; limit " + e.Limit.Name
		} else {
			text += "; " + e.Sandbox.Text
		}
	}
	return text
}
