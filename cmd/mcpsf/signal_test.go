//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/sandbox/sandboxtest"
)

// slowServer is an MCP server whose only tool works for some seconds, and that
// ends some seconds after its input.
const slowServer = `
import json, sys, time
def work(seconds): # without a rest, or it would be over at once
    end = time.monotonic() + seconds
    while time.monotonic() < end: time.sleep(0.001)
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    r = {}
    if m["method"] == "initialize":
        r = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "case", "version": "1"}}
    if m["method"] == "tools/list":
        r = {"tools": [{"name": "work", "description": "works", "inputSchema": {"type": "object"}}]}
    if m["method"] == "tools/call":
        work(%g)
        r = {"content": [{"type": "text", "text": "done"}]}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
work(%g)
`

// process is mcpsf running as a process of its own, in directories of its own.
type process struct {
	cmd            *exec.Cmd
	home, temp     string
	stdout, stderr lockedBuffer
	ended          chan struct{}
}

// place is the directories of programs: what they may leave is below them.
type place struct{ home, temp, target string }

func newPlace(t *testing.T, working, lingering float64) place {
	t.Helper()
	sandboxtest.Require(t)
	base := t.TempDir()
	p := place{filepath.Join(base, "home"), filepath.Join(base, "temp"), filepath.Join(base, "server")}
	for _, dir := range []string{p.home, p.temp, p.target} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script := fmt.Sprintf(slowServer, working, lingering)
	if err := os.WriteFile(filepath.Join(p.target, "server.py"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

// start runs "mcpsf assess" on the server, with args before the command.
func (p place) start(t *testing.T, args ...string) *process {
	t.Helper()
	return p.run(t, nil, append(append([]string{"assess", p.target, "--profile", "safe"}, args...), "--", "python3", "server.py")...)
}

// run runs mcpsf there, with variables beside the usual ones.
func (p place) run(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := &process{cmd: exec.Command(self, args...), home: p.home, temp: p.temp, ended: make(chan struct{})}
	r.cmd.Dir = p.home
	r.cmd.Env = append([]string{asProgram + "=1", "TMPDIR=" + p.temp, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "HOME=" + p.home}, env...)
	r.cmd.Stdout, r.cmd.Stderr = &r.stdout, &r.stderr
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(r.ended)
		_ = r.cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = r.cmd.Process.Kill()
		<-r.ended
	})
	return r
}

// over reports whether the program has ended.
func (r *process) over() bool {
	select {
	case <-r.ended:
		return true
	default:
		return false
	}
}

// until waits for a condition while the program runs.
func (r *process) until(t *testing.T, what string, ready func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !ready(); time.Sleep(time.Millisecond) {
		select {
		case <-r.ended:
			if ready() {
				return
			}
			t.Fatalf("ended before %s: %s%s", what, r.stdout.String(), r.stderr.String())
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("still waiting for %s: %s", what, r.stderr.String())
		}
	}
}

// stages are moments of a run, by what is visible from outside.
func stages() map[string]func(*testing.T, *process) bool {
	has := func(name string) func(*testing.T, *process) bool {
		return func(t *testing.T, r *process) bool {
			t.Helper()
			return r.descendant(t, name) != 0
		}
	}
	return map[string]func(*testing.T, *process) bool{
		"with the supervisor": has("mcpsf-supervisor"),
		"with the sandbox":    has("runsc-sandbox"),
		"in a call":           func(t *testing.T, r *process) bool { t.Helper(); return r.driving(t) },
	}
}

// driving reports whether the server has answered and is being called.
func (r *process) driving(*testing.T) bool {
	return strings.Contains(r.stderr.String(), "answered initialize")
}

// descendant is the id of the program's descendant of that name, or 0.
func (r *process) descendant(t *testing.T, name string) int {
	t.Helper()
	for pid, is := range sandboxtest.Descendants(t, r.cmd.Process.Pid) {
		if is == name {
			return pid
		}
	}
	return 0
}

// code waits for the end and returns the exit code, -1 after a signal.
func (r *process) code(t *testing.T) int {
	t.Helper()
	select {
	case <-r.ended:
	case <-time.After(time.Minute):
		t.Fatalf("does not end: %s", r.stderr.String())
	}
	return r.cmd.ProcessState.ExitCode()
}

// runs are the ids of the runs that have a directory.
func (p place) runs(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(p.temp, "mcpsf-*", "run-*"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range found {
		found[i] = strings.TrimPrefix(filepath.Base(found[i]), "run-")
	}
	return found
}

// An interrupt ends the run: it leaves the report of what it saw, which is
// inconclusive and which mcpsf verify accepts, and nothing else.
func TestContainmentInterrupt(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		for stage, reached := range stages() {
			t.Run(fmt.Sprintf("%v %s", sig, stage), func(t *testing.T) {
				p := newPlace(t, 1000, 0)
				host := sandboxtest.Snapshot(t, p.home, p.temp)
				out := filepath.Join(t.TempDir(), "made/for/it")
				r := p.start(t, "-o", out)
				r.until(t, stage, func() bool { return reached(t, r) })
				ids := p.runs(t)
				if err := r.cmd.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
				if code := r.code(t); code != program.ExitInconclusive || strings.Count(r.stderr.String(), "the run was interrupted") != 1 {
					t.Errorf("exit code %d, want %d; %s", code, program.ExitInconclusive, r.stderr.String())
				}
				p.cutShort(t, out, "the run was interrupted")
				host.Unchanged(t, ids...)
			})
		}
	}
}

// cutShort checks the report of a run that was ended early.
func (p place) cutShort(t *testing.T, out, why string) *mcpsf.Report {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(out, "report.json"))
	var r mcpsf.Report
	if err != nil || json.Unmarshal(raw, &r) != nil {
		t.Fatalf("no report: %v", err)
	}
	last := r.Coverage.Monitors[len(r.Coverage.Monitors)-1]
	if r.Verdict.Band != mcpsf.BandInconclusive || last.Alive || !strings.HasPrefix(last.Note, why) {
		t.Errorf("verdict %+v, %+v", r.Verdict, last)
	}
	if !slices.ContainsFunc(r.Coverage.Gaps, func(g mcpsf.Gap) bool { return g.Code == gap.RunCutShort }) {
		t.Errorf("gaps %+v", r.Coverage.Gaps)
	}
	check := p.run(t, nil, "verify", out)
	if code := check.code(t); code != program.ExitOK {
		t.Errorf("verify: exit code %d: %s%s", code, check.stdout.String(), check.stderr.String())
	}
	return &r
}

// With --quiet it says nothing but the report.
func TestContainmentInterruptQuietly(t *testing.T) {
	p := newPlace(t, 1000, 0)
	host := sandboxtest.Snapshot(t, p.home, p.temp)
	out := filepath.Join(t.TempDir(), "kept")
	r := p.start(t, "-q", "-o", out)
	r.until(t, "the sandbox", func() bool { return r.descendant(t, "runsc-sandbox") != 0 })
	ids := p.runs(t)
	if err := r.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code := r.code(t); code != program.ExitInconclusive || r.stderr.String() != "" {
		t.Errorf("exit code %d, stderr %q", code, r.stderr.String())
	}
	p.cutShort(t, out, "the run was interrupted")
	host.Unchanged(t, ids...)
}

// TestTimeout: --timeout bounds the whole run, agents and attacks included,
// however slow the tools are.
func TestTimeout(t *testing.T) {
	const limit, slack = 8 * time.Second, 12 * time.Second
	for name, args := range map[string][]string{"in a call": nil, "attacks and agents": {"--profile", "balanced", "--agent"}} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, 1000, 0)
			if args != nil {
				p = newPlace(t, 0.7, 0)
			}
			out := filepath.Join(t.TempDir(), "out")
			begun := time.Now()
			r := p.start(t, append([]string{"-o", out, "--timeout", limit.String()}, args...)...)
			if code := r.code(t); code != program.ExitInconclusive {
				t.Errorf("exit code %d, want %d; %s", code, program.ExitInconclusive, r.stderr.String())
			}
			if took := time.Since(begun); took > limit+slack {
				t.Errorf("it took %s", took)
			}
			p.cutShort(t, out, "the time limit of the run was up after 8s")
		})
	}
}

// When mcpsf is killed its sandbox ends by itself. Only its directory remains,
// and the next run removes it.
func TestContainmentKilled(t *testing.T) {
	for stage, reached := range stages() {
		t.Run(stage, func(t *testing.T) {
			p := newPlace(t, 1000, 0)
			processes := sandboxtest.Snapshot(t)
			files := sandboxtest.Snapshot(t, p.temp)
			r := p.start(t, "-o", filepath.Join(t.TempDir(), "out"))
			r.until(t, stage, func() bool { return reached(t, r) })
			if err := r.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			r.code(t)
			processes.Unchanged(t)
			ids := p.runs(t)
			if len(ids) != 1 {
				t.Errorf("want the directory of the run and nothing else, got %q", ids)
			}
			if next := p.next(t); next.code(t) != program.ExitOK {
				t.Errorf("the next run: %s", next.stderr.String())
			}
			files.Unchanged(t, ids...)
		})
	}
}

// next is a short run in the same place.
func (p place) next(t *testing.T) *process {
	t.Helper()
	quick := newPlace(t, 0, 0)
	quick.temp = p.temp
	return quick.start(t, "-o", filepath.Join(t.TempDir(), "out"))
}

// The files of a running run are not removed by another.
func TestContainmentSweepSparesTheLiving(t *testing.T) {
	for range 5 {
		if sweepSpares(t) {
			return
		}
	}
	t.Error("the first run ended by itself each time before the third did")
}

// sweepSpares proves nothing if the first run ends by itself: calls have a time
// limit, and this machine may be slow.
func sweepSpares(t *testing.T) bool {
	t.Helper()
	p := newPlace(t, 1000, 0)
	host := sandboxtest.Snapshot(t, p.home, p.temp)
	living := p.start(t, "-o", filepath.Join(t.TempDir(), "living"))
	living.until(t, "the first run's call", func() bool { return living.driving(t) })
	ids := p.runs(t)
	before := sandboxtest.Descendants(t, living.cmd.Process.Pid)

	dead := p.start(t, "-o", filepath.Join(t.TempDir(), "out"))
	dead.until(t, "the second run's call", func() bool { return dead.driving(t) })
	all := p.runs(t)
	if err := dead.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	dead.code(t)
	if next := p.next(t); next.code(t) != program.ExitOK {
		t.Errorf("the third run: %s", next.stderr.String())
	}
	left := p.runs(t)
	after := sandboxtest.Descendants(t, living.cmd.Process.Pid)
	if living.over() || living.cmd.Process.Signal(syscall.SIGTERM) != nil {
		return false
	}
	if code := living.code(t); code != program.ExitInconclusive {
		t.Errorf("the first run's exit code: %d", code)
	}
	if !slices.Equal(left, ids) {
		t.Errorf("runs with a directory: %q, want %q", left, ids)
	}
	for pid, name := range before {
		if strings.HasPrefix(name, "runsc-") && after[pid] != name {
			t.Errorf("%s of the living run is gone", name)
		}
	}
	host.Unchanged(t, all...)
	return true
}

// Killing a part of the sandbox must not make a server look clean.
func TestContainmentPartKilled(t *testing.T) {
	for _, name := range []string{"mcpsf-supervisor", "runsc-sandbox", "runsc-gofer"} {
		for moment, wait := range map[string][2]float64{"in a call": {1000, 0}, "at the end": {0, 1.9}} {
			if name == "runsc-gofer" && moment == "at the end" {
				continue // gVisor then ends the server in an orderly way
			}
			t.Run(name+" "+moment, func(t *testing.T) {
				p := newPlace(t, wait[0], wait[1])
				host := sandboxtest.Snapshot(t, p.home, p.temp)
				out := filepath.Join(t.TempDir(), "out")
				r := p.start(t, "-o", out)
				r.until(t, moment, func() bool { return r.driving(t) })
				ids := p.runs(t)
				time.Sleep(500 * time.Millisecond) // until all answered calls are recorded
				pid := r.descendant(t, name)
				if pid == 0 {
					t.Fatalf("no %s below the program", name)
				}
				if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
				if code := r.code(t); code != program.ExitInconclusive {
					t.Errorf("exit code %d, want %d; %s", code, program.ExitInconclusive, r.stderr.String())
				}
				raw, err := os.ReadFile(filepath.Join(out, "report.json"))
				var report mcpsf.Report
				if err != nil || json.Unmarshal(raw, &report) != nil {
					t.Fatalf("no report: %v; %s", err, r.stderr.String())
				}
				if v := report.Verdict; v.Band != mcpsf.BandInconclusive || len(v.Reasons) == 0 {
					t.Errorf("verdict %+v", v)
				}
				host.Unchanged(t, ids...)
			})
		}
	}
}

// lockedBuffer is written by the program's output and read by the test.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
