//go:build linux

package assess

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// TestContainment sets off bombs in tool calls. Each must end within its limit
// and leave nothing on the host. Most of them only wait for a limit, so they run
// at the same time.
func TestContainment(t *testing.T) {
	h := newHostCheck(t)
	for name, run := range map[string]func(*testing.T, *hostCheck){
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

func containForkBomb(t *testing.T, h *hostCheck) {
	r := h.assess(t, `
@tool
def bomb():
    while True:
        try: os.fork()
        except OSError: pass
`, holding(box.Limits{PIDs: 64}), within(5*time.Second))
	wantLimit(t, r, mcpsf.LimitPIDs, "refused")
	if r.Report.Session.Closed != "limit" {
		t.Errorf("the session ended: %s", explain(r))
	}
}

func containTasks(t *testing.T, h *hostCheck) {
	const limit = 50
	r := h.assess(t, `
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
`, holding(box.Limits{PIDs: limit}))
	complete(t, r)
	wantLimit(t, r, mcpsf.LimitPIDs, "refused")
	if n := number(t, said(t, r, "forks"), "started"); n != limit-1 {
		t.Errorf("%d processes beside the first, want %d", n, limit-1)
	}
	if n := number(t, said(t, r, "threads"), "started"); n != 0 {
		t.Errorf("%d threads beyond the limit", n)
	}
}

func containMemory(t *testing.T, h *hostCheck) {
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
			r := h.assess(t, body, holding(box.Limits{Memory: limit}), within(time.Minute))
			complete(t, r)
			hit := wantLimit(t, r, mcpsf.LimitMemory, "killed")
			t.Logf("ended at %d MiB of %d", hit.Value>>20, int64(limit)>>20)
			if hit.Value <= limit || hit.Value > 3*limit {
				t.Errorf("ended at %d of %d bytes", hit.Value, int64(limit))
			}
		})
	}
}

func containDisk(t *testing.T, h *hostCheck) {
	const limit = 24 << 20
	r := h.assess(t, `
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
`, holding(box.Limits{Disk: limit}))
	complete(t, r)
	wantLimit(t, r, mcpsf.LimitDisk, "refused")
	for _, tool := range []string{"home", "work", "temporary", "shared"} {
		text := said(t, r, tool)
		if written, code := number(t, text, "written"), number(t, text, "errno"); written > limit || code != 28 {
			t.Errorf("%s: %d bytes and then error %d, want at most %d and ENOSPC", tool, written, code, int64(limit))
		}
	}
}

func containOutput(t *testing.T, h *hostCheck) {
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
			sometimes(t, name, "a gigabyte on stdout", "a gigabyte without a line end", "a million lines on stderr")
			r := h.assess(t, body+`
@tool
def never(): return "reached"
`, within(time.Minute))
			wantLimit(t, r, mcpsf.LimitOutput, "killed")
			if r.Report.Session.Closed != "limit" {
				t.Errorf("the session ended: %s", explain(r))
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
func containLongFrame(t *testing.T, h *hostCheck) {
	r := h.assess(t, `
@tool
def long(): return "x" * (20 << 20)
@tool
def after(): return "still here"
`)
	complete(t, r)
	if !slices.ContainsFunc(r.Report.Session.Irregularities, func(s string) bool { return strings.Contains(s, "longer than the limit") }) {
		t.Errorf("irregularities: %q", r.Report.Session.Irregularities)
	}
	if text := said(t, r, "after"); !strings.Contains(text, "still here") {
		t.Errorf("after the long frame: %s", text)
	}
}

func containIgnoresSIGTERM(t *testing.T, h *hostCheck) {
	r := h.assess(t, `
import signal, atexit
for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(s, signal.SIG_IGN)
@tool
def fine(): return "fine"
atexit.register(lambda: time.sleep(1000))
`)
	complete(t, r)
	if r.Report.Session.Closed != "killed" {
		t.Errorf("the session ended: %s", explain(r))
	}
	if text := said(t, r, "fine"); !strings.Contains(text, "fine") {
		t.Errorf("before it was asked to end: %s", text)
	}
}

// A server that never answers and keeps working is ended by the wall limit. One
// that sleeps is detected at once, because the virtual clock is advanced.
func containNeverAnswers(t *testing.T, h *hostCheck) {
	for name, tt := range map[string]struct {
		body string
		// wall says that the wall limit ends the run; note is the note on the last call.
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
			r := h.assess(t, tt.body, within(wall))
			if r.Report.Verdict.Band != mcpsf.BandInconclusive {
				t.Errorf("verdict %+v: %s", r.Report.Verdict, explain(r))
			}
			_, hit := limitsHit(r)[mcpsf.LimitWall]
			if tt.wall && (hit || tt.note == "") {
				wantLimit(t, r, mcpsf.LimitWall, "killed")
				return
			}
			if got := r.Report.Session.Calls; len(got) == 0 || !strings.Contains(got[len(got)-1].Note, tt.note) {
				t.Errorf("calls: %s; %s", calledAs(r), explain(r))
			}
		})
	}
}

func containOpenFiles(t *testing.T, h *hostCheck) {
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
			sometimes(t, name, "open", "socket", "epoll", "memfd")
			r := h.assess(t, `
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
`, holding(box.Limits{Files: limit}))
			complete(t, r)
			wantLimit(t, r, mcpsf.LimitFiles, "refused")
			text := said(t, r, "bomb")
			if n, code := number(t, text, "opened"), number(t, text, "errno"); n >= limit || code != 24 {
				t.Errorf("%d times and then error %d, want fewer than %d and EMFILE", n, code, limit)
			}
		})
	}
}

func containCPU(t *testing.T, h *hostCheck) {
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
			r := h.assess(t, body, holding(box.Limits{CPUSeconds: limit}), within(time.Minute))
			complete(t, r)
			if hit := wantLimit(t, r, mcpsf.LimitCPU, "killed"); hit.Value < limit || hit.Value > 2*limit {
				t.Errorf("ended after %d of %d seconds", hit.Value, limit)
			}
		})
	}
}

// The usage of a dead process counts once, also while no parent has read its
// exit status.
func containZombies(t *testing.T, h *hostCheck) {
	r := h.assess(t, `
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
`, holding(box.Limits{CPUSeconds: 10}))
	complete(t, r)
	if _, hit := limitsHit(r)[mcpsf.LimitCPU]; hit {
		t.Errorf("5.6 seconds of work were taken for 10: %s", explain(r))
	}
}

func containEnds(t *testing.T, h *hostCheck) {
	for name, tt := range map[string]struct{ body, closed string }{
		"killed by itself": {`
@tool
def dies(): ctypes.string_at(0)
`, "crashed"},
		"ends in a call": {`
@tool
def ends(): os._exit(3)
`, "crashed"},
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
`, "crashed"},
		"a child goes on after an orderly end": {`
@tool
def leaves():
    if os.fork() == 0:
        os.setsid()
        while True: time.sleep(1000)
`, "orderly"},
		"closes its input": {`
@tool
def closes():
    os.close(0)
    return "closed"
@tool
def never(): return "reached"
`, "crashed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := h.assess(t, tt.body, within(30*time.Second))
			complete(t, r)
			if r.Report.Session.Closed != tt.closed {
				t.Errorf("the session ended: %s", explain(r))
			}
			if hit := limitsHit(r); len(hit) != 0 {
				t.Errorf("limits hit: %+v", hit)
			}
			ends := eventsOf(r, func(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindProcessExit && e.PID == 1 })
			if len(ends) != 1 {
				t.Errorf("the end of the first process: %+v", ends)
			}
		})
	}
}
