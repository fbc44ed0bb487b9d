package box

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/interpreter"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

func TestMain(m *testing.M) {
	Dispatch() // the sandbox's processes are this binary, too
	os.Exit(m.Run())
}

// require skips the test if there is no sandbox; sandboxtest cannot be imported
// from this package.
func require(t *testing.T) {
	t.Helper()
	for _, c := range Checks(t.Context()) {
		if c.OK || c.Optional {
			continue
		}
		if os.Getenv("MCPSF_REQUIRE_SANDBOX") == "1" {
			t.Fatalf("the sandbox is required, but %s: %s", c.Name, c.Detail)
		}
		t.Skipf("no sandbox here: %s: %s", c.Name, c.Detail)
	}
}

// showPython makes a Python of this machine visible in the sandbox.
func showPython(t *testing.T, opts *Options) {
	t.Helper()
	i, err := interpreter.Choose(mcpsf.RuntimePython, "", os.Getenv("PATH"))
	if err != nil {
		t.Fatal(err)
	}
	opts.Interpreter = i.Program
	if i.Source != "" {
		opts.Content.Mounts = append(opts.Content.Mounts, Mount{Source: i.Source, Target: i.Mount})
	}
}

// startScript runs a Python script in a sandbox that is stopped at the end of
// the test.
func startScript(t *testing.T, script string, settings ...func(*Options)) *Box {
	t.Helper()
	require(t)
	run, err := NewRunDir(filepath.Join(t.TempDir(), "runs"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = run.Remove() })
	if err := os.WriteFile(filepath.Join(run.Stage(), "script.py"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	opts := &Options{
		Artifact: &mcpsf.Artifact{Dir: run.Stage(), Runtime: mcpsf.RuntimePython, Command: []string{"python3", "script.py"}},
		Run:      run, Machine: Machine{Now: time.Now()},
	}
	showPython(t, opts)
	for _, set := range settings {
		set(opts)
	}
	box, err := Start(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Stop() })
	return box
}

// A reader that falls behind blocks the target, and nothing is lost.
func TestSlowReaderStopsTheTarget(t *testing.T) {
	const opens = 20_000 // records of several kilobytes: many times the ring
	box := startScript(t, `
import os
name = "./" * 1500 + "script.py"
for i in range(20000): os.close(os.open(name, os.O_RDONLY))
`)
	var last, seen uint64
	stopped := false
	err := box.Each(t.Context(), func(r *wire.Record) error {
		if last++; r.Seq != last {
			t.Fatalf("record %d follows %d", r.Seq, last-1)
		}
		if r.Op != wire.OpOpen || !strings.HasPrefix(r.Asked, "./././") {
			return nil
		}
		if seen++; seen == 100 {
			stopped = true
			untilStopped(t, box, opens)
		}
		if seen < 1000 {
			time.Sleep(time.Millisecond)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !stopped || seen != opens {
		t.Errorf("%d of %d opens arrived", seen, opens)
	}
	if totals := box.Totals(); totals.Produced != last || totals.Committed != last {
		t.Errorf("%d records arrived, totals %+v", last, totals)
	}
	if exit := box.Exit(); !exit.Known || exit.Code != 0 || exit.Error != "" {
		t.Errorf("the script ended: %+v", exit)
	}
	t.Logf("%d records", last)
}

// untilStopped waits, without reading, until the observer has begun a record
// that it cannot finish. It then checks that the target waits, too.
func untilStopped(t *testing.T, box *Box, most uint64) {
	t.Helper()
	const enough = 20
	for same, before := 0, (wire.Totals{}); same < enough; time.Sleep(20 * time.Millisecond) {
		if isClosed(box.Done()) {
			t.Fatal("the target ended although nobody read its records")
		}
		now := box.Totals()
		if same++; now != before || now.Produced == now.Committed {
			same = 0
		}
		before = now
	}
	if n := box.Totals(); n.Committed >= most {
		t.Errorf("%d records were committed into a full ring", n.Committed)
	}
}
