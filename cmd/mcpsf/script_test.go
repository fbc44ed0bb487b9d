//go:build linux

package main

import (
	"archive/tar"
	"archive/zip"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mcpsf/mcpsf/internal/sandbox/sandboxtest"
	"github.com/mcpsf/mcpsf/schema"
	"github.com/mcpsf/mcpsf/schema/schematest"
)

// TestScripts runs the real program as users do.
func TestScripts(t *testing.T) {
	runScripts(t, func(name string) bool { return !strings.HasPrefix(name, "sandbox") })
}

// TestSandboxScripts does the same with the scripts that need a sandbox.
func TestSandboxScripts(t *testing.T) {
	sandboxtest.Require(t)
	runScripts(t, func(name string) bool { return strings.HasPrefix(name, "sandbox") })
}

// runScripts runs the wanted scripts, several at a time.
func runScripts(t *testing.T, wanted func(name string) bool) {
	t.Helper()
	files, err := filepath.Glob("testdata/script/*.txtar")
	files = slices.DeleteFunc(files, func(file string) bool { return !wanted(filepath.Base(file)) })
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	testscript.Run(t, testscript.Params{
		Files: files,
		Setup: setupScript,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": exits, "clean": clean, "plain": plain, "valid": valid, "screen": screen,
			"fifo": fifo, "socket": socket, "sparse": sparse, "weird": weird, "climbing": climbing, "zip": zipDir,
		},
	})
}

// setupScript puts the program into the script's PATH under its own name.
func setupScript(env *testscript.Env) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		return err
	}
	bin, tmp := filepath.Join(env.WorkDir, ".program"), filepath.Join(env.WorkDir, ".runs")
	for _, dir := range []string{bin, tmp} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	env.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	env.Setenv("TMPDIR", tmp)
	env.Setenv("EXAMPLES", examples)
	env.Setenv(asProgram, "1")
	return os.Symlink(self, filepath.Join(bin, "mcpsf"))
}

// exits is the script command code N PROGRAM ARG...: it expects exactly that
// exit code.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("running %s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// clean expects that nothing is left behind: no run directory and no report.
func clean(ts *testscript.TestScript, _ bool, _ []string) {
	left, err := os.ReadDir(ts.Getenv("TMPDIR"))
	ts.Check(err)
	if len(left) != 0 {
		ts.Fatalf("left in the temporary directory: %v", left)
	}
	if _, err := os.Stat(ts.MkAbs("reports")); err == nil {
		ts.Fatalf("left a reports directory")
	}
}

// plain FILE... expects at most one line of printable text.
func plain(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		text := ts.ReadFile(name)
		if lines := strings.Count(text, "\n"); lines > 1 {
			ts.Fatalf("%s has %d lines:\n%s", name, lines, text)
		}
		for _, r := range strings.TrimSuffix(text, "\n") {
			if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
				ts.Fatalf("%s has the control character %U", name, r)
			}
		}
	}
}

// screen expects the last output to fit on one screen.
func screen(ts *testscript.TestScript, _ bool, _ []string) {
	text := ts.ReadFile("stdout")
	if n := strings.Count(text, "\n"); n > 24 {
		ts.Fatalf("%d lines:\n%s", n, text)
	}
}

// valid DIR... expects the report and the events of each run to match the
// schemas.
func valid(ts *testscript.TestScript, _ bool, args []string) {
	for _, dir := range args {
		report := []byte(ts.ReadFile(filepath.Join(dir, "report.json")))
		if err := schematest.Validate(schema.Report, report); err != nil {
			ts.Fatalf("%s: %v", dir, err)
		}
		if err := schematest.ValidateLines(schema.Event, []byte(ts.ReadFile(filepath.Join(dir, "events.jsonl")))); err != nil {
			ts.Fatalf("%s: events.jsonl: %v", dir, err)
		}
		err := schematest.ValidateWithPython(context.Background(), schema.Report, report)
		if errors.Is(err, schematest.ErrNoPython) {
			ts.Logf("%v", err)
		} else if err != nil {
			ts.Fatalf("%s, by Python: %v", dir, err)
		}
	}
}

func fifo(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(syscall.Mkfifo(ts.MkAbs(args[0]), 0o644))
}

func socket(ts *testscript.TestScript, _ bool, args []string) {
	// A relative name stays within the length limit of a socket's path.
	dir, err := os.MkdirTemp("", "s")
	ts.Check(err)
	defer os.RemoveAll(dir)
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	ts.Check(err)
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	ts.Check(l.Close())
	ts.Check(os.Rename(filepath.Join(dir, "s"), ts.MkAbs(args[0])))
}

// sparse FILE makes a file of 10 GB that uses no space.
func sparse(ts *testscript.TestScript, _ bool, args []string) {
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(f.Truncate(10 << 30))
	ts.Check(f.Close())
}

// weird DIR makes a file there whose name contains terminal escapes.
func weird(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[0]), "a\n\x1b]0;owned\x07\u202eb.js"), nil, 0o644))
}

// climbing FILE SERVER makes an archive of a server with an entry that leads
// out of it.
func climbing(ts *testscript.TestScript, _ bool, args []string) {
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	w := tar.NewWriter(f)
	for name, content := range map[string]string{"package/server.py": ts.ReadFile(args[1]), "../../pwn": "out"} {
		ts.Check(w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(content))}))
		_, err := w.Write([]byte(content))
		ts.Check(err)
	}
	ts.Check(w.Close())
	ts.Check(f.Close())
}

// zipDir is the script command zip FILE DIR: it puts the files of a directory
// into a zip.
func zipDir(ts *testscript.TestScript, _ bool, args []string) {
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	w := zip.NewWriter(f)
	ts.Check(w.AddFS(os.DirFS(ts.MkAbs(args[1]))))
	ts.Check(w.Close())
	ts.Check(f.Close())
}
