//go:build linux

package containment

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// TestContainment sets off bombs in tool calls. Each must end within its limit
// and leave nothing on the host. Most of them only wait for a limit, so they run
// at the same time.
func TestContainment(t *testing.T) {
	h := assesstest.NewHostCheck(t)
	for name, run := range map[string]func(*testing.T, *assesstest.HostCheck){
		"fork bomb": containForkBomb, "tasks are counted": containTasks, "memory": containMemory, "disk": containDisk,
		"output": containOutput, "long frame": containLongFrame, "ignores SIGTERM": containIgnoresSIGTERM,
		"never answers": containNeverAnswers, "open files": containOpenFiles, "CPU": containCPU,
		"zombies count once": containZombies, "ends": containEnds, "engine": containEngine,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, h)
		})
	}
}

func containForkBomb(t *testing.T, h *assesstest.HostCheck) {
	r := h.Python(t, `
@tool
def bomb():
    while True:
        try: os.fork()
        except OSError: pass
`, assesstest.Holding(box.Limits{PIDs: 64}), assesstest.Within(5*time.Second))
	wantLimit(t, r, mcpsf.LimitPIDs, "refused")
	if r.Report.Session.Closed != "limit" {
		t.Errorf("the session ended: %s", assesstest.Explain(r))
	}
}

func containTasks(t *testing.T, h *assesstest.HostCheck) {
	const limit = 50
	r := h.Python(t, `
def grow(start):
    started = 0
    try:
        while started < 1000:
            start()
            started += 1
    except (OSError, RuntimeError) as e: pass
    return "started=%d" % started
def child():
    if os.fork() == 0:
        time.sleep(1000)
@tool
def forks(): return grow(child)
@tool
def threads():
    return grow(lambda: threading.Thread(target=time.sleep, args=(1000,), daemon=True).start())
`, assesstest.Holding(box.Limits{PIDs: limit}))
	assesstest.Complete(t, r)
	wantLimit(t, r, mcpsf.LimitPIDs, "refused")
	if n := assesstest.Number(t, assesstest.Said(t, r, "forks"), "started"); n != limit-1 {
		t.Errorf("%d processes beside the first, want %d", n, limit-1)
	}
	if n := assesstest.Number(t, assesstest.Said(t, r, "threads"), "started"); n != 0 {
		t.Errorf("%d threads beyond the limit", n)
	}
}

func containMemory(t *testing.T, h *assesstest.HostCheck) {
	const limit = 192 << 20
	for name, body := range map[string]string{
		"heap": `
@tool
def bomb():
    held = []
    while True: held.append(b"x" * (8 << 20))
`,
		"many processes": `
@tool
def bomb():
    for i in range(8):
        if os.fork() == 0:
            held = b"x" * (64 << 20)
            time.sleep(1000)
    time.sleep(1000)
`,
		"memory file": `
@tool
def bomb():
    fd = os.memfd_create("big")
    while True: os.write(fd, b"x" * (1 << 20))
`,
		"shared mapping": `
import mmap
@tool
def bomb():
    held = []
    while True:
        m = mmap.mmap(-1, 16 << 20)
        m.write(b"x" * (16 << 20))
        held.append(m)
`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := h.Python(t, body, assesstest.Holding(box.Limits{Memory: limit}), assesstest.Within(time.Minute))
			assesstest.Complete(t, r)
			hit := wantLimit(t, r, mcpsf.LimitMemory, "killed")
			t.Logf("ended at %d MiB of %d", hit.Value>>20, int64(limit)>>20)
			if hit.Value <= limit || hit.Value > 3*limit {
				t.Errorf("ended at %d of %d bytes", hit.Value, int64(limit))
			}
		})
	}
}

func containDisk(t *testing.T, h *assesstest.HostCheck) {
	const limit = 24 << 20
	r := h.Python(t, `
import errno
def fill(dir):
    written, n = 0, 0
    try:
        while written < (1 << 30):
            n += 1
            with open(os.path.join(dir, "f%d" % n), "wb", 0) as f:
                while f.tell() < (4 << 20): written += f.write(b"x" * 65536)
    except OSError as e:
        return "written=%d errno=%d" % (written, e.errno)
    return "written=%d errno=0" % written
@tool
def home(): return fill(os.path.expanduser("~"))
@tool
def work(): return fill(".")
@tool
def temporary(): return fill("/tmp")
@tool
def shared(): return fill("/dev/shm")
@tool
def sparse():
    with open("/var/tmp/sparse", "wb") as f:
        f.truncate(1 << 40)
    return "sparse"
`, assesstest.Holding(box.Limits{Disk: limit}))
	assesstest.Complete(t, r)
	wantLimit(t, r, mcpsf.LimitDisk, "refused")
	for _, tool := range []string{"home", "work", "temporary", "shared"} {
		text := assesstest.Said(t, r, tool)
		if written, code := assesstest.Number(t, text, "written"), assesstest.Number(t, text, "errno"); written > limit || code != 28 {
			t.Errorf("%s: %d bytes and then error %d, want at most %d and ENOSPC", tool, written, code, int64(limit))
		}
	}
}

func containOutput(t *testing.T, h *assesstest.HostCheck) {
	for name, body := range map[string]string{
		"a gigabyte on stdout": `
@tool
def bomb():
    for i in range(1 << 14): os.write(1, b"x" * 65535 + b"\n")
`,
		"a gigabyte on stderr": `
@tool
def bomb():
    for i in range(1 << 14): os.write(2, b"x" * 65535 + b"\n")
`,
		"a gigabyte without a line end": `
@tool
def bomb():
    for i in range(1 << 14): os.write(1, b"x" * 65536)
`,
		"a gigabyte of zeroes on both": `
@tool
def bomb():
    for i in range(1 << 14):
        os.write(1, b"\0" * 65536)
        os.write(2, b"\0" * 65536)
`,
		"a frame of 200 MB": `
@tool
def bomb(): return "x" * (200 << 20)
`,
		"a million notifications": `
@tool
def bomb():
    line = b'{"jsonrpc":"2.0","method":"notifications/x"}\n'
    for i in range(1000): os.write(1, line * 1000)
`,
		"a million requests": `
@tool
def bomb():
    for i in range(10000): os.write(1, b"".join(b'{"jsonrpc":"2.0","id":"%d-%d","method":"ping"}\n' % (i, j) for j in range(100)))
`,
		"a million lines on stderr": `
@tool
def bomb():
    for i in range(1000): os.write(2, b"x\n" * 1000)
`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// Each of a million requests is answered and recorded: beside all other tests
			// that takes longer than the session.
			assesstest.Sometimes(t, name, "a gigabyte on stdout", "a gigabyte without a line end", "a million lines on stderr")
			r := h.Python(t, body+`
@tool
def never(): return "reached"
`, assesstest.Within(time.Minute))
			wantLimit(t, r, mcpsf.LimitOutput, "killed")
			if r.Report.Session.Closed != "limit" {
				t.Errorf("the session ended: %s", assesstest.Explain(r))
			}
			// On a slow machine the next call may be made before the flood reaches the
			// limit. It is not answered: the server is killed amid the flood.
			if slices.ContainsFunc(r.Report.Session.Calls, func(c mcpsf.Call) bool { return c.Tool == "never" && c.Status == mcpsf.CallOK }) {
				t.Error("the server still answered after it flooded us")
			}
		})
	}
}

// A message that exceeds the message limit but not the run's limit is truncated
// and reported, and the session continues.
func containLongFrame(t *testing.T, h *assesstest.HostCheck) {
	r := h.Python(t, `
@tool
def long(): return "x" * (20 << 20)
@tool
def after(): return "still here"
`)
	assesstest.Complete(t, r)
	if !slices.ContainsFunc(r.Report.Session.Irregularities, func(s string) bool { return strings.Contains(s, "longer than the limit") }) {
		t.Errorf("irregularities: %q", r.Report.Session.Irregularities)
	}
	if text := assesstest.Said(t, r, "after"); !strings.Contains(text, "still here") {
		t.Errorf("after the long frame: %s", text)
	}
}

func containIgnoresSIGTERM(t *testing.T, h *assesstest.HostCheck) {
	r := h.Python(t, `
import signal, atexit
for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(s, signal.SIG_IGN)
@tool
def fine(): return "fine"
atexit.register(lambda: time.sleep(1000))
`)
	assesstest.Complete(t, r)
	if r.Report.Session.Closed != "killed" {
		t.Errorf("the session ended: %s", assesstest.Explain(r))
	}
	if text := assesstest.Said(t, r, "fine"); !strings.Contains(text, "fine") {
		t.Errorf("before it was asked to end: %s", text)
	}
}

// A server that never answers and keeps working is ended by the wall limit. One
// that sleeps is detected at once, because the virtual clock is advanced.
func containNeverAnswers(t *testing.T, h *assesstest.HostCheck) {
	for name, tt := range map[string]struct {
		body string
		// wall says that the wall limit ends the run; note is the note on a call.
		wall bool
		note string
	}{
		"initialize":       {"time.sleep(1000)", false, "no answer within"},
		"initialize, busy": {"while True: pass", true, ""},
		"a call":           {"@tool\ndef sleeps(): time.sleep(1000)\n", false, "no answer within"},
		"a call, busy":     {"@tool\ndef works():\n    while True: pass\n", true, ""},
		// On a busy machine its naps are long enough to count as sleep.
		"a call, restless":   {"@tool\ndef works():\n    while True: time.sleep(0.0001)\n", true, "no answer within"},
		"does not read":      {"@tool\ndef stops(): os.kill(os.getpid(), 19); time.sleep(1000)\n", false, "no answer within"},
		"closed its streams": {"@tool\ndef closes():\n    os.closerange(0, 3)\n    time.sleep(1000)\n", false, "the server closed its output"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wall := time.Minute // not waited for
			if tt.wall {
				wall = 4 * time.Second
			}
			r := h.Python(t, tt.body, assesstest.Within(wall))
			if r.Report.Verdict.Band != mcpsf.BandInconclusive {
				t.Errorf("verdict %+v: %s", r.Report.Verdict, assesstest.Explain(r))
			}
			_, hit := assesstest.LimitsHit(r)[mcpsf.LimitWall]
			if tt.wall && (hit || tt.note == "") {
				wantLimit(t, r, mcpsf.LimitWall, "killed")
				return
			}
			if !slices.ContainsFunc(r.Report.Session.Calls, func(c mcpsf.Call) bool { return strings.Contains(c.Note, tt.note) }) {
				t.Errorf("calls: %s; %s", assesstest.CalledAs(r), assesstest.Explain(r))
			}
		})
	}
}

func containOpenFiles(t *testing.T, h *assesstest.HostCheck) {
	const limit = 100
	for name, start := range map[string]string{
		"open":       `os.open("/etc/passwd", os.O_RDONLY)`,
		"dup":        `os.dup(0)`,
		"pipe":       `os.pipe()`,
		"socket":     `socket.socket(socket.AF_UNIX).detach()`,
		"socketpair": `[s.detach() for s in socket.socketpair()]`,
		"eventfd":    `os.eventfd(0)`,
		"epoll":      `libc.epoll_create1(0) >= 0 or fail()`,
		"memfd":      `os.memfd_create("m")`,
		"fcntl":      `fcntl.fcntl(0, fcntl.F_DUPFD, 3)`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assesstest.Sometimes(t, name, "open", "socket", "epoll", "memfd")
			r := h.Python(t, `
import socket, fcntl
libc = ctypes.CDLL(None, use_errno=True)
def fail(): raise OSError(ctypes.get_errno(), "failed")
@tool
def bomb():
    n = 0
    try:
        while n < 10000:
            `+start+`
            n += 1
    except OSError as e: return "opened=%d errno=%d" % (n, e.errno)
    return "opened=%d errno=0" % n
`, assesstest.Holding(box.Limits{Files: limit}))
			assesstest.Complete(t, r)
			wantLimit(t, r, mcpsf.LimitFiles, "refused")
			text := assesstest.Said(t, r, "bomb")
			if n, code := assesstest.Number(t, text, "opened"), assesstest.Number(t, text, "errno"); n >= limit || code != 24 {
				t.Errorf("%d times and then error %d, want fewer than %d and EMFILE", n, code, limit)
			}
		})
	}
}

func containCPU(t *testing.T, h *assesstest.HostCheck) {
	for name, body := range map[string]string{
		"one process": `
@tool
def bomb():
    while True: pass
`,
		"many processes": `
@tool
def bomb():
    for i in range(16):
        if os.fork() == 0:
            while True: pass
    time.sleep(1000)
`,
		"one after the other": `
@tool
def bomb():
    while True:
        pid = os.fork()
        if pid == 0:
            end = time.monotonic() + 0.2
            while time.monotonic() < end: pass
            os._exit(0)
        os.waitpid(pid, 0)
`,
		"in the kernel": `
@tool
def bomb():
    fd = os.open("/dev/zero", os.O_RDONLY)
    while True: os.read(fd, 1 << 20)
`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const limit = 2
			r := h.Python(t, body, assesstest.Holding(box.Limits{CPUSeconds: limit}), assesstest.Within(time.Minute))
			assesstest.Complete(t, r)
			if hit := wantLimit(t, r, mcpsf.LimitCPU, "killed"); hit.Value < limit || hit.Value > 2*limit {
				t.Errorf("ended after %d of %d seconds", hit.Value, limit)
			}
		})
	}
}

// The usage of a dead process counts once, also while no parent has read its
// exit status.
func containZombies(t *testing.T, h *assesstest.HostCheck) {
	r := h.Python(t, `
@tool
def works():
    children = []
    for i in range(8):
        children.append(os.fork())
        if children[-1] == 0:
            end = time.process_time() + 0.7
            while time.process_time() < end: pass
            os._exit(0)
    def dead(pid):
        with open("/proc/%d/stat" % pid) as f: return f.read().split()[2] == "Z"
    while not all(dead(pid) for pid in children): time.sleep(0.1)
    time.sleep(0.5)
    return "done"
`, assesstest.Holding(box.Limits{CPUSeconds: 10}))
	assesstest.Complete(t, r)
	if _, hit := assesstest.LimitsHit(r)[mcpsf.LimitCPU]; hit {
		t.Errorf("5.6 seconds of work were taken for 10: %s", assesstest.Explain(r))
	}
}

func containEnds(t *testing.T, h *assesstest.HostCheck) {
	for name, tt := range map[string]struct {
		body     string
		restarts int
	}{
		"killed by itself": {`
@tool
def dies(): ctypes.string_at(0)
`, 1},
		"ends in a call": {`
@tool
def ends(): os._exit(3)
`, 1},
		"a child keeps the output": {`
@tool
def leaves():
    if os.fork() == 0:
        import signal
        for s in range(1, 32):
            try: signal.signal(s, signal.SIG_IGN)
            except OSError: pass
        os.setsid()
        while True: time.sleep(1000)
    os._exit(0)
`, 1},
		"a child goes on after an orderly end": {`
@tool
def leaves():
    if os.fork() == 0:
        os.setsid()
        while True: time.sleep(1000)
`, 0},
		"closes its input": {`
@tool
def closes():
    os.close(0)
    return "closed"
@tool
def never(): return "reached"
`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := h.Python(t, tt.body, assesstest.Within(30*time.Second))
			assesstest.Complete(t, r)
			if got := r.Report.Coverage.Restarts; got != tt.restarts || r.Report.Session.Closed != "orderly" {
				t.Errorf("%d restarts: %s", got, assesstest.Explain(r))
			}
			if hit := assesstest.LimitsHit(r); len(hit) != 0 {
				t.Errorf("limits hit: %+v", hit)
			}
			ends := assesstest.EventsOf(r, func(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindProcessExit && e.PID == 1 })
			if len(ends) != 1+tt.restarts {
				t.Errorf("the ends of the first process: %+v", ends)
			}
		})
	}
}

// wantLimit fails the test unless the limit was hit with that action, in an
// event and in the coverage, and is reported as a finding.
func wantLimit(t *testing.T, r *assess.Result, name, action string) mcpsf.LimitDetail {
	t.Helper()
	hit, ok := assesstest.LimitsHit(r)[name]
	if !ok || hit.Action != action {
		t.Errorf("want the limit %q to be hit (%s), got %+v; %s", name, action, assesstest.LimitsHit(r), assesstest.Explain(r))
	}
	for _, l := range r.Report.Coverage.Limits {
		if l.Name == name && !l.Hit {
			t.Errorf("the coverage does not say that %q was hit", name)
		}
	}
	return hit
}
